import Limits
import Screen

/// A table while it is read, and the decision what it is: data in columns, or a page's layout, whose
/// cells are read one after the other as screen readers do.
struct HTMLGrid {
  struct Cell {
    var blocks: [Block] = []
    var isHeader = false
    var alignment: Alignment?
    var background = Color.terminal
    var columns = 1
    var rows = 1
  }

  /// The author says that it is not a table of data.
  var isForLayout = false
  private var rows: [[Cell]] = []
  /// How many rows more a cell from above takes, by column.
  private var covered: [Int] = []

  mutating func startRow() {
    rows.append([])
    for column in covered.indices where covered[column] > 0 { covered[column] -= 1 }
  }

  /// - Parameter room: how many cells the tables of this text may still be filled up with; where none is left, cells
  ///   stand side by side as they are written.
  mutating func add(_ cell: Cell, room: inout Int) {
    if rows.isEmpty { startRow() }
    let last = rows.count - 1
    fillCovered(&room)
    let width = min(max(1, cell.columns), Limits.tableColumns)
    guard rows[last].count < Limits.tableColumns else {
      // Too wide to be looked at as a table; its words are kept.
      rows[last][rows[last].count - 1].blocks += cell.blocks
      return
    }
    for offset in 0..<width where rows[last].count < Limits.tableColumns {
      if offset > 0 {
        guard room > 0 else { return }
        room -= 1
      }
      let column = rows[last].count
      while covered.count <= column { covered.append(0) }
      covered[column] = min(max(1, cell.rows), Limits.tableRowSpan)
      rows[last].append(offset == 0 ? cell : Cell(isHeader: cell.isHeader))
    }
  }

  private mutating func fillCovered(_ room: inout Int) {
    let last = rows.count - 1
    while room > 0, rows[last].count < covered.count, covered[rows[last].count] > 0 {
      rows[last].append(Cell())
      room -= 1
    }
  }

  func blocks() -> [Block] {
    if !isForLayout, let table = table() { return [Block(.table(table))] }
    return rows.flatMap { row in row.flatMap(\.blocks) }
  }

  /// The table of data, if that is what it is: at least two columns and two rows (or headings), and
  /// nothing but words in its cells.
  private func table() -> Table? {
    var words: [[Inline]] = []
    for row in rows where row.contains(where: { !$0.blocks.isEmpty }) {
      var line: [Inline] = []
      for cell in row {
        guard let inline = cell.words else { return nil }
        line.append(inline)
      }
      words.append(line)
    }
    let kept = rows.filter { row in row.contains { !$0.blocks.isEmpty } }
    let count = words.map(\.count).max() ?? 0
    let columns = (0..<count).filter { column in
      words.contains { column < $0.count && !$0[column].isBlank }
    }
    let hasHeaders = kept.contains { $0.contains(where: \.isHeader) }
    guard columns.count >= 2, words.count >= 2 || hasHeaders else { return nil }
    let isHeader =
      kept.first.map { $0.allSatisfy { $0.isHeader || $0.blocks.isEmpty } && $0.contains(where: \.isHeader) }
      ?? false
    let picked = words.enumerated().map { index, line in
      columns.filter { $0 < line.count }.map { column in
        kept[index][column].isHeader ? line[column].adding(.strong) : line[column]
      }
    }
    let alignments = columns.map { column in
      kept.dropFirst(isHeader ? 1 : 0).lazy.compactMap { column < $0.count ? $0[column].alignment : nil }
        .first ?? .left
    }
    return Table(
      header: isHeader ? picked.first : nil, rows: Array(picked.dropFirst(isHeader ? 1 : 0)),
      alignments: alignments)
  }
}

extension HTMLGrid.Cell {
  /// The cell's words; nil where it holds more than words.
  fileprivate var words: Inline? {
    var lines: [[Span]] = []
    for block in blocks {
      switch block.content {
      case .paragraph(let inline): lines += inline.lines
      case .heading(_, let inline): lines += inline.adding(.strong).lines
      case .preformatted, .quote, .list, .definitions, .disclosure, .table, .rule, .drawing, .note: return nil
      }
    }
    var words = Inline(lines: lines)
    words.background = background
    return words
  }
}
