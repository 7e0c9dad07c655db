import Foundation
import Interface
import Messages
import Platform
import Profile
import Settings
import Subscriptions

/// Finds sources on this machine that could be followed, and adds those that the user chooses.
@MainActor
final class OfferWork {
  private let loop: InboxLoop
  private let settings: LiveSettings
  private let threads = WorkThreads()

  init(_ loop: InboxLoop, _ settings: LiveSettings) {
    (self.loop, self.settings) = (loop, settings)
  }

  func perform(_ effect: OfferEffect) {
    switch effect {
    case .find:
      // Settings with sources are not a first start, even if none of them has messages yet.
      guard loop.profile.settings.sources.isEmpty else { return }
      let finder = OfferFinder(loop.profile.environment)
      Task { [loop, threads] in
        let offers = await threads.run { finder.find() }
        loop.happened(.offers(.found(offers)))
      }
    case .take(let offer):
      let taker = OfferTaker(loop.profile)
      loop.finishBeforeEnd(
        Task { [loop, settings, added = settings.added] in
          do {
            try await taker.accept(offer) { await added($0) }
            await settings.reopen()
            loop.happened(.offers(.taken(offer, refusal: nil)))
          } catch {
            loop.happened(.offers(.taken(offer, refusal: InboxLoop.reason(error))))
          }
        })
    }
  }
}
