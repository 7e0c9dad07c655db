/// Where a banner's view is shown.
package struct BannerPlacement: Hashable, Sendable {
  package enum Origin: Hashable, Sendable { case top, bottom }

  /// The name of the source that it comes from.
  package var source: String
  /// Rows of its text; nil is the whole screen.
  package var rows: Int?
  package var origin: Origin

  package init(source: String, rows: Int?, origin: Origin) {
    self.source = source
    self.rows = rows
    self.origin = origin
  }
}
