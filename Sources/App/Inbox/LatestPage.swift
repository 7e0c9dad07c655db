import Dispatch
import Synchronization

/// Lays out large texts on a thread of its own, the last that was asked for only.
final class LatestPage: Sendable {
  private let queue = DispatchQueue(label: "reddot.pages", qos: .userInitiated)
  private let latest = Mutex(0)

  /// - Parameters:
  ///   - number: counts up with each text that is asked for.
  ///   - layOut: asks what it is given now and then, and may end early where that says so.
  /// - Returns: nil where another page was asked for meanwhile.
  func page<Page: Sendable>(
    _ number: Int, _ layOut: @escaping @Sendable (_ isCancelled: () -> Bool) -> Page
  ) async -> Page? {
    latest.withLock { $0 = number }
    return await withCheckedContinuation { continuation in
      queue.async { [self] in
        guard !isReplaced(number) else { return continuation.resume(returning: nil) }
        let page = layOut { self.isReplaced(number) }
        continuation.resume(returning: isReplaced(number) ? nil : page)
      }
    }
  }

  /// What is being laid out is of no use any more.
  func stop() { latest.withLock { $0 = -1 } }

  private func isReplaced(_ number: Int) -> Bool { latest.withLock { $0 != number } }
}
