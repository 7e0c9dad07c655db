package import Banners
package import Formats
package import Markup
package import Messages
package import Storage

/// What the stage tells whoever draws; in the order in which it happened.
package enum StageEvent: Sendable {
  /// A view goes up; what it shows comes with `page`, or `failed` says why it does not.
  case raised(BannerPlacement)
  /// The page of the view that was raised last. Lay it out and tell `laidOut`.
  case page(ViewPage)
  /// The script blocks of the page have run, or failed; told once for each page that has some. What controls do is known now.
  case ready
  /// What scripts did to the page, in order, and the page as it is now.
  case changed([ViewChange], ViewPage)
  /// The view stays as it is.
  case failed(StageFailure)
  /// A script wants this opened: an http, https or reddot: address in printable ASCII. Show it first.
  case openRequested(String)
  /// The banner is gone; exactly once for each that was raised and not merely exchanged for another of its views.
  case closed
}

/// Where a view of a banner goes.
package struct BannerPlacement: Hashable, Sendable {
  /// Of the source, or how the file was named where there is no source.
  package var sourceName: String
  package var bannerName: String
  package var viewID: String
  /// At least 1; nil means the full screen.
  package var rows: Int?
  package var origin: ControlFile.View.Origin

  package init(
    sourceName: String, bannerName: String, viewID: String, rows: Int?, origin: ControlFile.View.Origin
  ) {
    self.sourceName = sourceName
    self.bannerName = bannerName
    self.viewID = viewID
    self.rows = rows
    self.origin = origin
  }

  init(_ candidate: BannerCandidate, _ view: ControlFile.View) {
    self.init(
      sourceName: candidate.origin.name, bannerName: candidate.banner.name, viewID: view.id,
      rows: view.height.map(Self.rows), origin: view.origin)
  }

  /// 16 points to a row, begun rows counted whole. No screen has more rows than fit here.
  private static func rows(_ height: Double) -> Int { Int(min(max((height / 16).rounded(.up), 1), 10_000)) }
}

/// What went wrong with a banner; it stays up as it is, and says so.
package enum StageFailure: Error, Hashable, Sendable {
  /// A view's HTML could not be fetched, and there is no copy of it.
  case view(id: String, FetchFailure)
  /// The scripts used more time or memory than an event may; no event reaches them any more.
  case scriptStopped
  case engineCannotStart(reason: String)
  /// What a script threw, in its own words.
  case scriptError(String)
  /// A script asked for what it may not have.
  case refused(ScriptDecision.Refusal)
  /// Views display each other without anybody having pressed anything.
  case endlessDisplay
  /// `app_version_command` of a source gave no version; reddot's own stands in.
  case appVersion(source: String, reason: String)
  case storage(StoreFailure)
}
