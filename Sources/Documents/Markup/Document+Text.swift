import Basics
import Screen

extension Document {
  /// The text without styles, wrapping and numbers of links. Each block is on its own lines, the items of lists have
  /// their marks, and the cells of a row are on one line. It is a message's body for searching, listing and JSON.
  package var text: String { TextWriter.text(of: blocks) }

  /// Returns the text of a message in HTML.
  ///
  /// - Parameters:
  ///   - html: the HTML, as `html(_:base:keepsPictures:)` reads it.
  ///   - base: the base of its relative links: links that can't be opened aren't shown.
  package static func text(ofHTML html: String, base: String?) -> String {
    if let line = SafeText(tidy: html) { return line.text }
    // These are the blocks of `html(_:base:own:keepsPictures:)`, without the numbers of links, which are not part of
    // the text.
    let builder = HTMLBuilder(base: base, numbersLinks: false)
    let notes = builder.read(html)
    return TextWriter.text(of: builder.blocks(notes: notes))
  }
}

extension SafeText {
  /// Creates the text of HTML that has no tags, references or white space to collapse, as in short messages. Returns
  /// `nil` for other HTML.
  fileprivate init?(tidy html: String) {
    guard html.utf8.count < Limits.markupBytes else { return nil }
    var wasSpace = true
    for byte in html.utf8 {
      if byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") || byte < 0x20 { return nil }
      if byte == 0x20, wasSpace { return nil }
      wasSpace = byte == 0x20
    }
    guard !wasSpace || html.isEmpty else { return nil }
    self.init(untrusted: html)
  }
}

/// Writes blocks as lines of plain text.
private struct TextWriter {
  private var text = ""
  /// The number of pending blank lines, which are written if a line follows.
  private var blanks = 0
  /// The beginning of the next lines: the indentation of lists.
  private var margin = ""
  /// The beginning of only the next line, instead of the margin: the mark of a list's item.
  private var mark: String?

  static func text(of blocks: [Block]) -> String {
    var writer = TextWriter()
    writer.write(blocks)
    return writer.text
  }

  private mutating func write(_ blocks: [Block]) {
    for block in blocks { write(block) }
  }

  private mutating func write(_ block: Block) {
    switch block.content {
    case .paragraph(let words), .heading(_, let words): write(words)
    case .preformatted(let words): write(words, keepsBlankLines: true)
    case .quote(let blocks): write(blocks)
    case .list(let list): write(list)
    case .definitions(let definitions):
      for definition in definitions {
        write(definition.term)
        write(definition.details)
      }
    case .disclosure(let summary, let blocks):
      write(summary)
      write(blocks)
    case .table(let table):
      for row in (table.header.map { [$0] } ?? []) + table.rows { write(row) }
    case .note(let text): add(text.text)
    case .rule, .drawing: break
    }
  }

  private mutating func write(_ words: Inline, keepsBlankLines: Bool = false) {
    for line in words.lines { add(Self.text(of: line), keepsBlankLine: keepsBlankLines) }
  }

  private mutating func write(_ list: List) {
    let marks =
      switch list.kind {
      case .bullets: list.items.map { _ in "-" }
      case .labels(let labels): labels.map(\.text)
      }
    for (item, mark) in zip(list.items, marks) {
      let outer = margin
      self.mark = margin + mark + " "
      if margin.utf8.count < 16 { margin += "  " }
      write(item)
      margin = outer
      // This item contains only pictures.
      self.mark = nil
    }
  }

  private mutating func write(_ row: [Table.Cell]) {
    let cells = row.map { Self.text(of: $0.blocks) }
    let isSimple = cells.allSatisfy { !$0.contains("\n") }
    let texts = cells.filter { !$0.isEmpty }
    if isSimple {
      add(texts.joined(separator: " "))
    } else {
      texts.forEach {
        $0.split(onBytes: "\n", omittingEmptySubsequences: false).forEach { add(String($0)) }
      }
    }
  }

  /// Adds a line.
  ///
  /// - Parameter keepsBlankLine: whether every blank line is kept, as in code; elsewhere several become one.
  private mutating func add(_ line: String, keepsBlankLine: Bool = false) {
    if line.isEmpty {
      if !text.isEmpty, keepsBlankLine || blanks == 0 { blanks += 1 }
      return
    }
    if !text.isEmpty { text += String(repeating: "\n", count: blanks + 1) }
    blanks = 0
    text += mark ?? margin
    text += line
    mark = nil
  }

  /// Returns a line without the numbers of links. Deleted text keeps its marks, since they change the meaning.
  private static func text(of line: [Span]) -> String {
    var text = ""
    var isDeleted = false
    for span in line where !span.emphasis.contains(.linkNumber) {
      if span.emphasis.contains(.deleted) != isDeleted {
        text += "~"
        isDeleted.toggle()
      }
      text += span.text.text
    }
    if isDeleted { text += "~" }
    while let last = text.unicodeScalars.last, last == " " || last == "\u{A0}" {
      text.unicodeScalars.removeLast()
    }
    return text
  }
}
