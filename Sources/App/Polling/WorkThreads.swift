import Foundation

/// Threads for long work: parsing the result of a poll, laying out a large page.
///
/// Such work must not run on the cooperative pool: it has only one thread for each processor, and two large documents
/// would block all timers and keys. A thread is created if none is free, up to a limit that only endless work could
/// reach, and ends after some idle time.
package final class WorkThreads: TaskExecutor {
  /// More than the maximum number of polls (section 3): work after its deadline may still use some.
  private static let limit = 32
  private static let idleSeconds = 10.0
  private static let stackBytes = 8 << 20

  private struct Queue {
    var jobs: [UnownedJob] = []
    /// The index of the next job.
    var next = 0
    var threads = 0
    var idle = 0
  }

  // A condition, since a mutex cannot wait with a deadline.
  private let condition = NSCondition()
  /// Accessed only while `condition` is locked.
  nonisolated(unsafe) private var queue = Queue()

  package init() {}

  /// Runs work on these threads from its first step, and waits for it. A cancellation is passed on.
  ///
  /// Preferring an executor for a part of a task isn't enough: work that begins on the cooperative pool may stay there.
  package func run<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value {
    let task = Task(executorPreference: self) { await work() }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    condition.lock()
    queue.jobs.append(job)
    let needsThread = queue.idle < queue.jobs.count - queue.next && queue.threads < Self.limit
    if needsThread {
      queue.threads += 1
      let thread = Thread { [self] in work() }
      thread.stackSize = Self.stackBytes
      thread.start()
    }
    condition.signal()
    condition.unlock()
  }

  private func work() {
    // The name is set by the thread itself, since a name from before the start is lost. And after `start` has returned,
    // since Foundation needs that to find the thread.
    condition.lock()
    condition.unlock()
    Thread.current.name = "reddot work"
    while let job = nextJob() { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  /// Waits for a job; nil if there was none for a while: then the thread ends.
  private func nextJob() -> UnownedJob? {
    condition.lock()
    defer { condition.unlock() }
    let deadline = Date(timeIntervalSinceNow: Self.idleSeconds)
    while queue.next == queue.jobs.count {
      queue.idle += 1
      let isSignalled = condition.wait(until: deadline)
      queue.idle -= 1
      if !isSignalled, queue.next == queue.jobs.count {
        queue.threads -= 1
        return nil
      }
    }
    let job = queue.jobs[queue.next]
    queue.next += 1
    if queue.next == queue.jobs.count {
      queue.jobs.removeAll(keepingCapacity: true)
      queue.next = 0
    }
    return job
  }
}
