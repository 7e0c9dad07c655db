import Foundation

/// Threads that run the jobs of tasks in the order in which they come, and wait without a time limit for more.
final class JobThreads: Sendable {
  private static let stackBytes = 8 << 20

  private let most: Int
  /// After which time without a job a thread ends; nil: never.
  private let idleSeconds: Double?
  private let name: String
  private let condition = NSCondition()
  // Accessed only while `condition` is locked.
  nonisolated(unsafe) private var jobs: [UnownedJob] = []
  nonisolated(unsafe) private var threads = 0
  /// Those that wait for a job, or were woken up for one.
  nonisolated(unsafe) private var idle = 0

  /// - Parameters:
  ///   - most: how many threads there may be.
  ///   - name: of the threads.
  init(most: Int, idleSeconds: Double? = nil, name: String) {
    (self.most, self.idleSeconds, self.name) = (most, idleSeconds, name)
  }

  /// - Parameter executor: which the threads belong to; kept as long as they are there.
  func enqueue(_ job: UnownedJob, for executor: any TaskExecutor) {
    condition.lock()
    defer { condition.unlock() }
    jobs.append(job)
    if jobs.count <= idle {
      condition.signal()
    } else if threads < most {
      threads += 1
      let thread = Thread { [self] in work(executor) }
      thread.stackSize = Self.stackBytes
      // The thread waits for the lock until `start` has returned: Foundation needs that to find the thread.
      thread.start()
    }
  }

  private func work(_ executor: any TaskExecutor) {
    var isNamed = false
    while let job = nextJob() {
      // A name is set by the thread itself: one from before the start is lost.
      if !isNamed { Thread.current.name = name }
      isNamed = true
      job.runSynchronously(on: executor.asUnownedTaskExecutor())
    }
  }

  /// Waits for a job; nil if there was none for a while: then the thread ends.
  private func nextJob() -> UnownedJob? {
    condition.lock()
    defer { condition.unlock() }
    let deadline = idleSeconds.map { Date(timeIntervalSinceNow: $0) } ?? .distantFuture
    while jobs.isEmpty {
      idle += 1
      var isInTime = true
      if idleSeconds == nil { condition.wait() } else { isInTime = condition.wait(until: deadline) }
      idle -= 1
      if jobs.isEmpty, !isInTime {
        threads -= 1
        return nil
      }
    }
    return jobs.removeFirst()
  }
}
