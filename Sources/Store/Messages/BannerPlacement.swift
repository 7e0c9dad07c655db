/// The position in which a banner's view is shown.
package struct BannerPlacement: Hashable, Sendable {
  package enum Origin: Hashable, Sendable { case top, bottom }

  /// The name of the banner's source.
  package var source: String
  /// The number of rows of the banner's text, or `nil` for the whole screen.
  package var rows: Int?
  package var origin: Origin

  package init(source: String, rows: Int?, origin: Origin) {
    self.source = source
    self.rows = rows
    self.origin = origin
  }
}
