import Basics
import Screen

/// A table while it is read.
///
/// It decides whether the table contains data in columns, or is the layout of a page, whose cells are shown one after
/// another as screen readers do.
struct HTMLGrid {
  /// A cell while the table is read.
  struct Cell {
    var blocks: [Block] = []
    var isHeader = false
    var alignment: Alignment?
    var background = Color.terminal
    /// The numbers of columns and rows that the cell spans.
    var columns = 1
    var rows = 1
  }

  /// Whether the attribute `role` marks the table as layout.
  var isForLayout = false
  private var rows: [[Cell]] = []
  /// The alignments of the open row, of the whole table and of its columns, or `nil` if not given.
  private var rowAlignment: Alignment?
  var alignment: Alignment?
  private var columnAlignments: [Alignment?] = []
  /// The number of further rows that a cell above spans, by column.
  private var covered: [Int] = []

  /// Begins a row.
  mutating func startRow(_ alignment: Alignment? = nil) {
    rows.append([])
    rowAlignment = alignment
    for column in covered.indices where covered[column] > 0 { covered[column] -= 1 }
  }

  /// Applies the alignment of a `<col>` to the next `count` columns.
  mutating func addColumns(_ count: Int, _ alignment: Alignment?) {
    let room = Limits.tableColumns - columnAlignments.count
    columnAlignments += Array(repeating: alignment, count: min(max(1, count), max(0, room)))
  }

  /// Adds a cell to the open row.
  ///
  /// - Parameter room: the number of further cells that may be added for column and row spans in this text. At 0, spans
  ///   are ignored.
  mutating func add(_ cell: Cell, room: inout Int) {
    if rows.isEmpty { startRow() }
    let last = rows.count - 1
    fillCovered(&room)
    var cell = cell
    cell.alignment = cell.alignment ?? rowAlignment
    let width = min(max(1, cell.columns), Limits.tableColumns)
    guard rows[last].count < Limits.tableColumns else {
      // The row is too wide for a table; its text is kept.
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

  /// Adds empty cells for the columns that a cell above spans.
  private mutating func fillCovered(_ room: inout Int) {
    let last = rows.count - 1
    while room > 0, rows[last].count < covered.count, covered[rows[last].count] > 0 {
      rows[last].append(Cell())
      room -= 1
    }
  }

  /// Returns the table as a block of code, as a table of data, or as the blocks of its cells.
  func blocks() -> [Block] {
    if let code = CodeTable.code(of: rows.filter { !$0.isEmpty }) { return code }
    if !isForLayout, let table = table() { return [Block(.table(table))] }
    return rows.flatMap { row in row.flatMap(\.blocks) }
  }

  /// Returns the table if it contains data: at least two columns, two rows or headings, and only simple blocks in its
  /// cells. Otherwise returns `nil`.
  private func table() -> Table? {
    let kept = rows.filter { row in row.contains { !$0.blocks.isEmpty } }
    guard kept.allSatisfy({ $0.allSatisfy { $0.blocks.allSatisfy(HTMLGrid.fitsIntoCell) } }) else {
      return nil
    }
    let count = kept.map(\.count).max() ?? 0
    let columns = (0..<count).filter { column in
      kept.contains { row in column < row.count && !row[column].blocks.allSatisfy(\.isBlank) }
    }
    let hasHeaders = kept.contains { $0.contains(where: \.isHeader) }
    guard columns.count >= 2, kept.count >= 2 || hasHeaders else { return nil }
    let isHeader =
      kept.first.map { $0.allSatisfy { $0.isHeader || $0.blocks.isEmpty } && $0.contains(where: \.isHeader) }
      ?? false
    let picked = kept.map { row in
      columns.filter { $0 < row.count }.map { row[$0].finished }
    }
    let alignments = columns.map { column in
      if column < columnAlignments.count, let said = columnAlignments[column] { return said }
      return kept.dropFirst(isHeader ? 1 : 0).lazy
        .compactMap { column < $0.count ? $0[column].alignment : nil }.first ?? alignment ?? .left
    }
    return Table(
      header: isHeader ? picked.first : nil, rows: Array(picked.dropFirst(isHeader ? 1 : 0)),
      alignments: alignments)
  }

  /// Whether a block is text, a list or code. A table that contains a table is a page's layout.
  private static func fitsIntoCell(_ block: Block) -> Bool {
    switch block.content {
    case .paragraph, .heading, .preformatted: true
    case .list(let list): list.items.allSatisfy { $0.allSatisfy(isWithoutTable) }
    case .quote, .definitions, .disclosure, .table, .rule, .drawing, .note: false
    }
  }

  /// Whether a block contains no table and no picture.
  private static func isWithoutTable(_ block: Block) -> Bool {
    switch block.content {
    case .paragraph, .heading, .preformatted, .rule, .note: true
    case .list(let list): list.items.allSatisfy { $0.allSatisfy(isWithoutTable) }
    case .quote(let blocks), .disclosure(_, let blocks): blocks.allSatisfy(isWithoutTable)
    case .definitions(let definitions): definitions.allSatisfy { $0.details.allSatisfy(isWithoutTable) }
    case .table, .drawing: false
    }
  }
}

extension HTMLGrid.Cell {
  /// The cell as it is shown in a table of data: without blank lines, and with headings as strong text.
  fileprivate var finished: Table.Cell {
    var cell = Table.Cell()
    cell.alignment = alignment
    cell.background = background
    for block in blocks {
      var block = block
      block.isSpaced = false
      switch block.content {
      case .paragraph(let words): block.content = .paragraph(isHeader ? words.adding(.strong) : words)
      case .heading(_, let words): block.content = .paragraph(words.adding(.strong))
      case .preformatted, .quote, .list, .definitions, .disclosure, .table, .rule, .drawing, .note: break
      }
      cell.blocks.append(block)
    }
    return cell
  }
}
