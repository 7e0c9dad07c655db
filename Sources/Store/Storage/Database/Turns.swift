import Foundation
import Synchronization

/// The pauses between the transactions of maintenance.
///
/// SQLite has no queue for the write lock: a waiting process only retries now and then, and a process that takes the
/// lock again immediately keeps it. So each transaction is followed by a pause of the same length, at most 15 ms: a
/// waiting process retries every 10 ms.
final class Turns: Sendable {
  private let free = Mutex(ContinuousClock.now)

  /// Waits until other writers had their turn.
  func pause() {
    let rest = free.withLock { $0 } - .now
    if rest > .zero { usleep(UInt32(rest / .microseconds(1))) }
  }

  /// Records that a transaction that began at `start` has ended, and determines the end of the pause after
  /// it.
  func end(from start: ContinuousClock.Instant) {
    let end = ContinuousClock.now
    free.withLock { $0 = end + min(.milliseconds(15), end - start) }
  }
}
