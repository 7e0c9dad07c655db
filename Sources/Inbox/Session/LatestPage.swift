import Dispatch
import Synchronization

/// Lays out long text on its own thread; only the last requested layout is finished.
final class LatestPage: Sendable {
  private let queue = DispatchQueue(label: "reddot.pages", qos: .userInitiated)
  private let latest = Mutex(0)

  /// - Parameters:
  ///   - number: increases with each request.
  ///   - layOut: calls its argument from time to time, and may end early if that returns `true`.
  /// - Returns: `nil` if another page was requested meanwhile.
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

  /// Stops the current layout, which is no longer needed.
  func stop() { latest.withLock { $0 = -1 } }

  private func isReplaced(_ number: Int) -> Bool { latest.withLock { $0 != number } }
}
