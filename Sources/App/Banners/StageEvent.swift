import Formats
package import Interface
package import Markup
package import Storage

/// What the stage sends to the inbox, in the order in which it happened.
package enum StageEvent: Sendable {
  /// A view goes up; what it shows comes with `page`, or `failed` says why it does not.
  case raised(BannerPlacement, banner: String, view: String)
  /// The page of the view that was raised last. Lay it out and tell `laidOut`.
  case page(ViewPage)
  /// The script blocks of the page have run, or failed; told once for each page that has some. What controls do is known now.
  case ready
  /// What scripts did to the page, in order, and the page as it is now.
  case changed([ViewChange], ViewPage)
  /// The view stays as it is.
  case failed(BannerFailure)
  /// `app_version_command` of a source gave no version; reddot's own stands in.
  case noAppVersion(source: String, reason: String)
  case storageFailed(StoreFailure)
  /// A script wants this opened: an http, https or reddot: address in printable ASCII. Show it first.
  case openRequested(String)
  /// The banner is gone; exactly once for each that was raised and not merely exchanged for another of its views.
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

  /// 16 points to a row, rounded up. No screen has more rows than fit here.
  private static func rows(_ height: Double) -> Int { Int(min(max((height / 16).rounded(.up), 1), 10_000)) }
}
