/// A number of columns and rows; neither is negative, but either may be 0.
package struct Size: Hashable, Sendable {
  package var columns: Int
  package var rows: Int

  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  package static let zero = Size(columns: 0, rows: 0)

  package var isEmpty: Bool { columns <= 0 || rows <= 0 }
}

/// The position of a cell: column 0, row 0 is the upper left.
package struct Point: Hashable, Sendable {
  package var column: Int
  package var row: Int

  package init(column: Int, row: Int) {
    self.column = column
    self.row = row
  }

  package static let zero = Point(column: 0, row: 0)
}

/// A part of the screen. Its methods never return a negative size: a part that does not fit is empty.
package struct Rect: Hashable, Sendable {
  package var origin: Point
  package var size: Size

  package init(origin: Point, size: Size) {
    self.origin = origin
    self.size = Size(columns: max(0, size.columns), rows: max(0, size.rows))
  }

  package init(column: Int, row: Int, columns: Int, rows: Int) {
    self.init(origin: Point(column: column, row: row), size: Size(columns: columns, rows: rows))
  }

  /// Creates a rectangle of a whole screen.
  package init(_ size: Size) {
    self.init(origin: .zero, size: size)
  }

  package static let zero = Rect(column: 0, row: 0, columns: 0, rows: 0)

  package var isEmpty: Bool { size.isEmpty }
  package var columns: Range<Int> { origin.column..<origin.column + size.columns }
  package var rows: Range<Int> { origin.row..<origin.row + size.rows }

  package func contains(_ point: Point) -> Bool {
    columns.contains(point.column) && rows.contains(point.row)
  }

  /// Returns the part that both rectangles have in common; empty if they do not overlap.
  package func intersection(_ other: Rect) -> Rect {
    let columns = columns.clamped(to: other.columns)
    let rows = rows.clamped(to: other.rows)
    return Rect(
      column: columns.lowerBound, row: rows.lowerBound, columns: columns.count, rows: rows.count)
  }

  /// Returns the first `rows` rows, and the rest below them.
  package func splitTop(_ rows: Int) -> (top: Rect, rest: Rect) {
    let taken = min(max(0, rows), size.rows)
    return (
      Rect(origin: origin, size: Size(columns: size.columns, rows: taken)),
      Rect(
        column: origin.column, row: origin.row + taken, columns: size.columns, rows: size.rows - taken)
    )
  }

  /// Returns the last `rows` rows, and the rest above them.
  package func splitBottom(_ rows: Int) -> (rest: Rect, bottom: Rect) {
    let (top, bottom) = splitTop(size.rows - min(max(0, rows), size.rows))
    return (top, bottom)
  }

  /// Returns the first `columns` columns, and the rest to their right.
  package func splitLeft(_ columns: Int) -> (left: Rect, rest: Rect) {
    let taken = min(max(0, columns), size.columns)
    return (
      Rect(origin: origin, size: Size(columns: taken, rows: size.rows)),
      Rect(
        column: origin.column + taken, row: origin.row, columns: size.columns - taken, rows: size.rows)
    )
  }

  /// Returns the last `columns` columns, and the rest to their left.
  package func splitRight(_ columns: Int) -> (rest: Rect, right: Rect) {
    let (left, right) = splitLeft(size.columns - min(max(0, columns), size.columns))
    return (left, right)
  }

  /// Returns the rectangle without the margins.
  package func inset(left: Int = 0, top: Int = 0, right: Int = 0, bottom: Int = 0) -> Rect {
    splitTop(top).rest.splitBottom(bottom).rest.splitLeft(left).rest.splitRight(right).rest
  }

  /// Returns one row of the rectangle, counted from its top, or an empty one for a row outside.
  package func row(_ index: Int) -> Rect {
    guard index >= 0, index < size.rows else { return Rect(origin: origin, size: .zero) }
    return Rect(column: origin.column, row: origin.row + index, columns: size.columns, rows: 1)
  }
}
