import Dispatch

/// A thread for one body: reading and decompressing it must not block the cooperative pool, the main actor or the
/// network's thread.
final class BodyThread: TaskExecutor {
  // A serial queue gets its own thread, besides those of the pool.
  private let queue = DispatchQueue(label: "reddot.body")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
