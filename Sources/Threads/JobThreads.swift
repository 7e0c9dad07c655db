import Foundation
import Synchronization

/// Threads that run the jobs of tasks in the order in which they come.
///
/// One of them is awake as long as it gets on. Most jobs end within microseconds and are followed by another one, and to wake
/// a second thread for that costs more than the job. Only where the first job in the queue has waited for a millisecond, the
/// next thread comes, and so on while jobs wait. So a job that blocks its thread delays the others by about that time.
final class JobThreads: Sendable {
  private static let stackBytes = 8 << 20
  /// How often a thread without a job looks for one before it sleeps: less than a microsecond in all, and less than a sleep
  /// costs.
  private static let looks = 200
  private static let patience = Duration.milliseconds(1)

  private struct Queue {
    var jobs: [UnownedJob] = []
    /// The index of the next job.
    var next = 0
    /// How many were taken so far.
    var taken = 0
    var threads = 0
    /// Those that sleep, and were not woken up.
    var idle = 0
    /// Those that were woken up but do not run yet.
    var signals = 0
    /// Whether somebody will look whether the first job still waits.
    var isWatched = false

    var isEmpty: Bool { next == jobs.count }
    /// Those that run a job, look for one, or were woken up for one.
    var awake: Int { threads - idle }
  }

  /// What the caller does once the lock is free: a thread that wakes up would wait for it.
  private enum Step {
    case none
    case wake
    case start
    case watch(taken: Int)
  }

  private let most: Int
  /// After which time without a job a thread ends; nil: never.
  private let idleSeconds: Double?
  private let name: String?
  private let condition = NSCondition()
  /// How many jobs wait, readable without the lock.
  private let waiting = Atomic(0)
  /// Accessed only while `condition` is locked.
  nonisolated(unsafe) private var queue = Queue()
  #if os(Linux)
    private let timer: TaskTimer

    /// - Parameters:
    ///   - most: how many threads there may be.
    ///   - idleSeconds: after which time without a job a thread ends; nil: never.
    ///   - name: of the threads.
    init(most: Int, idleSeconds: Double? = nil, name: String? = nil, timer: TaskTimer) {
      (self.most, self.idleSeconds, self.name) = (most, idleSeconds, name)
      self.timer = timer
    }
  #else
    init(most: Int, idleSeconds: Double? = nil, name: String? = nil) {
      (self.most, self.idleSeconds, self.name) = (most, idleSeconds, name)
    }
  #endif

  /// - Parameter executor: which the threads belong to; kept as long as they are there.
  func enqueue(_ job: UnownedJob, for executor: any TaskExecutor) {
    condition.lock()
    queue.jobs.append(job)
    waiting.store(queue.jobs.count - queue.next, ordering: .releasing)
    let step = queue.awake == 0 ? anotherThread() : watchStep()
    condition.unlock()
    take(step, executor)
  }

  // MARK: Called while `condition` is locked

  private func anotherThread() -> Step {
    if queue.idle > 0 {
      queue.idle -= 1
      queue.signals += 1
      return .wake
    }
    guard queue.threads < most else { return .none }
    queue.threads += 1
    return .start
  }

  private func watchStep() -> Step {
    #if os(Linux)
      if queue.isWatched || (queue.idle == 0 && queue.threads == most) { return .none }
      queue.isWatched = true
      return .watch(taken: queue.taken)
    #else
      return anotherThread()
    #endif
  }

  // MARK: Called without the lock

  private func take(_ step: Step, _ executor: any TaskExecutor) {
    switch step {
    case .none: break
    case .wake: condition.signal()
    case .start:
      let thread = Thread { [self] in work(executor) }
      thread.stackSize = Self.stackBytes
      // The thread waits for the lock until `start` has returned.
      condition.lock()
      thread.start()
      condition.unlock()
    case .watch(let taken):
      #if os(Linux)
        timer.add(after: Self.patience) { [self] in look(executor, takenBefore: taken) }
      #endif
    }
  }

  /// Brings another thread where the first job has waited since `taken` jobs were taken.
  private func look(_ executor: any TaskExecutor, takenBefore taken: Int) {
    condition.lock()
    queue.isWatched = false
    let steps: [Step] =
      queue.isEmpty ? [] : queue.taken == taken ? [anotherThread(), watchStep()] : [watchStep()]
    condition.unlock()
    for step in steps { take(step, executor) }
  }

  private func work(_ executor: any TaskExecutor) {
    if let name {
      // A name is set by the thread itself, since one from before the start is lost. And after `start` has returned, since
      // Foundation needs that to find the thread.
      condition.lock()
      condition.unlock()
      Thread.current.name = name
    }
    while let job = nextJob() { job.runSynchronously(on: executor.asUnownedTaskExecutor()) }
  }

  /// Waits for a job; nil if there was none for a while: then the thread ends.
  private func nextJob() -> UnownedJob? {
    condition.lock()
    defer { condition.unlock() }
    while queue.isEmpty {
      // Tasks come in chains, one job after the other: the next one is often there sooner than a thread sleeps.
      condition.unlock()
      var looks = Self.looks
      while looks > 0, waiting.load(ordering: .relaxed) == 0 { looks -= 1 }
      condition.lock()
      guard queue.isEmpty else { break }
      queue.idle += 1
      guard sleep() else {
        queue.threads -= 1
        return nil
      }
    }
    let job = queue.jobs[queue.next]
    queue.next += 1
    queue.taken += 1
    waiting.store(queue.jobs.count - queue.next, ordering: .releasing)
    if queue.isEmpty {
      queue.jobs.removeAll(keepingCapacity: true)
      queue.next = 0
    }
    return job
  }

  /// Until this thread is woken up, which is counted, since a wait may end without a signal; false where that took too long.
  private func sleep() -> Bool {
    let deadline = idleSeconds.map { Date(timeIntervalSinceNow: $0) }
    while queue.signals == 0 {
      guard let deadline else {
        condition.wait()
        continue
      }
      if !condition.wait(until: deadline), queue.signals == 0 {
        queue.idle -= 1
        return false
      }
    }
    queue.signals -= 1
    return true
  }
}
