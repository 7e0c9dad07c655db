import Synchronization

/// A limit on the total size of everything that is made from one document. Each document has one, which is passed to
/// all its readers, on any thread.
///
/// Readers spend it on their output: bytes of text, and a fixed amount for each item, value, link or cell. When it is
/// spent, they stop, keep their results, and report it. A cancelled poll cancels its allowance, so that loops that
/// check it end soon too.
package final class Allowance: Sendable {
  /// The remaining bytes; below 0 if more were spent than allowed.
  private let left: Atomic<Int>
  private let cancelled = Atomic(false)
  /// The total in bytes.
  package let limit: Int

  /// - Parameter documentBytes: the size of the received document.
  package init(documentBytes: Int) {
    limit = Limits.growthConstant + Limits.growthFactor * max(0, documentBytes)
    left = Atomic(limit)
  }

  /// Spends this many bytes; returns `false` if the allowance is used up or cancelled.
  @discardableResult package func spend(_ bytes: Int) -> Bool {
    left.subtract(bytes, ordering: .relaxed).newValue >= 0 && !isCancelled
  }

  /// Whether nothing is left or the work was cancelled, so that readers must stop.
  package var isSpent: Bool { left.load(ordering: .relaxed) < 0 || isCancelled }

  package var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  /// Cancels the work on the document.
  package func cancel() { cancelled.store(true, ordering: .relaxed) }

  /// The problem to report if reading stopped.
  package var sentence: String {
    isCancelled
      ? "reading stopped before the end of the document; the part before that was kept"
      : """
      the document would become more than \(limit >> 20) MiB of messages, which is far more than its size; it was \
      read up to there
      """
  }
}
