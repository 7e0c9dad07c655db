import Foundation

/// Counts programs that are being started, whose process ids are not known yet. `killAll` waits for them, since it can
/// kill only known processes.
final class Starts: @unchecked Sendable {
  // All below is accessed only while the condition is locked.
  private let condition = NSCondition()
  private var count = 0
  private var isOver = false

  /// Records that a program is being started.
  ///
  /// - Returns: false after `close`.
  func begin() -> Bool {
    condition.withLock {
      if !isOver { count += 1 }
      return !isOver
    }
  }

  /// Records that the start of a program has succeeded or failed.
  func end() {
    condition.withLock {
      count -= 1
      condition.broadcast()
    }
  }

  /// Prevents further starts, and waits for those in progress.
  func close(within seconds: TimeInterval) {
    let end = Date(timeIntervalSinceNow: seconds)
    condition.withLock {
      isOver = true
      while count > 0, condition.wait(until: end) {}
    }
  }
}
