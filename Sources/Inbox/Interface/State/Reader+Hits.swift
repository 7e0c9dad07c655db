import Screen

/// What a search has found in the message's text.
extension Reader {
  /// How many lines are looked at in one go: a text may be long, and what is found first is wanted.
  private static let chunk = 200
  /// Into how many further lines a phrase may go on.
  private static let overlap = 3

  /// The first line of a hit beyond a line, in one direction.
  func hitLine(_ matcher: SearchMatcher, from start: Int, isForward: Bool) -> Int? {
    var next = start
    while lines.indices.contains(next) {
      let range =
        isForward ? next..<min(next + Self.chunk, lines.count) : max(0, next + 1 - Self.chunk)..<next + 1
      let text = lines[range.lowerBound..<min(range.upperBound + Self.overlap, lines.count)].enumerated()
      let matches = matcher.matches(
        in: text.lazy.flatMap { offset, line in
          line.scalars.map { (scalar: $0, place: range.lowerBound + offset) }
        }, fields: fields(ofLine:))
      let found = matches.map(\.first).filter(range.contains)
      if let line = isForward ? found.first : found.last { return line }
      next = isForward ? range.upperBound : range.lowerBound - 1
    }
    return nil
  }
}

extension StyledText {
  /// Its code points, and the end of the line.
  fileprivate var scalars: [Unicode.Scalar] { runs.flatMap { $0.text.text.unicodeScalars } + ["\n"] }
}
