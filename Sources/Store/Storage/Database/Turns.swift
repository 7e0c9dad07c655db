import Foundation
import Synchronization

/// The pauses between the transactions of maintenance.
///
/// SQLite gives no turns: a process that waits for the write lock only asks for it now and then, and one that takes it again
/// at once keeps it. So after each transaction there is as much time for others as it took, at most 15 ms: a process that waits
/// asks every 10 ms.
final class Turns: Sendable {
  private let free = Mutex(ContinuousClock.now)

  /// Waits until others had their time.
  func pause() {
    let rest = free.withLock { $0 } - .now
    if rest > .zero { usleep(UInt32(rest / .microseconds(1))) }
  }

  /// Notes the end of a transaction.
  func end(from start: ContinuousClock.Instant) {
    let end = ContinuousClock.now
    free.withLock { $0 = end + min(.milliseconds(15), end - start) }
  }
}
