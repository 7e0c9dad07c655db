import Screen

/// A cell of a table, which can be laid out at different widths.
struct TableCellLayout {
  /// The content of the cell.
  private enum Content {
    /// Only text: its lines, not wrapped.
    case words([StyledText])
    case blocks([Block], Style)
  }

  private let content: Content
  /// The lines if the cell is as wide as necessary, up to the width of the whole table.
  let natural: [StyledText]
  let alignment: Alignment?
  let background: Color

  /// - Parameter columns: the width of the whole table.
  init(_ cell: Table.Cell, theme: MarkupTheme, base: Style, columns: Int) {
    alignment = cell.alignment
    background = cell.background
    var words: [StyledText]? = []
    for block in cell.blocks {
      if case .paragraph(let inline) = block.content {
        words? += inline.lines.map { BlockLayout.styled($0, theme: theme, base: base) }
      } else {
        words = nil
      }
    }
    if let words {
      content = .words(words)
      natural = words
    } else {
      content = .blocks(cell.blocks, base)
      natural = TableCellLayout.lines(cell.blocks, theme: theme, base: base, columns: columns)
    }
  }

  var isEmpty: Bool { natural.allSatisfy(\.isEmpty) }

  /// Returns the lines of the cell at a width.
  ///
  /// - Parameters:
  ///   - theme: the same theme as in `init`.
  ///   - heading: text before the first line, or above it if the cell contains more than text.
  func lines(columns: Int, theme: MarkupTheme, heading: StyledText = .empty) -> [StyledText] {
    switch content {
    case .words(let lines):
      let continuation = BlockLayout.continuation(theme)
      return lines.enumerated().flatMap { index, line in
        (index == 0 ? heading + line : line).wrapped(to: columns, continuation: continuation)
      }
    case .blocks(let blocks, let base):
      let above = heading.isEmpty ? [] : heading.withoutSpacesAtEnd.wrapped(to: columns)
      if natural.allSatisfy({ $0.columns <= columns }) { return above + natural }
      return above + TableCellLayout.lines(blocks, theme: theme, base: base, columns: columns)
    }
  }

  /// Returns the lines of a cell's blocks at a width.
  private static func lines(
    _ blocks: [Block], theme: MarkupTheme, base: Style, columns: Int
  ) -> [StyledText] {
    var layout = BlockLayout(width: columns, theme: theme, limit: .max, isCell: true)
    layout.write(blocks, base: base)
    layout.writer.trimEnd()
    return layout.writer.lines
  }
}
