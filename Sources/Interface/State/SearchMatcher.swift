import Foundation
import Messages

/// Finds what a search means in a text as it is shown: the words that the index would find, without regard to case and
/// accents.
struct SearchMatcher {
  private struct Term {
    var words: [String]
    /// The last word may go on.
    var isPrefix: Bool
  }

  private struct Word<Position> {
    var text: String
    var first: Position
    var last: Position
  }

  private let terms: [Term]

  /// - Returns: nil where nothing is searched for.
  init?(_ search: String?) {
    guard let search else { return nil }
    terms = SearchWords(search).terms.filter { !$0.isExcluded }.map { term in
      Term(words: term.text.split(separator: " ").map { Self.folded(String($0)) }, isPrefix: term.isPrefix)
    }
    if terms.isEmpty { return nil }
  }

  /// Where the search's words and phrases stand, in the order of the text; one match may overlap another.
  ///
  /// - Parameter text: its code points, each with its place.
  func matches<Position>(
    in text: some Sequence<(scalar: Unicode.Scalar, place: Position)>
  ) -> [(first: Position, last: Position)] {
    let words = Self.words(of: text)
    return words.indices.flatMap { index in
      terms.compactMap { term in
        let end = index + term.words.count
        guard end <= words.count, isMatch(words[index..<end], term) else { return nil }
        return (words[index].first, words[end - 1].last)
      }
    }
  }

  private func isMatch<Position>(_ words: ArraySlice<Word<Position>>, _ term: Term) -> Bool {
    for (word, wanted) in zip(words.dropLast(), term.words) where word.text != wanted { return false }
    guard let last = words.last, let wanted = term.words.last else { return false }
    return term.isPrefix ? last.text.hasPrefix(wanted) : last.text == wanted
  }

  private static func words<Position>(
    of text: some Sequence<(scalar: Unicode.Scalar, place: Position)>
  ) -> [Word<Position>] {
    var words: [Word<Position>] = []
    // Words come again and again, and folding one costs more than looking it up.
    var known: [String: String] = [:]
    var letters = String.UnicodeScalarView()
    var span: (first: Position, last: Position)?
    func end() {
      guard let (first, last) = span else { return }
      let word = String(letters)
      let folded = known[word] ?? folded(word)
      known[word] = folded
      words.append(Word(text: folded, first: first, last: last))
      letters.removeAll(keepingCapacity: true)
      span = nil
    }
    for (scalar, place) in text {
      let standsAlone = SearchText.standsAlone(scalar)
      guard standsAlone || isPartOfWord(scalar) else {
        end()
        continue
      }
      if standsAlone { end() }
      letters.append(scalar)
      span = (span?.first ?? place, place)
      if standsAlone { end() }
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

  private static func folded(_ word: String) -> String {
    if word.utf8.allSatisfy({ $0 < 0x80 }) { return word.lowercased() }
    return word.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
  }
}
