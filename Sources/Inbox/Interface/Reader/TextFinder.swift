import Messages
import Queries

/// A search that finds its matches in shown text.
protocol TextMatching {
  /// Returns the first and last position of each match.
  ///
  /// - Parameters:
  ///   - text: the code points, each with its position; a line ends with `\n`.
  ///   - fields: returns the fields of a position; conditions on other fields do not match there.
  func matches<Position>(
    in text: some Sequence<(scalar: Unicode.Scalar, place: Position)>,
    fields: (Position) -> Set<Query.TextField>
  ) -> [(first: Position, last: Position)]
}

extension SearchMatcher: TextMatching {}

/// Finds typed text, also within words, without regard to case, accents and line ends.
struct TextFinder: TextMatching {
  private let wanted: [Unicode.Scalar]

  /// Creates a finder, or returns `nil` if there is nothing to find.
  init?(_ text: String) {
    wanted = Self.folded(text.trimmingSpaces.unicodeScalars.lazy.map { (scalar: $0, place: 0) }).map(\.scalar)
    if wanted.isEmpty { return nil }
  }

  func matches<Position>(
    in text: some Sequence<(scalar: Unicode.Scalar, place: Position)>,
    fields: (Position) -> Set<Query.TextField>
  ) -> [(first: Position, last: Position)] {
    let text = Self.folded(text)
    var found: [(first: Position, last: Position)] = []
    var start = 0
    while start + wanted.count <= text.count {
      guard text[start].scalar == wanted[0], isAt(start, text) else {
        start += 1
        continue
      }
      found.append((text[start].place, text[start + wanted.count - 1].place))
      start += wanted.count
    }
    return found
  }

  /// Whether the wanted text begins at an index.
  private func isAt<Position>(_ start: Int, _ text: [(scalar: Unicode.Scalar, place: Position)]) -> Bool {
    for index in wanted.indices where text[start + index].scalar != wanted[index] { return false }
    return true
  }

  /// Returns the code points in the form for comparison; consecutive spaces and line ends are one space.
  private static func folded<Position>(
    _ text: some Sequence<(scalar: Unicode.Scalar, place: Position)>
  ) -> [(scalar: Unicode.Scalar, place: Position)] {
    var result: [(scalar: Unicode.Scalar, place: Position)] = []
    // Letters repeat, and folding a letter costs more than finding it here.
    var known: [Unicode.Scalar: [Unicode.Scalar]] = [:]
    for (scalar, place) in text {
      switch scalar.value {
      case 0x41...0x5A: result.append((Unicode.Scalar(UInt8(scalar.value + 0x20)), place))
      case 0x21..<0x7F: result.append((scalar, place))
      case _ where scalar.properties.isWhitespace:
        if result.last?.scalar != " " { result.append((" ", place)) }
      case _:
        let letters = known[scalar] ?? Array(SearchText.folded(String(scalar)).unicodeScalars)
        known[scalar] = letters
        result += letters.map { ($0, place) }
      }
    }
    return result
  }
}
