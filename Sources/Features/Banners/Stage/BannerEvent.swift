import Formats
package import Markup
package import Messages
package import Storage
import Words

/// An event that the stage sends to the inbox, in order.
package enum BannerEvent: Sendable {
  /// A view is shown; `page` follows with its content, or `failed` with the reason why there is none.
  case raised(BannerPlacement, banner: String, view: String)
  /// The page of the last raised view. Lay it out and call `laidOut`.
  case page(ViewPage)
  /// The script blocks of the page have run, or failed; sent once for each page with scripts. Now controls have their
  /// actions.
  case ready
  /// The changes that scripts made to the page, in order, and the changed page.
  case changed([ViewChange], ViewPage)
  /// Something failed; the view stays as it is.
  case failed(BannerFailure)
  /// `app_version_command` of a source failed; reddot's own version is used.
  case noAppVersion(source: String, reason: String)
  case storageFailed(StoreFailure)
  /// A script wants to open this address: http, https or reddot:, in printable ASCII. Show it to the user first.
  /// `afterPress`: the script ran because a control was pressed.
  case openRequested(String, afterPress: Bool)
  /// The banner is closed; sent exactly once for each banner that was shown, not for a change of its view.
  case closed
}

extension BannerPlacement {
  init(_ candidate: BannerCandidate, _ view: ControlFile.View) {
    let origin: Origin =
      switch view.origin {
      case .top: .top
      case .bottom: .bottom
      }
    self.init(source: candidate.origin.name, rows: view.height.map(Self.rows), origin: origin)
  }

  /// Returns the number of rows: 16 points to a row, rounded up, and at most more than any screen has.
  private static func rows(_ height: Double) -> Int { Int(min(max((height / 16).rounded(.up), 1), 10_000)) }
}
