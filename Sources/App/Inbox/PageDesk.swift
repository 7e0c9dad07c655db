import Dispatch
import Interface
import Synchronization

/// Lays out large messages on a thread of its own, the last that was asked for only.
final class PageDesk: Sendable {
  private let queue = DispatchQueue(label: "reddot.pages", qos: .userInitiated)
  private let latest = Mutex(0)

  /// - Returns: nil where another page was asked for meanwhile.
  func page(_ request: PageRequest) async -> Page? {
    latest.withLock { $0 = request.number }
    return await withCheckedContinuation { continuation in
      queue.async { [self] in
        guard !isReplaced(request) else { return continuation.resume(returning: nil) }
        let page = request.page { self.isReplaced(request) }
        continuation.resume(returning: isReplaced(request) ? nil : page)
      }
    }
  }

  /// What is being laid out is of no use any more.
  func stop() { latest.withLock { $0 = -1 } }

  private func isReplaced(_ request: PageRequest) -> Bool { latest.withLock { $0 != request.number } }
}
