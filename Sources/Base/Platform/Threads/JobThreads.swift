import Foundation

/// Threads that run the jobs of tasks in their order of arrival, and wait for more without a time limit.
final class JobThreads: Sendable {
  private let most: Int
  /// The time without a job after which a thread ends, or `nil` if threads never end.
  private let idleSeconds: Double?
  private let name: String
  private let condition = NSCondition()
  // Accessed only while `condition` is locked.
  nonisolated(unsafe) private var jobs: [UnownedJob] = []
  nonisolated(unsafe) private var threads = 0
  /// The number of threads that wait for a job, or were woken up for one.
  nonisolated(unsafe) private var idle = 0

  /// - Parameters:
  ///   - most: the maximum number of threads.
  ///   - name: the name of the threads.
  init(most: Int, idleSeconds: Double? = nil, name: String) {
    (self.most, self.idleSeconds, self.name) = (most, idleSeconds, name)
  }

  /// Queues a job. If the system provides no thread, the main thread runs it.
  ///
  /// - Parameter executor: the executor that the threads belong to; it is kept as long as they exist.
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
        // Otherwise one of the threads runs it after its current job.
        if threads == 0 { MainThread.run(jobs.removeLast(), for: executor) }
      }
    }
  }

  private func work(_ executor: any TaskExecutor) {
    while let job = nextJob() {
      job.runSynchronously(on: executor.asUnownedTaskExecutor())
    }
  }

  /// Waits for a job. Returns `nil` if there was none for a while, so that the thread ends.
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
