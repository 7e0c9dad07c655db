import Foundation

/// A search as typed, parsed. Any text is valid.
///
/// Words must all occur; `"several words"` must occur together; `-word` must not occur. The last word matches what
/// begins with it, as long as no space or quote has ended it.
struct SearchWords: Equatable {
  struct Term: Equatable {
    /// As the index takes it: `SearchText.spread`, words apart by anything that is not a part of one.
    var text: String
    var isExcluded = false
    /// The term's last word may go on.
    var isPrefix = false
  }

  private(set) var terms: [Term] = []

  init(_ typed: String) {
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

  /// The runs of letters, digits and marks, which is what the tokenizer sees as words.
  private static func words(_ text: String) -> [String] {
    text.unicodeScalars.split { !isPartOfWord($0) }.map { String(String.UnicodeScalarView($0)) }
  }

  private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber, .otherNumber, .privateUse, .nonspacingMark, .spacingMark, .enclosingMark:
      true
    default:
      false
    }
  }

  // MARK: - In FTS5's language

  /// The query, or nil if there is nothing to search for.
  ///
  /// - Parameter completions: the words of the index that begin with one, or nil where they are too many.
  func expression(completions: (String) throws -> [String]?) rethrows -> String? {
    let wanted = try terms.filter { !$0.isExcluded }.map { try Self.expression($0, completions) }
    if wanted.isEmpty { return nil }
    let unwanted = terms.filter(\.isExcluded).map { Self.quoted($0.text) }
    let positive = wanted.joined(separator: " AND ")
    return unwanted.isEmpty ? positive : "(\(positive)) NOT (\(unwanted.joined(separator: " OR ")))"
  }

  private static func expression(
    _ term: Term, _ completions: (String) throws -> [String]?
  ) rethrows -> String {
    guard term.isPrefix else { return quoted(term.text) }
    var words = term.text.split(separator: " ").map(String.init)
    let stem = words.removeLast()
    guard let ends = try completions(stem), !ends.isEmpty else { return quoted(term.text) + "*" }
    let phrases = ends.map { quoted((words + [$0]).joined(separator: " ")) }
    return "(\(phrases.joined(separator: " OR ")))"
  }

  /// Words hold no quotes and no NUL, for neither is part of one.
  private static func quoted(_ text: String) -> String { "\"\(text)\"" }
}
