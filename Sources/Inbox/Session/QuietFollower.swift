import Foundation
import Interface
import Platform
import Profile
import Storage

/// Keeps the header's word about quiet hours right: after each change of the store and the settings, and when they begin or
/// end by time.
@MainActor
final class QuietFollower {
  private let repeated: RepeatedLook

  init(_ loop: InboxLoop) { repeated = RepeatedLook(loop) { try await Self.look(loop) } }

  func look() { repeated.look() }

  func stop() async { await repeated.stop() }

  /// - Returns: when it changes by time alone.
  private static func look(_ loop: InboxLoop) async throws -> Date? {
    let profile = loop.profile
    let (time, change) = try await profile.store.inBackground { _ throws(StoreFailure) in
      (try profile.quietTime(), try profile.quietChange())
    }
    let span = time.map { $0.until.map(QuietSpan.until) ?? .always }
    if span != loop.state.quiet { loop.happened(.quietChanged(span)) }
    return change
  }
}
