import Dispatch

/// Runs the jobs of tasks on the main thread, which `MainLoop` serves: for commands that need no other thread, and for
/// jobs for which the system provides none.
package final class MainThread: TaskExecutor {
  package static let executor = MainThread()

  private init() {}

  package func enqueue(_ job: consuming ExecutorJob) { enqueue(UnownedJob(job)) }

  package func enqueue(_ job: UnownedJob) { Self.run(job, for: self) }

  /// Runs a job.
  ///
  /// - Parameter executor: the executor that the job belongs to.
  static func run(_ job: UnownedJob, for executor: any TaskExecutor) {
    DispatchQueue.main.async { job.runSynchronously(on: executor.asUnownedTaskExecutor()) }
  }
}
