import Foundation
import Synchronization

#if os(Linux)
  @_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) package import _Concurrency
#endif

/// The threads of Swift's tasks, in place of Dispatch's pool.
///
/// That pool counts its threads once a second, from its first use on and for ever: an inbox in which nothing happens would
/// wake up 86,400 times a day. These threads wait without a time limit.
package final class TaskThreads: TaskExecutor {
  /// Some work waits for a file; on a machine with few processors the rest must go on meanwhile.
  private static let fewest = 4
  private static let stackBytes = 8 << 20
  /// How often a thread without a job looks for one before it sleeps: less than a microsecond in all, and less than a sleep
  /// costs.
  private static let looks = 200

  private struct Queue {
    var jobs: [UnownedJob] = []
    /// The index of the next job.
    var next = 0
    var threads = 0
    var idle = 0
    /// Threads that were woken up or look for a job before they sleep: they take what comes without a signal.
    var coming = 0
    /// Those that were woken up but do not run yet.
    var signals = 0
  }

  private let most = max(fewest, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  private let condition = NSCondition()
  /// How many jobs wait, readable without the lock.
  private let waiting = Atomic(0)
  /// Accessed only while `condition` is locked.
  nonisolated(unsafe) private var queue = Queue()
  #if os(Linux)
    private let continuous = TaskTimer(CLOCK_BOOTTIME)
    private let suspending = TaskTimer(CLOCK_MONOTONIC)
  #endif

  /// Tasks of this process run on these threads from now on. Called once, before the first task.
  package static func install() {
    #if os(Linux)
      _createExecutors(factory: Executors.self)
    #endif
  }

  package func enqueue(_ job: consuming ExecutorJob) { enqueue(UnownedJob(job)) }

  package func enqueue(_ job: UnownedJob) {
    condition.lock()
    queue.jobs.append(job)
    let count = queue.jobs.count - queue.next
    waiting.store(count, ordering: .releasing)
    let isThreadMissing = queue.idle + queue.coming < count && queue.threads < most
    if isThreadMissing { queue.threads += 1 }
    let wakes = queue.coming < count && queue.idle > 0
    if wakes {
      queue.idle -= 1
      queue.coming += 1
      queue.signals += 1
    }
    condition.unlock()
    // Not before: a thread that wakes up would wait for the lock.
    if wakes { condition.signal() }
    if isThreadMissing {
      let thread = Thread { [self] in work() }
      thread.stackSize = Self.stackBytes
      thread.start()
    }
  }

  private func work() {
    while true { nextJob().runSynchronously(on: asUnownedTaskExecutor()) }
  }

  private func nextJob() -> UnownedJob {
    condition.lock()
    defer { condition.unlock() }
    while queue.next == queue.jobs.count {
      // Tasks come in chains, one job after the other: the next one is often there sooner than a thread sleeps.
      queue.coming += 1
      condition.unlock()
      var looks = Self.looks
      while looks > 0, waiting.load(ordering: .relaxed) == 0 { looks -= 1 }
      condition.lock()
      queue.coming -= 1
      guard queue.next == queue.jobs.count else { break }
      queue.idle += 1
      // Counted, since a wait may end without a signal.
      while queue.signals == 0 { condition.wait() }
      queue.signals -= 1
      queue.coming -= 1
    }
    let job = queue.jobs[queue.next]
    queue.next += 1
    waiting.store(queue.jobs.count - queue.next, ordering: .releasing)
    if queue.next == queue.jobs.count {
      queue.jobs.removeAll(keepingCapacity: true)
      queue.next = 0
    }
    return job
  }
}

#if os(Linux)
  /// The main actor stays on Dispatch's main queue, which `MainLoop` serves.
  private struct Executors: ExecutorFactory {
    static var mainExecutor: any MainExecutor { PlatformExecutorFactory.mainExecutor }
    static let defaultExecutor: any TaskExecutor = TaskThreads()
  }

  extension TaskThreads: SchedulingExecutor {
    /// What `Task.sleep` and the sleep of both clocks call.
    package func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
      guard let wait = clock.now.duration(to: instant) as? Duration else {
        preconditionFailure("clocks that sleep by the executor measure in Duration")
      }
      let timer = clock is SuspendingClock ? suspending : continuous
      timer.add(UnownedJob(job), after: wait, to: self)
    }
  }
#endif
