import Foundation

/// The sentences of a Markdown page, without its code blocks, its tables and the parts that `Resources/write-tables`
/// writes.
struct PageSentences {
  private(set) var sentences: [String] = []
  /// The words of the paragraph or list item that is being read.
  private var words: [String] = []

  init(_ page: String) {
    var isCode = false
    var isGenerated = false
    for line in page.components(separatedBy: "\n") {
      let text = line.trimmingCharacters(in: .whitespaces)
      let isFence = text.hasPrefix("```")
      if isFence { isCode.toggle() }
      if text == "<!-- Resources/write-tables writes this -->" { isGenerated = true }
      if text == "<!-- end of the table -->" { isGenerated = false }
      // A heading, a row of a table and HTML end a paragraph too.
      let isOther = text.isEmpty || ["#", "|", "<"].contains(text.prefix(1))
      if isCode || isFence || isGenerated || isOther {
        endParagraph()
        continue
      }
      let item = text.trimmingPrefix(#/(-|\d+\.) +/#)
      if item.count < text.count { endParagraph() }
      words += item.split(separator: " ").map(String.init)
      // A backslash at the end of a line breaks it.
      if item.hasSuffix("\\") { endParagraph() }
    }
    endParagraph()
  }

  /// Splits the paragraph at the words that end with a mark.
  private mutating func endParagraph() {
    var sentence: [String] = []
    for word in words {
      sentence.append(word)
      let last = word.last { !")*\"'`”".contains($0) }
      if let last, ".!?".contains(last) {
        sentences.append(sentence.joined(separator: " "))
        sentence = []
      }
    }
    if !sentence.isEmpty { sentences.append(sentence.joined(separator: " ")) }
    words = []
  }

  /// Returns the words of a sentence in lower case, without marks and the targets of links.
  static func words(of sentence: String) -> [String] {
    sentence.replacing(#/\]\([^)]*\)/#, with: "").split(separator: " ").compactMap { word in
      let letters = word.lowercased().filter { $0.isLetter || $0.isNumber }
      return letters.isEmpty ? nil : letters
    }
  }
}
