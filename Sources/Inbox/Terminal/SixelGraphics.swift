import Screen

/// The pictures that are written over cells as sixel, after curses has drawn.
///
/// A terminal stores them with their cells. Writing over the cells removes the pictures, and scrolling moves them.
/// Therefore, a picture is shown only if all of it is visible and nothing covers it; below it are blank cells. Whenever
/// its rows may have changed, they are rewritten, and then the picture.
struct SixelGraphics {
  /// A picture and its upper left cell.
  struct Placement: Hashable {
    let graphic: Graphic
    let origin: Point

    var area: Rect { Rect(origin: origin, size: graphic.size) }
  }

  /// The work for a frame in addition to curses' own output.
  struct Work: Equatable {
    /// The rows that curses must rewrite, since their cells may have pictures that no longer belong there.
    var stale: [Int] = []
    var pictures: [Placement] = []

    /// The bytes that write the pictures; empty without pictures. They leave the cursor anywhere.
    var sequence: [UInt8] {
      var output: [UInt8] = []
      for picture in pictures {
        guard case .sixel(let data, _) = picture.graphic.pixels else { continue }
        let (width, height) = (picture.graphic.width, picture.graphic.height)
        // The pixels are square; those that are not set stay unchanged.
        output += "\u{1B}[\(picture.origin.row + 1);\(picture.origin.column + 1)H".utf8
        output += "\u{1B}P0;1;0q\"1;1;\(width);\(height)".utf8
        output += data
        output += "\u{1B}\\".utf8
      }
      return output
    }
  }

  /// The pictures of the last placed frame, and those on the screen.
  private var wanted: [Placement] = []
  private var shown: [Placement] = []

  var isEmpty: Bool { wanted.isEmpty && shown.isEmpty }

  /// Returns the frame with blank cells for the pictures.
  ///
  /// - Parameters:
  ///   - cell: the present pixels of a cell; a picture for others isn't shown.
  ///   - size: the terminal's.
  mutating func place(_ frame: Frame, cell: Size?, in size: Size) -> Frame {
    wanted = Self.whole(frame.graphics).filter { placement in
      guard case .sixel(_, let own) = placement.graphic.pixels, own == cell else { return false }
      // Below a picture that ends in the last row, a terminal may scroll.
      return placement.area.columns.upperBound <= size.columns
        && placement.area.rows.upperBound < min(size.rows, frame.size.rows)
    }
    var placed = frame
    for placement in wanted { placed.fill(placement.area) }
    return placed
  }

  /// Returns the pictures whose cells are all visible.
  private static func whole(_ parts: [GraphicCells]) -> [Placement] {
    let rows = Dictionary(grouping: parts) { $0.row }
    return parts.compactMap { first in
      let graphic = first.part.graphic
      guard first.part.row == 0 else { return nil }
      let isWhole = (0..<graphic.size.rows).allSatisfy { row in
        rows[first.row + row]?.contains { part in
          part.part.graphic == graphic && part.part.row == row && part.columns == first.columns
            && part.firstColumn == 0 && part.columns.count == graphic.size.columns
        } == true
      }
      return isWhole
        ? Placement(graphic: graphic, origin: Point(column: first.columns.lowerBound, row: first.row)) : nil
    }
  }

  /// Returns the work for the pictures of a frame.
  ///
  /// - Parameters:
  ///   - frame: the frame that `place` has returned.
  ///   - before: the frame before, or `nil` if curses rewrites the whole screen.
  ///   - rewritten: rows that curses rewrites for another reason.
  /// - Returns: `nil` if no picture is added, removed or may be damaged.
  mutating func work(for frame: Frame, over before: Frame?, rewritten: [Int]) -> Work? {
    guard !isEmpty else { return nil }
    defer { shown = wanted }
    guard let before else { return wanted.isEmpty ? nil : Work(pictures: wanted) }
    var affected = affectedRows(frame, before).union(rewritten)
    let all = Set(shown + wanted)
    // A picture is written as a whole, and a picture next to it may be another one.
    var size = -1
    while affected.count != size {
      size = affected.count
      for placement in all where placement.area.rows.contains(where: affected.contains) {
        affected.formUnion(placement.area.rows)
      }
    }
    func isAffected(_ placement: Placement) -> Bool {
      placement.area.rows.contains(where: affected.contains)
    }
    let stale = Set(shown.filter(isAffected).flatMap { $0.area.rows })
    let work = Work(stale: stale.sorted(), pictures: wanted.filter(isAffected))
    return work == Work() ? nil : work
  }

  /// Returns the rows whose pictures may be wrong.
  private func affectedRows(_ frame: Frame, _ before: Frame) -> Set<Int> {
    let changed = frame.changedRows(from: before)
    // If curses scrolls, a row has come from another place.
    let old = Set(changed.map { Array(before.row($0)) })
    if changed.count > 1, changed.contains(where: { old.contains(Array(frame.row($0))) }) {
      return Set(0..<max(frame.size.rows, before.size.rows))
    }
    var rows = Set(changed)
    for placement in Set(shown).symmetricDifference(wanted) { rows.formUnion(placement.area.rows) }
    // To move its cursor along a row, curses may rewrite the cells there.
    let cursors = [before, frame].map { $0.cursor ?? $0.parkedCursor }
    if let row = cursors[1]?.row, !rows.isEmpty || cursors[0] != cursors[1] { rows.insert(row) }
    return rows
  }

  /// Forgets the pictures, since the screen is cleared or lent.
  mutating func forget() { shown = [] }
}
