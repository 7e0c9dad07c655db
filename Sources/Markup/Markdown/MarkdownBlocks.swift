import Limits
import Screen

/// Markdown's blocks: enough of CommonMark and GitHub's tables for what people and programs write in
/// notifications. Unlike CommonMark it leaves out raw HTML (its tags are dropped, its words stay).
struct MarkdownBlocks {
  private(set) var links = LinkCollector(base: nil)
  private var references: [String: String] = [:]

  mutating func blocks(_ source: Substring) -> [Block] {
    var lines: [Substring] = []
    // "\r\n" is one Character: lines are split by bytes.
    for line in source.utf8.split(separator: 0x0A, omittingEmptySubsequences: false) {
      var text = Substring(line)
      if text.utf8.last == 0x0D { text = Substring(text.utf8.dropLast()) }
      lines.append(text.utf8.contains(0x09) ? MarkdownBlocks.untabbed(text) : text)
    }
    return blocks(takeReferences(lines), depth: 0)
  }

  private static func untabbed(_ line: Substring) -> Substring {
    var text = ""
    var column = 0
    for scalar in line.unicodeScalars {
      let count = scalar == "\t" ? 4 - column % 4 : 1
      text.unicodeScalars.append(contentsOf: Array(repeating: scalar == "\t" ? " " : scalar, count: count))
      column += count
    }
    return text[...]
  }

  /// Takes `[label]: address` lines out, which may stand anywhere outside of code.
  private mutating func takeReferences(_ lines: [Substring]) -> [Substring] {
    guard lines.contains(where: { $0.contains("]:") }) else { return lines }
    var open: (mark: Character, length: Int, indent: Int)?
    return lines.filter { line in
      if let fence = open {
        if MarkdownLine.closes(line, fence) { open = nil }
        return true
      }
      open = MarkdownLine.fence(line)
      guard open == nil, MarkdownLine.indent(line) < 4 else { return true }
      let text = MarkdownLine.trimmed(line)
      guard text.hasPrefix("["), let end = text.firstRange(of: "]:") else { return true }
      let label = text[..<end.lowerBound].dropFirst()
      let address = MarkdownLine.trimmed(text[end.upperBound...]).split(separator: " ").first ?? ""
      guard !label.isEmpty, !label.contains("["), !label.contains("]"), !label.hasPrefix("^"),
        !address.isEmpty
      else { return true }
      let key = MarkdownInlines.label(label)
      let bare = address.hasPrefix("<") && address.hasSuffix(">") ? address.dropFirst().dropLast() : address
      if references[key] == nil { references[key] = String(bare) }
      return false
    }
  }

  private mutating func blocks(_ lines: [Substring], depth: Int) -> [Block] {
    var blocks: [Block] = []
    var index = 0
    while index < lines.count {
      let line = lines[index]
      if MarkdownLine.isBlank(line) {
        index += 1
      } else if MarkdownLine.indent(line) >= 4 {
        blocks.append(indentedCode(lines, &index))
      } else if let fence = MarkdownLine.fence(line) {
        blocks.append(fencedCode(lines, &index, fence))
      } else if let heading = MarkdownLine.heading(line) {
        index += 1
        blocks.append(Block(.heading(level: heading.level, words(heading.text))))
      } else if MarkdownLine.isRule(line) {
        index += 1
        blocks.append(Block(.rule))
      } else if depth < Limits.nesting, MarkdownLine.isQuote(line) {
        blocks.append(quote(lines, &index, depth))
      } else if depth < Limits.nesting, let mark = MarkdownLine.listMark(line) {
        blocks.append(list(lines, &index, mark, depth))
      } else if let table = table(lines, &index) {
        blocks.append(table)
      } else {
        blocks.append(paragraph(lines, &index))
      }
    }
    return blocks
  }

  private mutating func words(_ text: some StringProtocol) -> Inline {
    // Handed over and back, so that it is never copied.
    let links = self.links
    self.links = LinkCollector(base: nil)
    var inlines = MarkdownInlines(Array(text.utf8), references: references, links: links)
    let words = inlines.read()
    self.links = inlines.links
    return words
  }

  private func code(_ lines: [Substring]) -> Block {
    Block(.preformatted(Inline(lines: lines.map { $0.isEmpty ? [] : [Span(text: String($0), [])] })))
  }

  private func indentedCode(_ lines: [Substring], _ index: inout Int) -> Block {
    var code: [Substring] = []
    while index < lines.count, MarkdownLine.isBlank(lines[index]) || MarkdownLine.indent(lines[index]) >= 4 {
      code.append(lines[index].dropFirst(4))
      index += 1
    }
    while let last = code.last, MarkdownLine.isBlank(last) { code.removeLast() }
    return self.code(code)
  }

