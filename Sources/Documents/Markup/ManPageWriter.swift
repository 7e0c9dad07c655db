import Basics
import Screen

/// Writes a document as a page for man(1): man(7), with tables for tbl(1).
///
/// A heading of level 1 isn't written, since the page's own name is above it. An item of a list whose text has a line
/// break is written as a term and its description.
package struct ManPageWriter {
  private var lines: [String] = []
  private let links: [Link]

  /// The number of columns for text if the terminal has 80: man(1) leaves some free on both sides.
  private static let columns = 70

  /// Returns the document's blocks as source text for man(1), with a line end after each line.
  package static func text(of document: Document) -> String {
    var writer = ManPageWriter(links: document.links)
    writer.write(document.blocks)
    return writer.lines.map { $0 + "\n" }.joined()
  }

  private init(links: [Link]) { self.links = links }

  /// Escapes the text of a line: backslashes, hyphens, and a dot or a quote at its beginning.
  package static func escaped(_ text: String) -> String { line(characters(text)) }

  /// Escapes backslashes and hyphens.
  private static func characters(_ text: String) -> String {
    text.replacingBytes("\\", with: "\\e").replacingBytes("-", with: "\\-")
  }

  /// Escapes a dot or a quote at the beginning of a line.
  private static func line(_ text: String) -> String {
    text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
  }

  // MARK: Blocks

  private mutating func write(_ blocks: [Block]) {
    for block in blocks { write(block) }
  }

  private mutating func write(_ block: Block) {
    switch block.content {
    case .heading(1, _), .rule, .drawing: break
    case .heading(2, let words): lines.append(".SH \(Self.escaped(Self.plain(words).uppercased()))")
    case .heading(_, let words): lines.append(".SS \(Self.escaped(Self.plain(words)))")
    case .paragraph(let words): lines += [".PP"] + words.lines.map(text).separated(by: ".br")
    case .note(let words): lines += [".PP", Self.escaped(words.text)]
    case .preformatted(let words):
      lines += [".PP", ".RS 2", ".nf"] + words.lines.map { Self.escaped(Self.plain($0)) } + [".fi", ".RE"]
    case .quote(let blocks): indent(blocks)
    case .disclosure(let summary, let blocks):
      write(Block(.paragraph(summary)))
      indent(blocks)
    case .definitions(let definitions):
      for definition in definitions {
        lines += [".TP", definition.term.lines.map(text).joined(separator: " ")]
        write(definition.details)
      }
    case .list(let list): write(list)
    case .table(let table): write(table)
    }
  }

  private mutating func indent(_ blocks: [Block]) {
    lines.append(".RS 2")
    write(blocks)
    lines.append(".RE")
  }

  private mutating func write(_ list: List) {
    for (index, item) in list.items.enumerated() {
      var rest = item[...]
      if case .paragraph(let words)? = item.first?.content {
        rest = rest.dropFirst()
        let texts = words.lines.map(text)
        if texts.count > 1 {
          lines += [".TP", texts[0], texts.dropFirst().joined(separator: " ")]
        } else {
          lines += [mark(of: list.kind, at: index), texts.joined()]
        }
      } else {
        lines.append(mark(of: list.kind, at: index))
      }
      if !rest.isEmpty { indent(Array(rest)) }
    }
  }

  /// Returns the macro that begins an item.
  private func mark(of kind: List.Kind, at index: Int) -> String {
    switch kind {
    case .bullets: ".IP \\(bu 2"
    // Labels have no spaces.
    case .labels(let labels): ".IP \(Self.escaped(labels[index].text)) 4"
    }
  }

  private mutating func write(_ table: Table) {
    guard table.columnCount > 0 else { return }
    let layout = TableLayout(table, theme: .ascii, base: .plain, columns: Self.columns)
    // A table that needs no wrapping has the width of its content.
    let formats = (layout.widths() ?? []).map { "lw(\($0)n)" }
    lines += [".PP", ".TS", formats.joined(separator: " ") + "."]
    // The text of a header is strong.
    for row in (table.header.map { [$0] } ?? []) + table.rows {
      let cells = row.map { cell in
        cell.blocks.flatMap { block -> [String] in
          if case .paragraph(let words) = block.content { words.lines.map(text) } else { [] }
        }.joined(separator: " ")
      }
      lines.append(cells.map { "T{\n\($0)\nT}" }.joined(separator: "\t"))
    }
    lines.append(".TE")
  }

  // MARK: Text

  private static func plain(_ words: Inline) -> String { words.lines.map(plain).joined(separator: " ") }

  /// Returns the text of a line without the numbers of links.
  private static func plain(_ line: [Span]) -> String {
    line.filter { !$0.emphasis.contains(.linkNumber) }.map(\.text.text).joined()
  }

  /// Returns a line in which code and strong text are bold and stressed text is in italics. A link's URL follows its
  /// text.
  private func text(_ line: [Span]) -> String {
    var result = ""
    for (index, span) in line.enumerated() {
      if span.emphasis.contains(.linkNumber) {
        guard let number = span.link, links.indices.contains(number - 1) else { continue }
        let link = links[number - 1]
        let isShown = index > 0 && line[index - 1].text.text == link.url
        if !isShown { result += " (\(Self.escaped(link.url)))" }
        continue
      }
      let text = Self.characters(span.text.text)
      if span.emphasis.contains(.code) || span.emphasis.contains(.strong) {
        result += "\\fB\(text)\\fR"
      } else if span.emphasis.contains(.stressed) {
        result += "\\fI\(text)\\fR"
      } else {
        result += text
      }
    }
    return Self.line(result)
  }
}

extension [String] {
  /// Returns the strings with a line between each two of them.
  fileprivate func separated(by line: String) -> [String] {
    enumerated().flatMap { $0 == 0 ? [$1] : [line, $1] }
  }
}
