import Calendars
import Foundation
import Interface
import Platform
import Profile
import Settings
import Storage

/// Sets and ends the quiet time, and keeps the header's note about it correct: after each change of the store and the
/// settings, and when quiet hours begin or end.
@MainActor
final class QuietFollower {
  private let loop: InboxLoop
  private let store: StoreAccess
  private let telling: NoticeTelling
  private let repeated: RepeatedLook

  init(_ loop: InboxLoop, _ store: StoreAccess, _ telling: NoticeTelling) {
    (self.loop, self.store, self.telling) = (loop, store, telling)
    repeated = RepeatedLook(loop) { try await Self.look(loop) }
  }

  func perform(_ effect: QuietEffect) {
    switch effect {
    case .set(let text, let request):
      let environment = loop.profile.environment
      let now = environment.now()
      let isEnd = text.lowercased() == "off"
      let until = isEnd ? nil : SnoozeTime.parse(text, now: now, zone: environment.clock())
      guard isEnd || until != nil else { return loop.answer(.quiet(.refused(request, text: text))) }
      let permit = loop.requests.begin(request)
      store.write(isAct: true) { store in
        // Writes may wait for another process.
        guard (try? permit.use()) != nil else { return }
        if let until {
          try store.notices.setQuiet(until: until, at: now)
        } else {
          try store.notices.endQuiet(at: now)
        }
      } then: { [loop, telling] in
        guard loop.requests.end(request) else { return }
        loop.happened(.quiet(.set(request, until: until)))
        telling.look()
      }
    }
  }

  func look() { repeated.look() }

  func stop() async { await repeated.stop() }

  /// - Returns: the time of the next change if nothing else happens.
  private static func look(_ loop: InboxLoop) async throws -> Date? {
    let profile = loop.profile
    let (time, change) = try await profile.store.inBackground { _ throws(StoreFailure) in
      (try profile.quietTime(), try profile.quietChange())
    }
    let span = time.map { $0.until.map(QuietSpan.until) ?? .always }
    if span != loop.state.quiet { loop.happened(.quiet(.changed(span))) }
    return change
  }
}
