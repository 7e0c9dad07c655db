import Screen

/// Recognises code in a table whose first column contains line numbers, as many publishing programs write it. The
/// numbers are not part of the code.
enum CodeTable {
  /// The classes of elements with line numbers inside code: of Hugo and Chroma, Rouge, Pygments, Hexo, highlight.js.
  static let lineNumberClasses: Set<Substring> = [
    "ln", "lnt", "lnlinks", "lineno", "linenos", "line-number", "linenumber", "gutter", "hljs-ln-numbers",
  ]

  /// Returns the code of a table that shows code with line numbers, or `nil` for other tables.
  static func code(of rows: [[HTMLGrid.Cell]]) -> [Block]? {
    var lines: [[Span]] = []
    var next: Int?
    for row in rows {
      guard row.count == 2, let numbers = numbers(in: row[0].blocks) else { return nil }
      for number in numbers {
        if let next, number != next { return nil }
        next = number + 1
      }
      guard let code = code(in: row[1].blocks) else { return nil }
      lines += code.isEmpty ? [[]] : code
    }
    return lines.isEmpty ? nil : [Block(.preformatted(Inline(lines: lines)))]
  }

  /// Returns the line numbers in a cell, or `nil` if it contains anything else.
  private static func numbers(in blocks: [Block]) -> [Int]? {
    var numbers: [Int] = []
    for block in blocks {
      let words: Inline
      switch block.content {
      case .paragraph(let text), .preformatted(let text): words = text
      default: return nil
      }
      for line in words.lines {
        for word in line.map(\.text.text).joined().split(whereSeparator: \.isWhitespace) {
          guard word.utf8.count <= 7, let number = Int(word) else { return nil }
          numbers.append(number)
        }
      }
    }
    return numbers.isEmpty ? nil : numbers
  }

  /// Returns the lines of code in a cell, or `nil` if it contains anything else.
  private static func code(in blocks: [Block]) -> [[Span]]? {
    var lines: [[Span]] = []
    for block in blocks {
      guard case .preformatted(let words) = block.content else { return nil }
      lines += words.lines
    }
    return lines
  }
}
