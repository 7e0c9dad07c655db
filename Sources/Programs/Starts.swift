import Foundation

/// Programs between the request to start them and the moment at which it is known who they are. The last act of a process
/// waits for them: what it does not know it cannot kill.
final class Starts: @unchecked Sendable {
  // All below is touched with the condition locked only.
  private let condition = NSCondition()
  private var count = 0
  private var isOver = false

  /// - Returns: false where nothing is started any more.
  func begin() -> Bool {
    condition.withLock {
      if !isOver { count += 1 }
      return !isOver
    }
  }

  func end() {
    condition.withLock {
      count -= 1
      condition.broadcast()
    }
  }

  /// Lets nothing begin from now on, and waits for what has.
  func close(within seconds: TimeInterval) {
    let end = Date(timeIntervalSinceNow: seconds)
    condition.withLock {
      isOver = true
      while count > 0, condition.wait(until: end) {}
    }
  }
}
