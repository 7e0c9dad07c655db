import Synchronization

/// How much one document may become, and whether anybody still waits for it: one for each document, handed through
/// all that reads it, whichever threads that work runs on.
///
/// Readers take from it for what they make: bytes of text, and a fixed amount for each item, value, link or cell.
/// Once it is spent they stop, keep what they have, and say so. A poll that was ended cancels it, so that every
/// loop that looks at it ends soon, too.
package final class Allowance: Sendable {
  private let left: Atomic<Int>
  private let cancelled = Atomic(false)
  /// How many bytes the document may become in all.
  package let limit: Int

  /// - Parameter documentBytes: The size of the document as it came.
  package init(documentBytes: Int) {
    limit = Limits.growthConstant + Limits.growthFactor * max(0, documentBytes)
    left = Atomic(limit)
  }

  /// Takes that many bytes; false once there is nothing left, and after a cancellation.
  @discardableResult package func take(_ bytes: Int) -> Bool {
    left.subtract(bytes, ordering: .relaxed).newValue >= 0 && !isCancelled
  }

  /// Nothing is left, or the work was cancelled: reading stops.
  package var isSpent: Bool { left.load(ordering: .relaxed) < 0 || isCancelled }

  package var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  /// Ends the work on the document.
  package func cancel() { cancelled.store(true, ordering: .relaxed) }

  /// What is said where reading stopped.
  package var sentence: String {
    isCancelled
      ? "reading was ended before the end of the document; what came before that was kept"
      : """
      the document would become more than \(limit >> 20) MiB of messages, which is far more than its size; it was \
      read up to there
      """
  }
}
