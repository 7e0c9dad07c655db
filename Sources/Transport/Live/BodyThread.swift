import Dispatch

/// A thread for one body: taking it in and decompressing it keeps neither the cooperative pool, nor the main actor, nor
/// the network's thread from other work.
final class BodyThread: TaskExecutor {
  // Serial queues get threads of their own, beside those of the pool.
  private let queue = DispatchQueue(label: "reddot.body")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
