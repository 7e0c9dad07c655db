import Foundation
package import Messages
import Screen
import Words

package enum OfferAction: Hashable, Sendable {
  /// The response to `find`, with the sources that were found.
  case found([Offer])
  /// The response to `take`, with the reason if the source was not added.
  case taken(Offer, refusal: String?)
}

package enum OfferEffect: Hashable, Sendable {
  /// Finds sources on this machine that could be followed. The response is `found`.
  case find
  /// Adds an offered source. The response is `taken`.
  case take(Offer)
}

extension AppState {
  mutating func reduce(_ action: OfferAction) -> [Effect] {
    switch action {
    case .found(let offers):
      guard isWelcome, !offers.isEmpty, dialog == Dialog() else { return [] }
      dialog.show(.offers(OffersPage(offers, since: now)))
      return changePreferences { $0.hasSeenOffers = true }
    case .taken(let offer, let refusal):
      if case .offers(var page)? = dialog.overlay {
        page.phases[offer] = refusal == nil ? .added : nil
        dialog.overlay = .offers(page)
      }
      if let refusal {
        report(words(.addRefused, SafeText(untrusted: refusal)), .failure)
      } else {
        report(words(.added, words.title(of: offer)))
      }
      return []
    }
  }

  /// Searches this machine for sources that could be followed: once, while nothing is followed.
  mutating func lookForOffers() -> [Effect] {
    guard isWelcome, !preferences.hasSeenOffers, !pending.hasLookedForOffers else { return [] }
    pending.hasLookedForOffers = true
    return [.offers(.find)]
  }

  /// Adds the selected source, or opens the prompt for a URL.
  mutating func takeOffer(_ page: OffersPage) -> [Effect] {
    // No key opened the page: one that was pressed for the screen before must not change settings.
    guard input.time.timeIntervalSince(page.since) >= AnswerSight.rest else { return [] }
    guard let offer = page.selectedOffer else {
      dialog.overlay = nil
      dialog.prompt = Prompt(.add)
      return []
    }
    guard page.phases[offer] == nil else { return [] }
    var page = page
    page.phases[offer] = .asking
    dialog.overlay = .offers(page)
    return [.offers(.take(offer))]
  }
}
