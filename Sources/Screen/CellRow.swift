#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The cells of one row of a frame. Frames that follow each other share the rows that did not change, so a frame costs what is
/// new in it.
struct CellRow: Hashable, Sendable {
  private(set) var cells: [Cell]

  init(columns: Int, style: Style) { cells = Array(repeating: Cell(style: style), count: columns) }

  /// Where the cells are, as long as the row is not written to.
  var address: UnsafeRawPointer? { cells.withUnsafeBufferPointer { UnsafeRawPointer($0.baseAddress) } }

  /// Whether both are the same memory or have the same cells.
  func isSame(as other: CellRow) -> Bool {
    cells.withUnsafeBufferPointer { own in
      other.cells.withUnsafeBufferPointer { others in
        guard own.count == others.count else { return false }
        guard let first = own.baseAddress, let second = others.baseAddress, first != second else {
          return true
        }
        return memcmp(first, second, own.count * MemoryLayout<Cell>.stride) == 0
      }
    }
  }

  /// The columns between the first and the last cell that look different in another row of the same length; a wide
  /// character, old or new, is there with both of its halves.
  func changedColumns(from other: CellRow) -> Range<Int> {
    cells.withUnsafeBufferPointer { own in
      other.cells.withUnsafeBufferPointer { others in
        var (first, end) = (0, own.count)
        while first < end, own[first] == others[first] { first += 1 }
        while end > first, own[end - 1] == others[end - 1] { end -= 1 }
        guard first < end else { return first..<first }
        func isSecondHalf(_ column: Int) -> Bool {
          own[column].isContinuation || others[column].isContinuation
        }
        while first > 0, isSecondHalf(first) { first -= 1 }
        while end < own.count, isSecondHalf(end) { end += 1 }
        return first..<end
      }
    }
  }

  // MARK: - Writing

  /// - Parameters:
  ///   - first: the column of the text's beginning, which may be left of `left`.
  ///   - left, right: the columns between which it may write.
  /// - Returns: how many columns right of `first` the text reaches, at most up to `right`.
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
    // The cell that marks belong to: none once its base was cut off.
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
        put(Cell(base: scalar, width: UInt32(width), style: style), column)
        base = column
        if width == 2 { putContinuation(column + 1, style: style) }
      } else {
        for cut in max(column, left)..<max(left, min(column + width, right)) { put(Cell(style: style), cut) }
      }
      column += width
    }
    return min(column, right) - first
  }

  /// Overwriting half of a wide character leaves a space in its other half.
  mutating func put(_ cell: Cell, _ column: Int) {
    if cells[column].width != 1 { release(column) }
    cells[column] = cell
  }

  private mutating func putContinuation(_ column: Int, style: Style) {
    if cells[column].width == 2 { release(column) }
    cells[column] = .continuation(style: style)
  }

  private mutating func release(_ column: Int) {
    if cells[column].isContinuation {
      if column > 0 { cells[column - 1] = Cell(style: cells[column - 1].style) }
    } else if column + 1 < cells.count {
      cells[column + 1] = Cell(style: cells[column + 1].style)
    }
  }

  /// Spaces of that style.
  mutating func fill(_ columns: Range<Int>, style: Style) {
    guard let last = columns.last else { return }
    // Only at the edges is half of a wide character left.
    if cells[columns.lowerBound].isContinuation { release(columns.lowerBound) }
    if cells[last].width == 2 { release(last) }
    let space = Cell(style: style)
    if columns.count > cells.count / 2 {
      // A new row: if another frame has this one, it would be copied first.
      var filled: [Cell] = []
      filled.reserveCapacity(cells.count)
      filled.append(contentsOf: cells[..<columns.lowerBound])
      filled.append(contentsOf: repeatElement(space, count: columns.count))
      filled.append(contentsOf: cells[columns.upperBound...])
      cells = filled
    } else {
      for column in columns { cells[column] = space }
    }
  }

  /// The cells of those columns of another row of the same length; at the edges neither has half of a wide character.
  mutating func take(_ columns: Range<Int>, of other: CellRow) {
    let outside = [0..<columns.lowerBound, columns.upperBound..<cells.count]
    if outside.allSatisfy({ isSame(as: other, in: $0) }) {
      cells = other.cells
    } else {
      var taken = other.cells
      for columns in outside where !columns.isEmpty { taken[columns] = cells[columns] }
      cells = taken
    }
  }

  private func isSame(as other: CellRow, in columns: Range<Int>) -> Bool {
    cells.withUnsafeBufferPointer { own in
      other.cells.withUnsafeBufferPointer { others in
        guard let first = own.baseAddress, let second = others.baseAddress else { return true }
        let start = columns.lowerBound
        return memcmp(first + start, second + start, columns.count * MemoryLayout<Cell>.stride) == 0
      }
    }
  }

  /// Neighbours mostly have one style, so the change is asked for once for them.
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
