/// How a frame comes from the one before it: rows that moved together, and the rows that look different after that.
package struct FrameChange: Equatable {
  /// Rows that have moved as they are.
  package struct Move: Equatable {
    /// Where they stand now.
    package var rows: Range<Int>
    /// How far up they moved; down where it is negative.
    package var up: Int

    /// All rows that it touches: where they stood, and where they stand.
    package var touched: Range<Int> {
      min(rows.lowerBound, rows.lowerBound + up)..<max(rows.upperBound, rows.upperBound + up)
    }
  }

  package var move: Move?
  /// From the first on. Those that rows have moved away from are among them.
  package var rows: [Int]

  /// Fewer rows are written anew just as well.
  static let fewestMoved = 3

  /// Where a row stood in the frame before; nil where rows have moved away from.
  package func former(_ row: Int) -> Int? {
    guard let move, move.touched.contains(row) else { return row }
    return move.rows.contains(row) ? row + move.up : nil
  }
}

extension Frame {
  /// Where the sizes differ, all rows look different.
  ///
  /// - Parameter other: the frame before.
  package func change(from other: Frame) -> FrameChange {
    guard size == other.size else { return FrameChange(rows: Array(0..<size.rows)) }
    var change = FrameChange(move: move(from: other), rows: [])
    change.rows = (0..<size.rows).filter { row in
      change.former(row).map { !isSame(row, as: other, $0) } ?? true
    }
    return change
  }

  /// Rows of another frame of the same size that this one has at other places. They are found by their memory, so that none of
  /// their cells is looked at: a list that moves takes the rows that it has already.
  private func move(from other: Frame) -> FrameChange.Move? {
    let changed = (0..<size.rows).filter { !shares($0, with: other, $0) }
    guard changed.count >= FrameChange.fewestMoved else { return nil }
    let formers = Dictionary((0..<size.rows).map { (other.memory(of: $0), $0) }) { first, _ in first }
    var next = 0
    for row in changed where row >= next {
      guard let former = formers[memory(of: row)] else { continue }
      let up = former - row
      let rows = row..<size.rows - max(0, up)
      next = rows.first { !shares($0, with: other, $0 + up) } ?? rows.upperBound
      if next - row >= FrameChange.fewestMoved { return FrameChange.Move(rows: row..<next, up: up) }
    }
    return nil
  }

  private func shares(_ row: Int, with other: Frame, _ otherRow: Int) -> Bool {
    memory(of: row) == other.memory(of: otherRow)
  }
}
