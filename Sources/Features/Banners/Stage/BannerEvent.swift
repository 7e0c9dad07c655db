import Formats
package import Markup
package import Messages
package import Storage
import Words

/// An event that the banner stage (`BannerStage`) sends to the inbox, in order.
package enum BannerEvent: Sendable {
  /// A view is shown. `page` follows with its content, or `failed` with the reason why there is none.
  case raised(BannerPlacement, banner: String, view: String)
  /// The page of the view that was raised last. The receiver lays it out and calls `laidOut`.
  case page(ViewPage)
  /// The script blocks of the page have run, or failed. From now on, controls have their actions. The event is sent
  /// once for each page with scripts.
  case ready
  /// Scripts have changed the page: the changes in order, and the changed page.
  case changed([ViewChange], ViewPage)
  /// Something failed; the view stays as it is.
  case failed(BannerFailure)
  /// `app_version_command` of a source failed; reddot's own version is used.
  case noAppVersion(source: String, reason: String)
  /// The banner's state could not be read or stored.
  case storageFailed(StoreFailure)
  /// A script wants to open an http, https or reddot: address, in printable ASCII. The receiver shows it to the user
  /// first. `afterPress`: whether the script ran because a control was pressed.
  case openRequested(String, afterPress: Bool)
  /// The banner was closed. The event is sent exactly once for each banner that was shown, and not for a change of its
  /// view.
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

  /// Returns the number of rows for a height in points. A row has 16 points; the number is rounded up, and is from 1 to
  /// 10,000.
  private static func rows(_ height: Double) -> Int { Int(min(max((height / 16).rounded(.up), 1), 10_000)) }
}
