import Basics
import Screen

/// Lays a table out in columns, wrapped if necessary. If it does not fit, each row becomes lines of `heading: value`.
struct TableLayout {
  private let table: Table
  private let theme: MarkupTheme
  private let base: Style
  /// The width for the table.
  private let columns: Int
  /// The cells by row (the header first, if there is one) and column.
  private let cells: [[TableCellLayout]]
  /// The number of the table's columns.
  private let count: Int

  /// The minimum width of a column, unless its text is narrower.
  private static let narrowest = 8
  /// The width of the separator between two columns.
  private static let gap = 3

  /// - Parameter columns: the width for the table.
  init(_ table: Table, theme: MarkupTheme, base: Style, columns: Int) {
    self.table = table
    self.theme = theme
    self.base = base
    self.columns = columns
    count = table.columnCount
    func laidOut(_ row: [Table.Cell], _ base: Style) -> [TableCellLayout] {
      row.map { TableCellLayout($0, theme: theme, base: base, columns: columns) }
    }
    let header = table.header.map { [laidOut($0, theme.tableHeader.over(base))] } ?? []
    cells = header + table.rows.map { laidOut($0, base) }
  }

  /// Returns the lines of the table.
  ///
  /// - Parameter limit: the number of lines needed. The row that reaches it is the last one, unless it ends in an empty
  ///   line.
  func lines(upTo limit: Int) -> [StyledText] {
    guard count > 0 else { return [] }
    guard theme.marks.quote == nil, let widths = widths() else { return stacked(upTo: limit) }
    var lines: [StyledText] = []
    for (index, row) in cells.enumerated() where !isEnough(lines, limit) {
      lines += self.row(row, widths: widths)
      if index == 0, table.header != nil { lines.append(rule(widths)) }
    }
    return lines
  }

  /// Whether there are enough lines, in the same way as `LineWriter.isFull`. A wide character alone in one column is
  /// cut off, and leaves an empty line.
  private func isEnough(_ lines: [StyledText], _ limit: Int) -> Bool {
    lines.count >= limit && lines.last?.prefix(columns: columns).isEmpty != true
  }

  /// Returns the width of each column, or `nil` if even the longest words do not fit next to each other.
  func widths() -> [Int]? {
    var natural = Array(repeating: 1, count: count)
    var least = Array(repeating: 1, count: count)
    for row in cells {
      for (column, cell) in row.enumerated() {
        for line in cell.natural {
          natural[column] = max(natural[column], line.columns)
          least[column] = max(least[column], TableLayout.longestWord(line))
        }
      }
    }
    let room = columns - Self.gap * (count - 1)
    if natural.reduce(0, +) <= room { return natural }
    // Long words may be cut, but a column must not become very narrow.
    let share = max(Self.narrowest, room / count)
    for column in least.indices { least[column] = min(least[column], share) }
    var widths = least
    var left = room - widths.reduce(0, +)
    guard left >= 0 else { return nil }
    // The remaining width is given to the columns that lack most, up to their natural width.
    while left > 0 {
      let lacking = widths.indices.filter { widths[$0] < natural[$0] }
      guard !lacking.isEmpty else { break }
      let piece = max(1, left / lacking.count)
      for column in lacking where left > 0 {
        let more = min(piece, natural[column] - widths[column], left)
        widths[column] += more
        left -= more
      }
    }
    return widths
  }

  /// Returns the width of the longest word in a line.
  private static func longestWord(_ line: StyledText) -> Int {
    let words = line.plain.split(onBytes: " ")
    guard words.count > 1 else { return line.columns }
    return words.lazy.map { SafeText(untrusted: String($0)).columns }.max() ?? 0
  }

  /// Returns the lines of a row, with the cells next to each other.
  private func row(_ row: [TableCellLayout], widths: [Int]) -> [StyledText] {
    let wrapped = row.enumerated().map { column, cell in cell.lines(columns: widths[column], theme: theme) }
    let height = max(1, wrapped.lazy.map(\.count).max() ?? 1)
    func background(_ column: Int) -> Color { column < row.count ? row[column].background : .terminal }
    return (0..<height).map { line in
      var result = StyledText()
      for column in 0..<count {
        let text = column < wrapped.count && line < wrapped[column].count ? wrapped[column][line] : .empty
        let fill = background(column)
        let spare = widths[column] - text.columns
        let before = offset(spare, column, column < row.count ? row[column].alignment : nil)
        result.append(.spaces(before), style: Style(background: fill))
        result += text
        result.append(.spaces(spare - before), style: Style(background: fill))
        if column < count - 1 {
          let isOne = fill != .terminal && fill == background(column + 1)
          let style = isOne ? theme.tableLine.over(Style(background: fill)).legible : theme.tableLine
          result.append(" " + theme.marks.column + " ", style: style)
        }
      }
      return background(count - 1) == .terminal ? result.withoutSpacesAtEnd : result
    }
  }

  /// Returns the number of spaces before a cell's text, given the number of free columns in the cell.
  ///
  /// - Parameter own: the alignment of the cell, or `nil` for that of its column.
  private func offset(_ spare: Int, _ column: Int, _ own: Alignment?) -> Int {
    let alignment = own ?? (column < table.alignments.count ? table.alignments[column] : .left)
    return switch alignment {
    case .left: 0
    case .center: max(0, spare / 2)
    case .right: max(0, spare)
    }
  }

  /// Returns the line below the header.
  private func rule(_ widths: [Int]) -> StyledText {
    let line = theme.marks.line
    let parts = widths.map { SafeText(line, count: $0) }
    let joint = line + theme.marks.crossing + line
    return StyledText(parts.dropFirst().reduce(parts[0]) { $0 + joint + $1 }, style: theme.tableLine)
  }

  /// Returns each cell on its own lines, after the heading of its column. A short rule separates the rows; it is empty
  /// in the theme for screen readers.
  private func stacked(upTo limit: Int) -> [StyledText] {
    let header = table.header == nil ? [] : cells[0]
    var lines: [StyledText] = []
    for row in cells.dropFirst(table.header == nil ? 0 : 1)
    where !isEnough(lines, limit) {
      if !lines.isEmpty {
        lines.append(StyledText(SafeText(theme.marks.line, count: min(columns, 8)), style: theme.tableLine))
      }
      for (column, cell) in row.enumerated() where !cell.isEmpty {
        var text = StyledText()
        if column < header.count, let name = header[column].natural.first, !name.isEmpty {
          text = name
          text.append(": ", style: theme.tableHeader.over(base))
        }
        lines += cell.lines(columns: columns, theme: theme, heading: text)
      }
    }
    return lines
  }
}
