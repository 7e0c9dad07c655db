import Interface
import Logging
import Messages
import Notifications
import Profile

/// Stores other programs' notifications while the inbox runs.
@MainActor
final class DesktopFollower {
  private let loop: InboxLoop
  /// The sources that other programs' notifications are stored for, as the settings last specified.
  private var sources: [Source] = []
  private var running: Task<Void, Never>?

  init(_ loop: InboxLoop) { self.loop = loop }

  /// Starts or stops storing notifications, as the settings specify. Called at the start, and when the
  /// settings may have changed.
  func follow() {
    let profile = loop.profile
    guard profile.desktopSources != sources else { return }
    sources = profile.desktopSources
    let earlier = running
    earlier?.cancel()
    running = Task { [weak self] in
      await earlier?.value
      await NoticeCatch(profile.observedArrival) { news in Task { @MainActor in self?.handle(news) } }.run()
    }
  }

  private func handle(_ news: NoticeCatch.News) {
    switch news {
    case .listening: break
    case .trouble(let reason):
      loop.log?.warning("notifications of other programs cannot be received: \(reason)")
      loop.happened(.failed(.desktop(reason: reason)))
    }
  }

  func stop() async {
    running?.cancel()
    await running?.value
  }
}
