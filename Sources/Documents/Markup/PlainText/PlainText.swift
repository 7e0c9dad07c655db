import Basics
import Screen

/// Reads the lines of plain text as blocks.
struct PlainText {
  private(set) var links: LinkCollector
  /// Whether the line `-- ` before a signature was read.
  private var isSignature = false

  init(own: String?) { links = LinkCollector(base: nil, own: own) }

  /// A line without the `>` of quotes before it.
  private struct Line {
    var text: SafeText
    /// The number of `>` before the text.
    var depth: Int
  }

  /// Returns the paragraphs and quotes of the text.
  mutating func blocks(_ source: Substring) -> [Block] {
    let lines = SafeText.lines(untrusted: String(source)).map(PlainText.line)
    return blocks(lines[...], depth: 0)
  }

  /// Counts and removes the `>` before a line.
  private static func line(_ text: SafeText) -> Line {
    var rest = text.text[...]
    var depth = 0
    // A quote's mark is at the start of the line, with only spaces between marks: `a > b` isn't a quote.
    while depth < Limits.nesting, let mark = rest.utf8.first, mark == UInt8(ascii: ">") {
      depth += 1
      rest = rest.dropFirst()
      let inner = rest.drop { $0 == " " }
      if inner.utf8.first == UInt8(ascii: ">") { rest = inner }
    }
    if depth == 0 { return Line(text: text, depth: 0) }
    if rest.utf8.first == 0x20 { rest = rest.dropFirst() }
    return Line(text: SafeText(untrusted: String(rest)), depth: depth)
  }

  /// Returns the paragraphs and quotes of lines inside this many quotes.
  private mutating func blocks(_ lines: ArraySlice<Line>, depth: Int) -> [Block] {
    var blocks: [Block] = []
    var index = lines.startIndex
    while index < lines.endIndex {
      let start = index
      let isQuote = lines[index].depth > depth
      while index < lines.endIndex, (lines[index].depth > depth) == isQuote { index += 1 }
      if isQuote {
        blocks.append(Block(.quote(self.blocks(lines[start..<index], depth: depth + 1)), isSpaced: false))
      } else {
        blocks.append(Block(.paragraph(words(lines[start..<index], depth: depth)), isSpaced: false))
      }
    }
    return blocks
  }

  /// Returns lines as text with numbered links.
  private mutating func words(_ lines: ArraySlice<Line>, depth: Int) -> Inline {
    var words = Inline()
    for line in lines {
      if depth == 0, line.text.text == "-- " { isSignature = true }
      words.lines.append(
        line.text.isEmpty ? [] : links.spans(of: line.text.text, isSignature && depth == 0 ? .faint : []))
    }
    return words
  }
}
