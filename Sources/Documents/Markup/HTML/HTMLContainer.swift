import Screen

/// An open element that contains blocks.
struct HTMLContainer {
  /// The role, or `nil` for the document itself.
  var role: HTMLRole.Container?
  var blocks: [Block] = []
  /// The items of a list, including empty ones, since they are numbered.
  var items: [Item] = []
  var numbering = ListNumbering()
  /// The `value` of an item of a list.
  var number: Int?
  var definitions: [Definition] = []
  /// A term that has no details yet, or the summary of a disclosure.
  var term: Inline?
  /// The rows of a table.
  var grid = HTMLGrid()
  /// The properties of a cell.
  var cell = HTMLGrid.Cell()
  /// The background of the blank line before the container.
  var gapBackground = Color.terminal

  /// An item of a list.
  struct Item {
    var blocks: [Block]
    var number: Int?

    var isBlank: Bool { blocks.allSatisfy { $0.isBlank && !$0.isPicture } }
  }

  var isList: Bool { role == .list || role == .numberedList }

  /// Starts a definition with a term, or with none if it is `nil`. An earlier term without details becomes a
  /// definition.
  mutating func startDefinition(_ newTerm: Inline?) {
    if let term { definitions.append(Definition(term: term, details: [])) }
    term = newTerm
  }

  /// Adds details to the term before them, or to the previous definition.
  mutating func finishDefinition(_ details: [Block]) {
    if let term {
      definitions.append(Definition(term: term, details: details))
      self.term = nil
    } else if definitions.isEmpty {
      definitions.append(Definition(term: Inline(), details: details))
    } else {
      definitions[definitions.count - 1].details += details
    }
  }

  /// Adds a span to the last block's text, or returns `false` if it has none.
  mutating func append(_ span: Span) -> Bool {
    guard let last = blocks.last else { return false }
    switch last.content {
    case .paragraph(var words):
      words.append(span)
      blocks[blocks.count - 1].content = .paragraph(words)
    case .heading(let level, var words):
      words.append(span)
      blocks[blocks.count - 1].content = .heading(level: level, words)
    case .preformatted, .quote, .list, .definitions, .disclosure, .table, .rule, .drawing, .note: return false
    }
    return true
  }

  /// The list without its empty items.
  private var list: List? {
    let kept = items.indices.filter { !items[$0].isBlank }
    guard !kept.isEmpty else { return nil }
    let blocks = kept.map { items[$0].blocks }
    guard role == .numberedList else { return List(.bullets, items: blocks) }
    let labels = numbering.labels(items.map(\.number))
    return List(.labels(kept.map { labels[$0] }), items: blocks)
  }

  /// Returns the container as blocks for its parent: for example, a list as one block, which has no blank
  /// lines around it inside another item.
  mutating func finished(in parent: HTMLRole.Container?) -> [Block] {
    let isNested = parent == .item || parent == .details
    switch role {
    case .quote: return blocks.isEmpty ? [] : [Block(.quote(blocks))]
    case .list, .numberedList:
      if !blocks.isEmpty { items.append(Item(blocks: blocks)) }
      guard let list = list else { return [] }
      return [Block(.list(list), isSpaced: !isNested)]
    case .item:
      return blocks.isEmpty ? [] : [Block(.list(List(.bullets, items: [blocks])), isSpaced: false)]
    case .definitions:
      startDefinition(nil)
      return (definitions.isEmpty ? [] : [Block(.definitions(definitions), isSpaced: !isNested)]) + blocks
    case .disclosure: return [Block(.disclosure(summary: term ?? Inline("Details", .strong), blocks))]
    case .table: return blocks + grid.blocks()
    case .details, .headerCell, .cell, nil: return blocks
    }
  }
}