  private func fencedCode(
    _ lines: [Substring], _ index: inout Int, _ fence: (mark: Character, length: Int, indent: Int)
  ) -> Block {
    var code: [Substring] = []
    index += 1
    while index < lines.count, !MarkdownLine.closes(lines[index], fence) {
      code.append(lines[index].dropFirst(min(fence.indent, MarkdownLine.indent(lines[index]))))
      index += 1
    }
    index += 1
    return self.code(code)
  }

  private mutating func quote(_ lines: [Substring], _ index: inout Int, _ depth: Int) -> Block {
    var inner: [Substring] = []
    while index < lines.count {
      if MarkdownLine.isQuote(lines[index]) {
        inner.append(MarkdownLine.quoted(lines[index]))
      } else if let last = inner.last, !MarkdownLine.isBlank(last), !MarkdownLine.interrupts(lines[index]),
        MarkdownLine.fence(last) == nil
      {
        inner.append(lines[index])
      } else {
        break
      }
      index += 1
    }
    return Block(.quote(blocks(inner, depth: depth + 1)))
  }

  private mutating func list(
    _ lines: [Substring], _ index: inout Int, _ first: MarkdownLine.ListMark, _ depth: Int
  ) -> Block {
    var items: [[Block]] = []
    while index < lines.count, MarkdownLine.indent(lines[index]) < 4,
      let mark = MarkdownLine.listMark(lines[index]),
      mark.mark == first.mark
    {
      var inner = [lines[index].dropFirst(min(mark.indent, lines[index].utf8.count))]
      index += 1
      while index < lines.count {
        let line = lines[index]
        if MarkdownLine.isBlank(line) {
          // A blank line belongs to the item if what follows is indented like it.
          let next = lines[index...].firstIndex { !MarkdownLine.isBlank($0) }
          guard let next, MarkdownLine.indent(lines[next]) >= mark.indent else { break }
          inner += Array(repeating: "", count: next - index)
          index = next
        } else if MarkdownLine.indent(line) >= mark.indent {
          inner.append(line.dropFirst(mark.indent))
          index += 1
        } else if let last = inner.last, !MarkdownLine.isBlank(last), !MarkdownLine.interrupts(line),
          MarkdownLine.listMark(line) == nil
        {
          inner.append(line.drop { $0 == " " })
          index += 1
        } else {
          break
        }
      }
      items.append(item(inner, depth))
      let next = lines[index...].firstIndex { !MarkdownLine.isBlank($0) }
      if let next, MarkdownLine.listMark(lines[next])?.mark == first.mark { index = next }
    }
    let kind: List.Kind = first.number.map { .numbers(from: $0) } ?? .bullets
    return Block(.list(List(kind, items: items)), isSpaced: depth == 0)
  }

  /// An item's blocks: its first words stand right behind the mark, a list inside close below them.
  private mutating func item(_ lines: [Substring], _ depth: Int) -> [Block] {
    var blocks = blocks(lines, depth: depth + 1)
    for index in blocks.indices {
      if case .list = blocks[index].content { blocks[index].isSpaced = false }
    }
    if case .paragraph? = blocks.first?.content { blocks[0].isSpaced = false }
    return blocks
  }

  private mutating func table(_ lines: [Substring], _ index: inout Int) -> Block? {
    guard index + 1 < lines.count, lines[index].contains("|"),
      let alignments = MarkdownLine.alignments(lines[index + 1]),
      MarkdownLine.cells(lines[index]).count == alignments.count
    else { return nil }
    let header = cells(lines[index], alignments.count)
    index += 2
    var rows: [[Inline]] = []
    while index < lines.count, lines[index].contains("|"), !MarkdownLine.interrupts(lines[index]) {
      rows.append(cells(lines[index], alignments.count))
      index += 1
    }
    return Block(.table(Table(header: header, rows: rows, alignments: alignments)))
  }

  private mutating func cells(_ line: Substring, _ count: Int) -> [Inline] {
    MarkdownLine.cells(line).prefix(count).map { words(MarkdownLine.trimmed($0).replacing("\\|", with: "|")) }
  }

  private mutating func paragraph(_ lines: [Substring], _ index: inout Int) -> Block {
    var text: [Substring] = []
    repeat {
      text.append(lines[index].drop { $0 == " " })
      index += 1
      if index < lines.count, let level = MarkdownLine.underline(lines[index]) {
        index += 1
        return Block(.heading(level: level, words(text.joined(separator: "\n"))))
      }
    } while index < lines.count && !MarkdownLine.interrupts(lines[index])
    return Block(.paragraph(words(text.joined(separator: "\n"))))
  }
}
