/// A search as typed, parsed. Any text is valid.
///
/// Words must all occur; `"several words"` must occur together; `-word` must not occur. The last word matches what
/// begins with it, as long as no space or quote has ended it.
package struct SearchWords: Equatable {
  package struct Term: Equatable {
    /// As the index takes it: `SearchText.spread`, words apart by anything that is not a part of one.
    package var text: String
    package var isExcluded = false
    /// The term's last word may go on.
    package var isPrefix = false
  }

  package private(set) var terms: [Term] = []

  package init(_ typed: String) {
    var rest = Substring(typed)
    while let first = rest.first {
      if first.isWhitespace {
        rest.removeFirst()
        continue
      }
      let isExcluded = first == "-"
      if isExcluded { rest.removeFirst() }
      if rest.first == "\"" {
        rest.removeFirst()
        let phrase = rest.prefix { $0 != "\"" }
        rest = rest.dropFirst(phrase.count + 1)
        append(phrase, isExcluded: isExcluded, isPrefix: false)
      } else {
        let word = rest.prefix { !$0.isWhitespace && $0 != "\"" }
        rest = rest.dropFirst(word.count)
        append(word, isExcluded: isExcluded, isPrefix: rest.isEmpty && !isExcluded)
      }
    }
    // With nothing to look for, a leading minus is part of what is looked for.
    if terms.allSatisfy(\.isExcluded) {
      for index in terms.indices { terms[index].isExcluded = false }
    }
  }

  private mutating func append(_ text: Substring, isExcluded: Bool, isPrefix: Bool) {
    let spread = SearchText.spread(String(text))
    let words = Self.words(spread)
    guard let last = words.last else { return }
    // A separated character is complete, and too many words begin with one letter.
    let mayGoOn = isPrefix && last.unicodeScalars.count > 1
    terms.append(Term(text: words.joined(separator: " "), isExcluded: isExcluded, isPrefix: mayGoOn))
  }

  private static func words(_ text: String) -> [String] {
    text.unicodeScalars.split { !SearchText.isPartOfWord($0) }.map { String(String.UnicodeScalarView($0)) }
  }
}
