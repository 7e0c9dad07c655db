import Screen

/// The matches of a search in the message's text.
extension Reader {
  /// The number of lines that are examined in one step: text may be long, and the first match is wanted.
  private static let chunk = 200
  /// The maximum number of further lines into which a phrase may continue.
  private static let overlap = 3

  /// Returns the first line with a match, examining the lines from `start` in one direction, or `nil` if there is none.
  func hitLine(_ matcher: some TextMatching, from start: Int, isForward: Bool) -> Int? {
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

/// A position in the reader, and the text that was found there.
package struct ReaderPlace: Hashable, Sendable {
  fileprivate(set) var scroll: Int
  fileprivate(set) var hit: Int?
  fileprivate(set) var find: String?
}

/// The result of moving to the next match.
enum FoundPlace: Hashable {
  /// The next match in the direction of the search.
  case next
  /// The next match was found after the search continued from the other end of the text.
  case other
  /// There is no other line with the text.
  case same
}

/// Finding text in the message.
extension Reader {
  var place: ReaderPlace { ReaderPlace(scroll: scroll, hit: hit, find: find) }

  mutating func restore(_ place: ReaderPlace) {
    (scroll, hit, find) = (place.scroll, place.hit, place.find)
  }

  /// Sets the text to find.
  ///
  /// - Returns: `false` if there is nothing to find.
  mutating func begin(find text: String) -> Bool {
    (find, hit) = (text, nil)
    if TextFinder(text) == nil { find = nil }
    return find != nil
  }

  mutating func endFind() { (find, hit) = (nil, nil) }

  /// Moves to the next line that has the text, and after the last one to the first. The first time, this is a visible
  /// line, or one below.
  ///
  /// - Returns: `nil` if there is none.
  mutating func moveToFound(isForward: Bool, visible: Int) -> FoundPlace? {
    guard let find, let finder = TextFinder(find) else { return nil }
    let before = hit
    if moveToHit(finder, isForward: isForward, visible: visible) { return .next }
    guard let line = hitLine(finder, from: isForward ? 0 : lines.count - 1, isForward: isForward) else {
      return nil
    }
    show(hit: line, visible: visible)
    return line == before ? .same : before == nil ? .next : .other
  }
}

extension StyledText {
  /// The line's code points, and the end of the line.
  fileprivate var scalars: [Unicode.Scalar] { runs.flatMap { $0.text.text.unicodeScalars } + ["\n"] }
}
