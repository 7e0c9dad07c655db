import Foundation

/// Threads for work that may take long: reading what a poll brought, laying out a large page.
///
/// Such work must not run where tasks run: those threads are as few as processors, and with two large documents on
/// them nothing else would, no timer and no key. A thread is made where none is free, up to a limit that only work
/// which does not end could reach, and ends when nothing comes for a while.
package final class WorkThreads: TaskExecutor {
  /// More than polls at once (section 3): work that was given up for being late may still hold some.
  private static let limit = 32
  private static let idleSeconds = 10.0
  private static let stackBytes = 8 << 20

  private struct Queue {
    var jobs: [UnownedJob] = []
    /// Taken from the front.
    var next = 0
    var threads = 0
    var idle = 0
  }

  // Conditions wait with a deadline, which a mutex alone cannot.
  private let condition = NSCondition()
  /// Only touched while `condition` is locked.
  nonisolated(unsafe) private var queue = Queue()

  package init() {}

  /// Does work on these threads from its first step on, and waits for it. A cancellation reaches it.
  ///
  /// Preferring an executor for a part of a task is not enough: what begins where tasks run may go on there.
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
    // From within: a name given before the start is lost, and the thread has that of the one that made it. And once
    // `start` has returned: only then does Foundation know which thread it is to name.
    condition.lock()
    condition.unlock()
    Thread.current.name = "reddot work"
    while let job = nextJob() { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  /// Waits for a job; nil when none came for a while, and the thread ends.
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
