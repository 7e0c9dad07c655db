import Foundation
import Messages
import Queries

/// Finds the matches of a search in shown text: the words that the index would find, ignoring case and accents, and the
/// matches of its regular expressions.
struct SearchMatcher {
  /// Words of the query that match text in this order.
  private struct Term {
    var words: [String]
    /// Whether the last word may continue.
    var isPrefix: Bool
    /// The only field that matches, or `nil` for all.
    var field: Query.TextField?
  }

  /// A word of the text in the form for comparison, with the positions of its first and last code point.
  private struct Word<Position> {
    var text: String
    var first: Position
    var last: Position
  }

  private var terms: [Term] = []
  private var patterns: [(pattern: RegularExpression, field: Query.TextField?)] = []

  /// - Returns: `nil` if the query has no condition that can match text.
  init?(_ query: InboxQuery) {
    guard let search = query.search,
      case .success(let meant) = Query.parse(search, query.isStrict ? .strict : .typing)
    else { return nil }
    for mark in meant.marks {
      switch mark.term {
      case .words(let exact, let isPrefix):
        let words = Self.words(in: exact.text)
        if !words.isEmpty { terms.append(Term(words: words, isPrefix: isPrefix, field: mark.field)) }
      case .pattern(let pattern): patterns.append((pattern, mark.field))
      }
    }
    if terms.isEmpty, patterns.isEmpty { return nil }
  }

  private static func words(in text: String) -> [String] {
    words(of: text.unicodeScalars.lazy.map { (scalar: $0, place: 0) }).map(\.text)
  }

  /// Returns the matches of the search's words and phrases, in the order of the text; they may overlap.
  ///
  /// - Parameters:
  ///   - text: the code points, each with its position; separate lines end with `\n`.
  ///   - fields: returns the fields of a position; conditions on other fields do not match there.
  func matches<Position>(
    in text: some Sequence<(scalar: Unicode.Scalar, place: Position)>,
    fields: (Position) -> Set<Query.TextField> = { _ in Set(Query.TextField.allCases) }
  ) -> [(first: Position, last: Position)] {
    let text = Array(text)
    let words = Self.words(of: text)
    let found = words.indices.flatMap { index in
      terms.compactMap { term -> (first: Position, last: Position)? in
        let end = index + term.words.count
        guard end <= words.count, isMatch(words[index..<end], term) else { return nil }
        let first = words[index].first
        if let field = term.field, !fields(first).contains(field) { return nil }
        return (first, words[end - 1].last)
      }
    }
    return patterns.isEmpty ? found : found + places(ofPatternsIn: text, fields)
  }

  private func isMatch<Position>(_ words: ArraySlice<Word<Position>>, _ term: Term) -> Bool {
    for (word, wanted) in zip(words.dropLast(), term.words) where word.text != wanted { return false }
    guard let last = words.last, let wanted = term.words.last else { return false }
    return term.isPrefix ? last.text.hasPrefix(wanted) : last.text == wanted
  }

  /// Returns the matches of the regular expressions.
  private func places<Position>(
    ofPatternsIn text: [(scalar: Unicode.Scalar, place: Position)],
    _ fields: (Position) -> Set<Query.TextField>
  ) -> [(first: Position, last: Position)] {
    var view = String.UnicodeScalarView()
    // The index of the code point to which each byte belongs.
    var indices: [Int] = []
    for (index, element) in text.enumerated() {
      view.append(element.scalar)
      for _ in 0..<UTF8.width(element.scalar) { indices.append(index) }
    }
    let string = String(view)
    return patterns.flatMap { pattern, field in
      pattern.places(in: string).compactMap { bytes in
        let first = text[indices[bytes.lowerBound]].place
        if let field, !fields(first).contains(field) { return nil }
        return (first, text[indices[bytes.upperBound - 1]].place)
      }
    }
  }

  private static func words<Position>(
    of text: some Sequence<(scalar: Unicode.Scalar, place: Position)>
  ) -> [Word<Position>] {
    var words: [Word<Position>] = []
    // Words repeat, and folding a word costs more than finding it here.
    var known: [String: String] = [:]
    var letters = String.UnicodeScalarView()
    var span: (first: Position, last: Position)?
    func end() {
      guard let (first, last) = span else { return }
      let word = String(letters)
      let folded = known[word] ?? SearchText.folded(word)
      known[word] = folded
      // An accent without its letter is not a word.
      if !folded.isEmpty { words.append(Word(text: folded, first: first, last: last)) }
      letters.removeAll(keepingCapacity: true)
      span = nil
    }
    var isAlone = false
    for (scalar, place) in text {
      let joins = isAlone && SearchText.isSoundMark(scalar)
      let standsAlone = SearchText.standsAlone(scalar)
      if standsAlone || isAlone, !joins { end() }
      isAlone = standsAlone || joins
      guard isAlone || isPartOfWord(scalar) else {
        end()
        continue
      }
      letters.append(scalar)
      span = (span?.first ?? place, place)
    }
    end()
    return words
  }

  private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case ..<0x80: false
    default: SearchText.isPartOfWord(scalar)
    }
  }
}
