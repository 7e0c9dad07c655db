import Basics
import Screen

extension Document {
  /// The document as Markdown (CommonMark with GitHub's tables), without a line end after the last line. Lines are not
  /// wrapped. Links that are not part of the text follow as a list.
  package var markdown: String {
    var writer = MarkdownWriter(links: links)
    var parts = [writer.text(of: blocks)]
    let others = links.filter { !writer.named.contains($0.number) }
    parts.append(
      others.map { "- " + writer.link(MarkdownWriter.escaped($0.label.text), $0) }.joined(separator: "\n"))
    return parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
  }
}

/// Writes blocks as Markdown.
private struct MarkdownWriter {
  private let links: [Int: Link]
  /// The numbers of the links that are part of the text.
  private(set) var named: Set<Int> = []

  init(links: [Link]) {
    self.links = Dictionary(links.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
  }

  mutating func text(of blocks: [Block]) -> String {
    var parts: [String] = []
    for block in blocks {
      let part = text(of: block)
      if !part.isEmpty { parts.append(part) }
    }
    return parts.joined(separator: "\n\n")
  }

  private mutating func text(of block: Block) -> String {
    switch block.content {
    case .paragraph(let words): return paragraphs(words)
    case .heading(let level, let words):
      return String(repeating: "#", count: min(max(1, level), 6)) + " " + line(words, breaks: " ")
    case .preformatted(let words): return code(words)
    case .quote(let blocks): return prefixed(text(of: blocks), first: "> ", rest: "> ")
    case .list(let list): return items(of: list)
    case .definitions(let definitions):
      var parts: [String] = []
      for definition in definitions {
        let details = text(of: definition.details)
        let term = line(definition.term.adding(.strong), breaks: " ")
        parts.append(
          prefixed([term, details].filter { !$0.isEmpty }.joined(separator: "\n\n"), first: "- ", rest: "  "))
      }
      return parts.joined(separator: "\n")
    case .disclosure(let summary, let blocks):
      let head = line(summary.adding(.strong), breaks: " ")
      return [head, text(of: blocks)].filter { !$0.isEmpty }.joined(separator: "\n\n")
    case .table(let table): return rows(of: table)
    case .rule: return "---"
    case .drawing(let lines): return fenced(lines.map(\.plain))
    case .note(let text): return Self.escaped(text.text)
    }
  }

  /// Returns text with a prefix before its first line, and another one before the rest.
  private func prefixed(_ text: String, first: String, rest: String) -> String {
    text.split(onBytes: "\n", omittingEmptySubsequences: false).enumerated().map { index, line in
      let mark = index == 0 ? first : rest
      if !line.isEmpty { return mark + line }
      return String(mark.reversed().drop { $0 == " " }.reversed())
    }.joined(separator: "\n")
  }

  private mutating func items(of list: List) -> String {
    var parts: [String] = []
    for (index, item) in list.items.enumerated() {
      var content = text(of: item)
      let mark: String
      switch list.kind {
      case .bullets: mark = "- "
      case .labels(let labels) where labels.indices.contains(index) && Self.isNumber(labels[index].text):
        mark = labels[index].text + " "
      case .labels(let labels):
        mark = "- "
        if labels.indices.contains(index) { content = Self.escaped(labels[index].text) + " " + content }
      }
      parts.append(prefixed(content, first: mark, rest: String(repeating: " ", count: mark.count)))
    }
    return parts.joined(separator: "\n")
  }

  /// Whether a list's label is also a list marker in Markdown.
  private static func isNumber(_ label: String) -> Bool {
    guard let last = label.last, last == "." || last == ")" else { return false }
    return (2...10).contains(label.count) && label.dropLast().allSatisfy { $0.isASCII && $0.isNumber }
  }

  // MARK: Code

  private func code(_ words: Inline) -> String {
    fenced(
      words.lines.map { line in
        line.lazy.filter { !$0.emphasis.contains(.linkNumber) }.map(\.text.text).joined()
      })
  }

  /// Returns lines of code between fences.
  private func fenced(_ lines: [String]) -> String {
    let fence = String(repeating: "`", count: max(3, (lines.map(Self.longestRun).max() ?? 0) + 1))
    return ([fence] + lines + [fence]).joined(separator: "\n")
  }

  /// Returns the length of the longest run of backticks.
  private static func longestRun(_ text: String) -> Int {
    var (longest, run) = (0, 0)
    for byte in text.utf8 {
      run = byte == UInt8(ascii: "`") ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }

  // MARK: Tables

  private mutating func rows(of table: Table) -> String {
    let count = table.columnCount
    guard count > 0 else { return "" }
    var lines = [row((table.header ?? []).map(Self.head), count)]
    let rules = (0..<count).map { column in
      switch column < table.alignments.count ? table.alignments[column] : .left {
      case .left: "---"
      case .center: ":---:"
      case .right: "---:"
      }
    }
    lines.append("| " + rules.joined(separator: " | ") + " |")
    for cells in table.rows { lines.append(row(cells, count)) }
    return lines.joined(separator: "\n")
  }

  /// Returns a cell of the header without strong emphasis, which a table's head always has.
  private static func head(_ cell: Table.Cell) -> Table.Cell {
    var cell = cell
    for index in cell.blocks.indices {
      guard case .paragraph(var words) = cell.blocks[index].content else { continue }
      for line in words.lines.indices {
        for span in words.lines[line].indices { words.lines[line][span].emphasis.subtract(.strong) }
      }
      cell.blocks[index].content = .paragraph(words)
    }
    return cell
  }

  /// Returns a row of a table with this many cells.
  private mutating func row(_ cells: [Table.Cell], _ count: Int) -> String {
    var texts: [String] = []
    for column in 0..<count {
      let text = column < cells.count ? text(of: cells[column].blocks) : ""
      let lines = text.replacingBytes("|", with: "\\|").split(onBytes: "\n").map { $0.drop { $0 == " " } }
      texts.append(lines.joined(separator: "<br>"))
    }
    return "| " + texts.joined(separator: " | ") + " |"
  }

  // MARK: Text

  /// Returns text with blank lines between its paragraphs.
  private mutating func paragraphs(_ words: Inline) -> String {
    var parts: [String] = []
    for group in words.lines.split(whereSeparator: { $0.allSatisfy(\.isBlank) }) {
      parts.append(line(Inline(lines: Array(group)), breaks: "  \n"))
    }
    return parts.joined(separator: "\n\n")
  }

  /// Returns text with `breaks` in place of its hard line breaks.
  private mutating func line(_ words: Inline, breaks: String) -> String {
    var lines: [String] = []
    for spans in words.lines {
      let text = text(of: spans)
      lines.append(Self.escapedStart(text))
    }
    return lines.joined(separator: breaks)
  }

  private mutating func text(of spans: [Span]) -> String {
    var text = ""
    var index = spans.startIndex
    while index < spans.endIndex {
      let number = spans[index].link
      var words = ""
      var plain = ""
      while index < spans.endIndex, spans[index].link == number {
        if !spans[index].emphasis.contains(.linkNumber) {
          words += Self.marked(spans[index])
          plain += spans[index].text.text
        }
        index += 1
      }
      guard let number, let link = links[number] else {
        text += words
        continue
      }
      named.insert(number)
      text += plain == link.url ? "<\(link.url)>" : self.link(words, link)
    }
    return text
  }

  /// Returns a link with this text.
  func link(_ words: String, _ link: Link) -> String {
    if words.allSatisfy({ $0 == " " }) { return "<\(link.url)>" }
    let isPlain = !link.url.utf8.contains { $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: ")") }
    let address = isPlain ? link.url : "<\(link.url)>"
    // Spaces at the ends stay outside the link.
    let start = words.prefix { $0 == " " }
    let end = String(words.reversed().prefix { $0 == " " })
    let inner = words.dropFirst(start.count).dropLast(end.count)
    return "\(start)[\(inner)](\(address))\(end)"
  }

  /// Returns the text of a span with the marks of its emphasis. Spaces stay outside: next to a space, marks do not open
  /// or close emphasis.
  private static func marked(_ span: Span) -> String {
    let text = span.text.text
    let start = text.prefix { $0 == " " }
    guard start.count < text.count else { return text }
    let end = String(text.reversed().prefix { $0 == " " })
    let inner = String(text.dropFirst(start.count).dropLast(end.count))
    if span.emphasis.contains(.code) {
      let mark = String(repeating: "`", count: longestRun(inner) + 1)
      let space = inner.hasPrefix("`") || inner.hasSuffix("`") ? " " : ""
      return start + mark + space + inner + space + mark + end
    }
    var marks = ""
    if span.emphasis.contains(.deleted) { marks += "~~" }
    if span.emphasis.contains(.strong) { marks += "**" }
    if span.emphasis.contains(.stressed) { marks += "*" }
    return start + marks + escaped(inner) + String(marks.reversed()) + end
  }

  // MARK: Escapes

  /// Escapes the characters that would have a meaning in Markdown. Others stay readable.
  static func escaped(_ text: String) -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count + 8)
    let scalars = Array(text.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      let before = index > 0 ? scalars[index - 1] : " "
      let after = index + 1 < scalars.count ? scalars[index + 1] : " "
      switch scalar {
      case "\\", "`", "*", "[", "]", "<": result += "\\"
      case "_" where !(isWord(before) && isWord(after)): result += "\\"
      case "~" where before == "~" || after == "~": result += "\\"
      case "&" where isWord(after) || after == "#": result += "\\"
      case _: break
      }
      result.unicodeScalars.append(scalar)
    }
    return result
  }

  /// Whether a character is a letter or a digit.
  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }

  /// Escapes the beginning of a line that would make it a heading, an item, a quote, a rule or code.
  private static func escapedStart(_ text: String) -> String {
    let text = text.drop { $0 == " " }
    guard let first = text.first else { return "" }
    if "#>+-=|".contains(first) {
      // A minus before a digit is a number.
      if first == "-" || first == "+", let second = text.dropFirst().first, second != " ", second != first {
        return String(text)
      }
      return "\\" + text
    }
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let mark = text.dropFirst(digits.count).prefix(1)
    let behind = text.dropFirst(digits.count + 1).first
    guard !digits.isEmpty, digits.count < 10, mark == "." || mark == ")", behind == nil || behind == " "
    else {
      return String(text)
    }
    return digits + "\\" + text.dropFirst(digits.count)
  }
}
