extension SafeText {
  /// Returns the text if it fits, or its beginning with the ellipsis. If not even the ellipsis fits, the result is
  /// empty.
  package func truncated(to columns: Int, ellipsis: SafeText) -> SafeText {
    guard self.columns > columns else { return self }
    guard columns >= ellipsis.columns, columns > 0 else { return .empty }
    return prefix(columns: columns - ellipsis.columns) + ellipsis
  }

  /// Returns the longest beginning that fits; a wide character that would be cut is left out.
  package func prefix(columns limit: Int) -> SafeText {
    guard columns > limit else { return self }
    guard limit > 0 else { return .empty }
    if isASCII {
      return SafeText(
        checked: String(text[..<text.utf8.index(text.startIndex, offsetBy: limit)]), columns: limit)
    }
    var used = 0
    var end = text.unicodeScalars.startIndex
    while end < text.unicodeScalars.endIndex {
      let width = ColumnWidth.of(text.unicodeScalars[end]) ?? 0
      if used + width > limit { break }
      used += width
      end = text.unicodeScalars.index(after: end)
    }
    return SafeText(checked: String(text.unicodeScalars[..<end]), columns: used)
  }

  /// Returns the text with spaces appended up to this many columns; longer text is unchanged.
  package func padded(to columns: Int) -> SafeText {
    self.columns >= columns ? self : self + .spaces(columns - self.columns)
  }

  /// Returns the lines of the text at this width. Words stay whole if they fit, ideographs break anywhere, and longer
  /// words are cut. Spaces at a line's end are dropped; those at the start of the text stay. Empty text is one empty
  /// line; without any column there are no lines.
  package func wrapped(to columns: Int) -> [SafeText] {
    guard columns > 0 else { return [] }
    if self.columns <= columns { return [self] }
    var clusters: [Cluster] = []
    clusters.reserveCapacity(self.columns)
    appendClusters(to: &clusters, run: 0)
    return LineBreaker.lines(clusters, columns: columns).map { slice(clusters, $0.clusters) }
  }

  /// Returns the part in a range of its clusters; all of them must be from this text.
  func slice(_ clusters: [Cluster], _ range: Range<Int>) -> SafeText {
    guard !range.isEmpty else { return .empty }
    let first = Int(clusters[range.lowerBound].offset)
    let isLast =
      range.upperBound == clusters.count
      || clusters[range.upperBound].run != clusters[range.lowerBound].run
    let end = isLast ? text.utf8.count : Int(clusters[range.upperBound].offset)
    let width = clusters[range].reduce(0) { $0 + Int($1.columns) }
    if first == 0, end == text.utf8.count { return self }
    let from = text.utf8.index(text.utf8.startIndex, offsetBy: first)
    let to = text.utf8.index(from, offsetBy: end - first)
    return SafeText(checked: String(text[from..<to]), columns: width)
  }
}
