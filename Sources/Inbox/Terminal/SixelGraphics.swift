import Screen

/// The pictures that are written over cells as sixel, after curses has drawn.
///
/// A terminal keeps them with their cells: what is written over them takes them away, and what scrolls takes them along.
/// So a picture is shown only where all of it is in sight and nothing covers it; below it are blank cells. Its rows are
/// written anew, and then the picture, whenever they may have changed.
struct SixelGraphics {
  /// A picture and its upper left cell.
  struct Placement: Hashable {
    let graphic: Graphic
    let origin: Point

    var area: Rect { Rect(origin: origin, size: graphic.size) }
  }

  /// What a frame needs besides what curses writes by itself.
  struct Work: Equatable {
    /// Rows that curses must write anew: they may have pictures that are not theirs.
    var stale: [Int] = []
    var pictures: [Placement] = []

    /// - Returns: empty without pictures; the cursor is left anywhere.
    var sequence: [UInt8] {
      var output: [UInt8] = []
      for picture in pictures {
        guard case .sixel(let data, _) = picture.graphic.pixels else { continue }
        let (width, height) = (picture.graphic.width, picture.graphic.height)
        // Square pixels; those that are not set stay as they are.
        output += "\u{1B}[\(picture.origin.row + 1);\(picture.origin.column + 1)H".utf8
        output += "\u{1B}P0;1;0q\"1;1;\(width);\(height)".utf8
        output += data
        output += "\u{1B}\\".utf8
      }
      return output
    }
  }

  /// Those of the last frame that was placed, and those on the screen.
  private var wanted: [Placement] = []
  private var shown: [Placement] = []

  var isEmpty: Bool { wanted.isEmpty && shown.isEmpty }

  /// The frame with blank cells where pictures are written.
  ///
  /// - Parameters:
  ///   - cell: the pixels of a cell now; a picture for other ones isn't shown.
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

  /// The pictures all of whose cells are in sight.
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

  /// - Parameters:
  ///   - frame: as `place` has returned it.
  ///   - before: the frame before; nil where curses writes the whole screen anew.
  ///   - rewritten: rows that curses writes anew for another reason.
  /// - Returns: nil where no picture comes, goes or may be damaged.
  mutating func work(for frame: Frame, over before: Frame?, rewritten: [Int]) -> Work? {
    guard !isEmpty else { return nil }
    defer { shown = wanted }
    guard let before else { return wanted.isEmpty ? nil : Work(pictures: wanted) }
    var affected = affectedRows(frame, before).union(rewritten)
    let all = Set(shown + wanted)
    // A picture is written as a whole, and what is beside it may be another one.
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

  /// Rows whose pictures are not known to be right.
  private func affectedRows(_ frame: Frame, _ before: Frame) -> Set<Int> {
    let changed = frame.changedRows(from: before)
    // Where curses scrolls, a row has come from another place.
    let old = Set(changed.map { Array(before.row($0)) })
    if changed.count > 1, changed.contains(where: { old.contains(Array(frame.row($0))) }) {
      return Set(0..<max(frame.size.rows, before.size.rows))
    }
    var rows = Set(changed)
    for placement in Set(shown).symmetricDifference(wanted) { rows.formUnion(placement.area.rows) }
    // To move its cursor along a row, curses may write what stands there once more.
    let cursors = [before, frame].map { $0.cursor ?? $0.parkedCursor }
    if let row = cursors[1]?.row, !rows.isEmpty || cursors[0] != cursors[1] { rows.insert(row) }
    return rows
  }

  /// The screen is cleared, or another program has it.
  mutating func forget() { shown = [] }
}
