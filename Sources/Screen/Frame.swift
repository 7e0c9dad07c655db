import Limits

/// All that a terminal shows. Only safe text gets in; what is written outside its size is cut off.
package struct Frame: Hashable, Sendable {
  package let size: Size
  /// Row by row, `size.columns` cells each.
  package private(set) var cells: [Cell]
  /// The position of the terminal's cursor; hidden if nil.
  package var cursor: Point?
  /// Where the cursor stands while it is hidden: on what keys act on. Screen readers, the copy mode of tmux and input
  /// methods follow it. Nil leaves it anywhere.
  package var parkedCursor: Point?
  /// What is a link of the terminal too, by rows; none overlaps another.
  private var linkedCells: [Int: [LinkedCells]] = [:]
  private var linkBytes = 0
  /// What shows pictures, by rows; none overlaps another.
  private var graphicCells: [Int: [GraphicCells]] = [:]
  /// The terminal's title.
  package var title: SafeText = .empty

  package init(size: Size, style: Style = .plain) {
    self.size = Size(columns: max(0, size.columns), rows: max(0, size.rows))
    cells = Array(repeating: Cell(style: style), count: self.size.columns * self.size.rows)
  }

  package var bounds: Rect { Rect(size) }

  /// The cell at a place; a space outside the frame.
  package subscript(point: Point) -> Cell {
    guard bounds.contains(point) else { return Cell() }
    return cells[point.row * size.columns + point.column]
  }

  package subscript(column: Int, row: Int) -> Cell { self[Point(column: column, row: row)] }

  /// The cells of a row; none for a row outside.
  package func row(_ row: Int) -> ArraySlice<Cell> {
    guard row >= 0, row < size.rows else { return [] }
    return cells[row * size.columns..<(row + 1) * size.columns]
  }

  /// The rows that look different in the other frame: all of them where the sizes differ.
  package func changedRows(from other: Frame) -> [Int] {
    guard size == other.size else { return Array(0..<size.rows) }
    let columns = size.columns
    return cells.withUnsafeBufferPointer { own in
      other.cells.withUnsafeBufferPointer { others in
        (0..<size.rows).filter { row in
          let part = row * columns..<(row + 1) * columns
          // Most rows are the same bytes. Where bytes differ that belong to no field, the cells decide.
          return !UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: own[part])).hasSameBytes(
            as: UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: others[part])))
            && part.contains { own[$0] != others[$0] }
        }
      }
    }
  }

  /// The columns of a row between the first and the last cell that look different in another frame of the same size; a wide
  /// character, old or new, is there with both of its halves.
  package func changedColumns(of row: Int, from other: Frame) -> Range<Int> {
    guard size == other.size, row >= 0, row < size.rows else { return 0..<size.columns }
    let start = row * size.columns
    return cells.withUnsafeBufferPointer { own in
      other.cells.withUnsafeBufferPointer { others in
        var (first, end) = (0, size.columns)
        while first < end, own[start + first] == others[start + first] { first += 1 }
        while end > first, own[start + end - 1] == others[start + end - 1] { end -= 1 }
        guard first < end else { return first..<first }
        func isSecondHalf(_ column: Int) -> Bool {
          own[start + column].isContinuation || others[start + column].isContinuation
        }
        while first > 0, isSecondHalf(first) { first -= 1 }
        while end < size.columns, isSecondHalf(end) { end += 1 }
        return first..<end
      }
    }
  }

  /// Writes from `at` to the right, on that row only, inside `rect` (the whole frame without one).
  /// A wide character that an edge cuts becomes a space.
  /// - Returns: how many columns right of `at` the text reaches, before clipping at the left, after it at the right.
  @discardableResult
  package mutating func write(
    _ text: SafeText, at: Point, in rect: Rect? = nil, style: Style = .plain
  ) -> Int {
    let clip = rect.map { $0.intersection(bounds) } ?? bounds
    guard clip.rows.contains(at.row), at.column < clip.columns.upperBound, !clip.isEmpty else { return 0 }
    if hasLinks || hasGraphics {
      let area = Rect(column: at.column, row: at.row, columns: text.columns, rows: 1).intersection(clip)
      unlink(area)
      cover(area)
    }
    let row = at.row * size.columns
    let (left, right) = (clip.columns.lowerBound, clip.columns.upperBound)
    if text.isASCII {
      var column = at.column
      var cell = Cell(style: style)
      for byte in text.text.utf8 {
        guard column < right else { break }
        if column >= left {
          cell.show(ascii: byte)
          put(cell, row, column)
        }
        column += 1
      }
      return column - at.column
    }
    return writeWide(text, row: row, from: at.column, left: left, right: right, style: style)
  }

  /// The same for a text of several styles, each on top of `base`.
  @discardableResult
  package mutating func write(
    _ text: StyledText, at: Point, in rect: Rect? = nil, base: Style = .plain
  ) -> Int {
    var written = 0
    for run in text.runs {
      let place = Point(column: at.column + written, row: at.row)
      written += write(run.text, at: place, in: rect, style: run.style.over(base))
    }
    var column = at.column
    for run in text.runs {
      if let part = run.graphic { show(part, at: Point(column: column, row: at.row), in: rect) }
      column += run.text.columns
    }
    return written
  }

  private mutating func writeWide(
    _ text: SafeText, row: Int, from first: Int, left: Int, right: Int, style: Style
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
        put(Cell(base: scalar, width: UInt8(width), style: style), row, column)
        base = row + column
        if width == 2 { putContinuation(row, column + 1, style: style) }
      } else {
        for cut in max(column, left)..<max(left, min(column + width, right)) {
          put(Cell(style: style), row, cut)
        }
      }
      column += width
    }
    return min(column, right) - first
  }

  /// Overwriting half of a wide character leaves a space in its other half.
  private mutating func put(_ cell: Cell, _ row: Int, _ column: Int) {
    let index = row + column
    if cells[index].width != 1 { release(index, row) }
    cells[index] = cell
  }

  private mutating func putContinuation(_ row: Int, _ column: Int, style: Style) {
    let index = row + column
    if cells[index].width == 2 { release(index, row) }
    cells[index] = .continuation(style: style)
  }

  private mutating func release(_ index: Int, _ row: Int) {
    if cells[index].isContinuation {
      if index > row { cells[index - 1] = Cell(style: cells[index - 1].style) }
    } else if index + 1 < row + size.columns {
      cells[index + 1] = Cell(style: cells[index + 1].style)
    }
  }

  /// Spaces of that style.
  package mutating func fill(_ rect: Rect, style: Style = .plain) {
    let area = rect.intersection(bounds)
    unlink(area)
    cover(area)
    for row in area.rows {
      for column in area.columns { put(Cell(style: style), row * size.columns, column) }
    }
  }

  /// Puts the cells' styles on top of another style: a selection's background, a dimmed pane.
  package mutating func restyle(_ rect: Rect, _ change: (Style) -> Style) {
    let area = rect.intersection(bounds)
    for row in area.rows {
      for column in area.columns {
        let index = row * size.columns + column
        cells[index].style = change(cells[index].style)
      }
    }
  }

  /// The same for all cells. Neighbours mostly have one style, so the change is asked for once for them.
  package mutating func restyle(_ change: (Style) -> Style) {
    guard var last = cells.first?.style else { return }
    var changed = change(last)
    for index in cells.indices {
      let style = cells[index].style
      if style != last {
        last = style
        changed = change(style)
      }
      if style != changed { cells[index].style = changed }
    }
  }

  /// The rows as text, without the spaces at their ends: for tests.
  package func lines() -> [String] {
    (0..<size.rows).map { row in
      var line = String.UnicodeScalarView()
      for cell in self.row(row) { line.append(contentsOf: cell.scalars) }
      while line.last == " " { line.removeLast() }
      return String(line)
    }
  }

  // MARK: - Links

  package var hasLinks: Bool { !linkedCells.isEmpty }

  /// All of them, from the first row on.
  package var links: [LinkedCells] { linkedRows.flatMap { links(in: $0) } }

  package var linkedRows: [Int] { linkedCells.keys.sorted() }

  package func links(in row: Int) -> [LinkedCells] { linkedCells[row] ?? [] }

  /// Makes cells a link, as far as they are inside. What is written over them later is not.
  package mutating func link(_ link: Hyperlink, in rect: Rect) {
    let area = rect.intersection(bounds)
    unlink(area)
    for row in area.rows where !area.isEmpty {
      linkBytes += link.address.utf8.count
      guard linkBytes <= Limits.hyperlinkBytesOfAFrame else { return }
      linkedCells[row, default: []].append(LinkedCells(row: row, columns: area.columns, link: link))
    }
  }

  private mutating func unlink(_ area: Rect) {
    guard hasLinks, !area.isEmpty else { return }
    let columns = area.columns
    for row in area.rows {
      guard let parts = linkedCells[row], parts.contains(where: { $0.columns.overlaps(columns) }) else {
        continue
      }
      let left = parts.flatMap { part in
        let (start, end) = (part.columns.lowerBound, part.columns.upperBound)
        guard part.columns.overlaps(columns) else { return [part] }
        return [start..<max(start, columns.lowerBound), min(end, columns.upperBound)..<end]
          .filter { !$0.isEmpty }.map { LinkedCells(row: row, columns: $0, link: part.link) }
      }
      linkedCells[row] = left.isEmpty ? nil : left
    }
  }

  // MARK: - Pictures

  package var hasGraphics: Bool { !graphicCells.isEmpty }

  /// What shows pictures, from the first row on. What was written over one later shows nothing of it.
  package var graphics: [GraphicCells] {
    graphicCells.keys.sorted().flatMap { row in
      (graphicCells[row] ?? []).sorted { $0.columns.lowerBound < $1.columns.lowerBound }
    }
  }

  /// Says that cells show the row of a picture, as far as they are inside. Their text stays.
  private mutating func show(_ part: GraphicRow, at place: Point, in rect: Rect?) {
    let whole = Rect(origin: place, size: Size(columns: part.graphic.size.columns, rows: 1))
    let area = whole.intersection(rect ?? bounds).intersection(bounds)
    guard !area.isEmpty else { return }
    cover(area)
    graphicCells[place.row, default: []].append(
      GraphicCells(
        row: place.row, columns: area.columns, part: part,
        firstColumn: area.origin.column - place.column))
  }

  private mutating func cover(_ area: Rect) {
    guard hasGraphics, !area.isEmpty else { return }
    let columns = area.columns
    for row in area.rows {
      guard let parts = graphicCells[row], parts.contains(where: { $0.columns.overlaps(columns) }) else {
        continue
      }
      let left = parts.flatMap { part in
        let (start, end) = (part.columns.lowerBound, part.columns.upperBound)
        guard part.columns.overlaps(columns) else { return [part] }
        return [start..<max(start, columns.lowerBound), min(end, columns.upperBound)..<end]
          .filter { !$0.isEmpty }.map {
            GraphicCells(
              row: row, columns: $0, part: part.part, firstColumn: part.firstColumn + $0.lowerBound - start)
          }
      }
      graphicCells[row] = left.isEmpty ? nil : left
    }
  }

  /// Writes other cells, of one column each, where a part of a picture is shown.
  ///
  /// - Parameter cell: for a column of the picture.
  package mutating func replace(_ part: GraphicCells, by cell: (_ column: Int) -> Cell) {
    guard (0..<size.rows).contains(part.row) else { return }
    for column in part.columns.clamped(to: 0..<size.columns) {
      put(cell(part.firstColumn + column - part.columns.lowerBound), part.row * size.columns, column)
    }
  }
}
