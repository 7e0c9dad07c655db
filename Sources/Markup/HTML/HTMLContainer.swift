import Screen

/// An element that owns blocks, while it is open.
struct HTMLContainer {
  /// Nil for the document itself.
  var role: HTMLRole.Container?
  var blocks: [Block] = []
  var items: [[Block]] = []
  var firstNumber = 1
  var definitions: [Definition] = []
  /// A term without its details yet, or a disclosure's summary.
  var term: Inline?
  var grid = HTMLGrid()
  var cell = HTMLGrid.Cell()
  /// Behind the blank line before it.
  var gapBackground = Color.terminal

  var isList: Bool { role == .list || role == .numberedList }

  /// A term ends the definition before it.
  mutating func startDefinition(_ newTerm: Inline?) {
    if let term { definitions.append(Definition(term: term, details: [])) }
    term = newTerm
  }

  /// Details belong to the term before them, or go on with the definition before them.
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

  /// Puts a mark behind the words of the last block, where it has words.
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

  /// The blocks that it is worth, inside a parent of that role.
  mutating func finished(in parent: HTMLRole.Container?) -> [Block] {
    let isNested = parent == .item || parent == .details
    switch role {
    case .quote: return blocks.isEmpty ? [] : [Block(.quote(blocks))]
    case .list, .numberedList:
      if !blocks.isEmpty { items.append(blocks) }
      let kind: List.Kind = role == .list ? .bullets : .numbers(from: firstNumber)
      return items.isEmpty ? [] : [Block(.list(List(kind, items: items)), isSpaced: !isNested)]
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
