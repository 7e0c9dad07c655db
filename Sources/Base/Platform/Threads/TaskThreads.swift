import Foundation
@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) package import _Concurrency

/// The threads of Swift's tasks, instead of Dispatch's pool.
///
/// That pool counts its threads once a second, forever, from its first use: an idle inbox would wake up 86,400 times a
/// day. These threads wait without a time limit.
package final class TaskThreads: TaskExecutor {
  /// The minimum number of threads. Some work waits for a file; on a machine with few processors the rest must keep
  /// running meanwhile.
  private static let fewest = 4

  private let continuous = TaskTimer(CLOCK_BOOTTIME)
  private let suspending = TaskTimer(CLOCK_MONOTONIC)
  private let threads: JobThreads

  init() {
    threads = JobThreads(most: max(Self.fewest, sysconf(Int32(_SC_NPROCESSORS_ONLN))), name: "reddot tasks")
  }

  /// Makes tasks of this process run on these threads. Called once, before the first task.
  package static func install() {
    _createExecutors(factory: Executors.self)
  }

  package func enqueue(_ job: consuming ExecutorJob) { enqueue(UnownedJob(job)) }

  package func enqueue(_ job: UnownedJob) { threads.enqueue(job, for: self) }
}

/// Creates the executors. The main actor stays on Dispatch's main queue, which `MainLoop` serves.
private struct Executors: ExecutorFactory {
  static var mainExecutor: any MainExecutor { PlatformExecutorFactory.mainExecutor }
  static let defaultExecutor: any TaskExecutor = TaskThreads()
}

extension TaskThreads: SchedulingExecutor {
  /// `Task.sleep` and the sleep of both clocks call this function.
  package func enqueue<C: Clock>(
    _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
  ) {
    guard let wait = clock.now.duration(to: instant) as? Duration else {
      preconditionFailure("clocks that sleep by the executor measure in Duration")
    }
    let timer = clock is SuspendingClock ? suspending : continuous
    let job = UnownedJob(job)
    timer.add(after: wait) { [self] in enqueue(job) }
  }
}
