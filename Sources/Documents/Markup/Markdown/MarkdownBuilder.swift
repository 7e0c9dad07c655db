import Basics
import Screen

/// Builds blocks from the elements of a Markdown text.
final class MarkdownBuilder {
  private struct Opened {
    var element: MarkdownElement
    /// Whether it contains blocks.
    var isContainer = false
  }

  /// A quote, a list or an item; the first one is the document.
  private struct Container {
    var isItem = false
    var blocks: [Block] = []
    var items: [[Block]] = []
  }

  private var opened: [Opened] = []
  private var containers = [Container()]
  /// Quotes and lists among the containers.
  private var depth = 0
  private var words: MarkdownWords
  /// The lines of the open code block.
  private var code: [UInt8]?
  /// The open table: tables cannot be nested.
  private var table: Table?
  private var row: [Table.Cell] = []
  private var isInHead = false

  static let cutNote = Block(.note("[Cut here: too much comes of the tables or addresses]"))

  /// - Parameter own: the address of the message itself.
  init(own: String? = nil) { words = MarkdownWords(own: own) }

  /// The result; open elements are closed.
  func document(notes: [Block]) -> Document {
    while !opened.isEmpty { close() }
    flush()
    return Document(blocks: containers[0].blocks + notes, links: words.links.links)
  }

  // MARK: Events

  func open(_ element: MarkdownElement) {
    var isContainer = false
    switch element {
    case .quote, .list:
      flush()
      // Deeper levels are shown at the last one.
      isContainer = depth < Limits.nesting
      if isContainer { depth += 1 }
    case .item:
      flush()
      isContainer = opened.last?.isContainer ?? false
    case .paragraph, .heading: flush()
    case .rule:
      flush()
      add(Block(.rule))
    case .code:
      flush()
      code = []
    case .table:
      flush()
      table = Table(header: nil, rows: [])
    case .tableHead: isInHead = true
    case .row: row = []
    case .emphasis(let emphasis): words.open(emphasis)
    case .link(let address): words.openLink(to: address)
    case .image(let address): words.openImage(of: address)
    case .cell, .transparent: break
    }
    opened.append(Opened(element: element, isContainer: isContainer))
    if isContainer {
      var container = Container()
      if case .item = element { container.isItem = true }
      containers.append(container)
    }
  }

  func close() {
    guard let element = opened.popLast() else { return }
    switch element.element {
    case .quote, .list, .item:
      flush()
      if element.isContainer { closeContainer(element.element) }
    case .paragraph:
      let container = containers[containers.count - 1]
      // An item's first text follows its mark directly.
      addParagraph(isSpaced: !container.isItem || !container.blocks.isEmpty)
    case .heading(let level):
      let words = words.finish()
      if !words.lines.isEmpty { add(Block(.heading(level: level, words))) }
    case .code: closeCode()
    case .table:
      if let table { add(Block(.table(table))) }
      table = nil
    case .tableHead: isInHead = false
    case .row: closeRow()
    case .cell(let alignment): closeCell(alignment)
    case .emphasis: words.closeEmphasis()
    case .link: words.closeLink()
    case .image: words.closeImage()
    case .rule, .transparent: break
    }
  }

  func text(_ bytes: [UInt8]) { words.append(bytes) }

  func breakLine() { words.breakLine() }

  func tag(_ bytes: [UInt8]) { words.tag(bytes) }

  /// Text of a code block or between backticks.
  func code(_ bytes: [UInt8]) {
    if code != nil {
      code?.append(contentsOf: bytes)
    } else if table != nil {
      // In GitHub's tables a bar ends a cell in code too, so authors write a backslash before it.
      words.append(Array(String(decoding: bytes, as: UTF8.self).replacing(exactly: "\\|", with: "|").utf8))
    } else {
      words.append(bytes)
    }
  }

  // MARK: Blocks

  private func add(_ block: Block) { containers[containers.count - 1].blocks.append(block) }

  private func addParagraph(isSpaced: Bool) {
    let words = words.finish()
    if !words.lines.isEmpty { add(Block(.paragraph(words), isSpaced: isSpaced)) }
  }

  /// Ends text without a paragraph: that of an item in a list without blank lines.
  private func flush() { addParagraph(isSpaced: false) }

  private func closeContainer(_ element: MarkdownElement) {
    guard containers.count > 1, let done = containers.popLast() else { return }
    switch element {
    case .item: containers[containers.count - 1].items.append(done.blocks)
    case .list(let kind):
      depth -= 1
      add(Block(.list(List(kind, items: done.items)), isSpaced: containers.count == 1))
    default:
      depth -= 1
      if !done.blocks.isEmpty { add(Block(.quote(done.blocks))) }
    }
  }

  private func closeCode() {
    let lines = (code ?? []).split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
    code = nil
    guard !lines.isEmpty else { return }
    let spans = lines.map { line in
      line.isEmpty ? [] : SafeText.lines(untrusted: String(decoding: line, as: UTF8.self)).map { Span($0) }
    }
    add(Block(.preformatted(Inline(lines: spans))))
  }

  private func closeRow() {
    guard !isInHead else {
      table?.header = row
      return
    }
    // md4c fills rows up to the table's width.
    while let last = row.last, last.blocks.isEmpty { row.removeLast() }
    table?.rows.append(row)
  }

  private func closeCell(_ alignment: Alignment) {
    let words = words.finish()
    guard row.count < Limits.tableColumns else {
      // Too wide for a table; its text is kept.
      row[row.count - 1].blocks += Table.Cell(words).blocks
      return
    }
    row.append(Table.Cell(words))
    if isInHead { table?.alignments.append(alignment) }
  }
}
