import Basics

/// The whole content of a terminal. It accepts only safe text, and clips text that exceeds its size.
package struct Frame: Hashable, Sendable {
  package let size: Size
  private var rows: [CellRow]
  /// The position of the terminal's cursor, or `nil` if it is hidden.
  package var cursor: Point?
  /// The position of the hidden cursor: the item that keys act on. Screen readers, tmux's copy mode and input methods
  /// follow it. `nil` leaves it anywhere.
  package var parkedCursor: Point?
  /// The cells that are also links of the terminal, keyed by row; none overlap.
  private var linkedCells: [Int: [LinkedCells]] = [:]
  /// The number of bytes of all links' URLs, counted once for each row.
  private var linkBytes = 0
  /// The cells that show pictures, keyed by row; none overlap.
  private var graphicCells: [Int: [GraphicCells]] = [:]
  /// The terminal's title.
  package var title: SafeText = .empty

  package init(size: Size, style: Style = .plain) {
    self.size = Size(columns: max(0, size.columns), rows: max(0, size.rows))
    rows = Array(repeating: CellRow(columns: self.size.columns, style: style), count: self.size.rows)
  }

  package var bounds: Rect { Rect(size) }

  /// All cells row by row, `size.columns` in each, for tests.
  package var cells: [Cell] { rows.flatMap(\.cells) }

  /// The cell at a position; a space outside the frame.
  package subscript(point: Point) -> Cell {
    guard bounds.contains(point) else { return Cell() }
    return rows[point.row].cells[point.column]
  }

  package subscript(column: Int, row: Int) -> Cell { self[Point(column: column, row: row)] }

  /// Returns the cells of a row, or none for a row outside the frame.
  package func row(_ row: Int) -> ArraySlice<Cell> {
    guard row >= 0, row < size.rows else { return [] }
    return rows[row].cells[...]
  }

  /// Returns the changed columns of each row, from the first to the last that differs in the other frame. Both ends are
  /// between characters in both frames. If the sizes differ, all rows are returned.
  package func changes(from other: Frame) -> [(row: Int, columns: Range<Int>)] {
    guard size == other.size else { return (0..<size.rows).map { ($0, 0..<size.columns) } }
    return (0..<size.rows).compactMap { row in
      rows[row].changedColumns(from: other.rows[row]).map { (row, $0) }
    }
  }

  /// Returns the rows with changed columns.
  package func changedRows(from other: Frame) -> [Int] { changes(from: other).map(\.row) }

  /// Writes text from `at` to the right, on this row only, inside `rect` (by default the whole frame). A wide
  /// character that an edge cuts becomes a space.
  ///
  /// - Returns: the number of columns from `at` to the end of the text. Columns that are cut off at the left
  ///   edge count, those cut off at the right edge do not.
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
    return rows[at.row].write(
      text, at: at.column, left: clip.columns.lowerBound, right: clip.columns.upperBound, style: style)
  }

  /// Writes text of several styles, each on top of `base`.
  ///
  /// - Returns: the number of columns from `at` to the end of the text, counted as in
  ///   `write(_:at:in:style:)`.
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

  /// Fills a rectangle with spaces of this style.
  package mutating func fill(_ rect: Rect, style: Style = .plain) {
    let area = rect.intersection(bounds)
    unlink(area)
    cover(area)
    for row in area.rows { rows[row].fill(area.columns, style: style) }
  }

  /// Changes the styles of the cells, for example for a selection's background or a dimmed pane.
  package mutating func restyle(_ rect: Rect, _ change: (Style) -> Style) {
    let area = rect.intersection(bounds)
    for row in area.rows { rows[row].restyle(area.columns, change) }
  }

  /// Changes the styles of all cells.
  package mutating func restyle(_ change: (Style) -> Style) { restyle(bounds, change) }

  /// Returns the rows as text, without trailing spaces, for tests.
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

  /// All links, from the first row on.
  package var links: [LinkedCells] { linkedRows.flatMap { links(in: $0) } }

  package var linkedRows: [Int] { linkedCells.keys.sorted() }

  package func links(in row: Int) -> [LinkedCells] { linkedCells[row] ?? [] }

  /// Makes cells a link, as far as they are inside the frame. Cells that are overwritten later are no longer part of
  /// it.
  package mutating func link(_ link: Hyperlink, in rect: Rect) {
    let area = rect.intersection(bounds)
    unlink(area)
    for row in area.rows where !area.isEmpty {
      linkBytes += link.address.utf8.count
      guard linkBytes <= Limits.hyperlinkBytesOfAFrame else { return }
      linkedCells[row, default: []].append(LinkedCells(row: row, columns: area.columns, link: link))
    }
  }

  /// Removes an area's cells from their links.
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

  /// All cells that show pictures, from the first row on. Cells that are overwritten later no longer show a picture.
  package var graphics: [GraphicCells] {
    graphicCells.keys.sorted().flatMap { row in
      (graphicCells[row] ?? []).sorted { $0.columns.lowerBound < $1.columns.lowerBound }
    }
  }

  /// Marks cells as showing the row of a picture, as far as they are inside the frame. Their text remains.
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

  /// Removes an area's cells from their pictures.
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

  /// Writes other cells, of one column each, in place of a part of a picture.
  ///
  /// - Parameter cell: returns the cell for a column of the picture.
  package mutating func replace(_ part: GraphicCells, by cell: (_ column: Int) -> Cell) {
    guard (0..<size.rows).contains(part.row) else { return }
    for column in part.columns.clamped(to: 0..<size.columns) {
      rows[part.row].put(cell(part.firstColumn + column - part.columns.lowerBound), column)
    }
  }
}
