import Foundation
import Messages
import Screen
import Words

/// The sources found on this machine that could be followed, while nothing is followed yet. The line below them is for
/// a URL.
package struct OffersPage: Hashable, Sendable {
  /// The state of an offer that the user has chosen.
  enum Phase: Hashable, Sendable {
    case asking, added
  }

  let offers: [Offer]
  /// The time at which the page was shown.
  let since: Date
  var phases: [Offer: Phase] = [:]
  private(set) var selected = 0

  init(_ offers: [Offer], since: Date) { (self.offers, self.since) = (offers, since) }

  /// The number of lines above the first offer.
  static let headRows = 2

  /// The number of offers, including the line for a URL.
  var count: Int { offers.count + 1 }

  mutating func select(_ line: Int) { selected = min(max(0, line), count - 1) }

  /// The selected offer, or `nil` for the line for a URL.
  var selectedOffer: Offer? { offers.indices.contains(selected) ? offers[selected] : nil }
}

extension Words {
  func title(of offer: Offer) -> SafeText {
    switch offer {
    case .newsboat(_, let feeds): count(.offerNewsboat, feeds)
    case .github: self(.offerGitHub)
    case .shell(let name): self(.offerShell, SafeText(untrusted: name))
    case .tmux: self(.offerTmux)
    case .desktop(let daemon): self(.offerDesktop, SafeText(untrusted: daemon))
    }
  }
}
