import Foundation

/// Threads for long work: parsing the result of a poll, laying out a large page.
///
/// Such work must not run on the default threads of tasks: there are only a few, and large documents would block all
/// timers. A thread is created if none is free, up to a limit that only endless work could reach, and ends after some
/// idle time.
package final class WorkThreads: TaskExecutor {
  /// The maximum number of threads. It is more than that of concurrent polls, since work after its deadline may still
  /// use some.
  private static let limit = 32
  private static let idleSeconds = 10.0

  private let threads = JobThreads(most: limit, idleSeconds: idleSeconds, name: "reddot work")

  package init() {}

  /// Runs work on these threads from its first step, and waits for it. A cancellation is passed on.
  ///
  /// An executor preference for a part of a task isn't enough: work that begins on the cooperative pool may stay there.
  package func run<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value {
    let task = Task(executorPreference: self) { await work() }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  package func enqueue(_ job: consuming ExecutorJob) { threads.enqueue(UnownedJob(job), for: self) }
}
