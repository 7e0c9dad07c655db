import Foundation

/// Threads that run the jobs of tasks in the order in which they come, and wait without a time limit for more.
final class JobThreads: Sendable {
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

  /// If the system gives no thread, the main thread runs the job.
  ///
  /// - Parameter executor: which the threads belong to; kept as long as they are there.
  func enqueue(_ job: UnownedJob, for executor: any TaskExecutor) {
    condition.lock()
    defer { condition.unlock() }
    jobs.append(job)
    if jobs.count <= idle {
      condition.signal()
    } else if threads < most {
      threads += 1
      do {
        try SystemThread.start(name) { [self] in work(executor) }
      } catch {
        threads -= 1
        // Otherwise one of the threads runs it, when it has ended another.
        if threads == 0 { MainThread.run(jobs.removeLast(), for: executor) }
      }
    }
  }

  private func work(_ executor: any TaskExecutor) {
    while let job = nextJob() {
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
