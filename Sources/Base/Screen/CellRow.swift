/// The cells of one row of a frame.
struct CellRow: Hashable, Sendable {
  private(set) var cells: [Cell]

  init(columns: Int, style: Style) { cells = Array(repeating: Cell(style: style), count: columns) }

  /// Returns the columns from the first to the last that differ in another row of the same length, or `nil` if there
  /// are none.
  func changedColumns(from other: CellRow) -> Range<Int>? {
    func isDifferent(_ column: Int) -> Bool { cells[column] != other.cells[column] }
    func isInside(_ column: Int) -> Bool {
      cells[column].isContinuation || other.cells[column].isContinuation
    }
    guard var first = cells.indices.first(where: isDifferent),
      let last = cells.indices.last(where: isDifferent)
    else { return nil }
    while first > 0, isInside(first) { first -= 1 }
    var end = last + 1
    while end < cells.count, isInside(end) { end += 1 }
    return first..<end
  }

  /// Writes text, clipped to the columns from `left` up to `right`.
  ///
  /// - Parameters:
  ///   - first: the column of the text's beginning, which may be left of `left`.
  ///   - left, right: the columns between which text is written.
  /// - Returns: the number of columns from `first` to the end of the text, or to `right` if the text ends
  ///   later.
  mutating func write(_ text: SafeText, at first: Int, left: Int, right: Int, style: Style) -> Int {
    guard text.isASCII else { return writeWide(text, at: first, left: left, right: right, style: style) }
    var column = first
    var cell = Cell(style: style)
    for byte in text.text.utf8 {
      guard column < right else { break }
      if column >= left {
        cell.show(ascii: byte)
        put(cell, column)
      }
      column += 1
    }
    return column - first
  }

  private mutating func writeWide(
    _ text: SafeText, at first: Int, left: Int, right: Int, style: Style
  ) -> Int {
    var column = first
    // The cell that marks belong to, or `nil` if its base was cut off.
    var base: Int?
    for scalar in text.text.unicodeScalars {
      let width = ColumnWidth.of(scalar) ?? 0
      if width == 0 {
        if let base { cells[base].add(mark: scalar) }
        continue
      }
      guard column < right else { break }
      base = nil
      if column >= left, column + width <= right {
        put(Cell(base: scalar, width: UInt8(width), style: style), column)
        base = column
        if width == 2 { putContinuation(column + 1, style: style) }
      } else {
        for cut in max(column, left)..<max(left, min(column + width, right)) { put(Cell(style: style), cut) }
      }
      column += width
    }
    return min(column, right) - first
  }

  /// Writes a cell. If it overwrites half of a wide character, the other half becomes a space.
  mutating func put(_ cell: Cell, _ column: Int) {
    if cells[column].width != 1 { release(column) }
    cells[column] = cell
  }

  private mutating func putContinuation(_ column: Int, style: Style) {
    if cells[column].width == 2 { release(column) }
    cells[column] = .continuation(style: style)
  }

  /// Replaces the other half of the wide character in a column by a space.
  private mutating func release(_ column: Int) {
    if cells[column].isContinuation {
      if column > 0 { cells[column - 1] = Cell(style: cells[column - 1].style) }
    } else if column + 1 < cells.count {
      cells[column + 1] = Cell(style: cells[column + 1].style)
    }
  }

  /// Fills columns with spaces of this style.
  mutating func fill(_ columns: Range<Int>, style: Style) {
    guard let last = columns.last else { return }
    // Half of a wide character can remain only at the edges.
    if cells[columns.lowerBound].isContinuation { release(columns.lowerBound) }
    if cells[last].width == 2 { release(last) }
    for column in columns { cells[column] = Cell(style: style) }
  }

  /// Changes the styles. Neighbouring cells usually have the same style, so `change` is called once for them.
  mutating func restyle(_ columns: Range<Int>, _ change: (Style) -> Style) {
    guard let first = columns.first else { return }
    var last = cells[first].style
    var changed = change(last)
    for column in columns {
      let style = cells[column].style
      if style != last {
        last = style
        changed = change(style)
      }
      if style != changed { cells[column].style = changed }
    }
  }
}
