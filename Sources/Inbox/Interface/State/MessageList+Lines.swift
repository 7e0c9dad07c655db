import Messages

/// The rows on the screen. The cost of each function depends on the number of lines of the pane, not on the length of
/// the list.
extension MessageList {
  enum Line: Hashable {
    /// The name of a day, by its number.
    case day(Int)
    /// A row, by its index.
    case row(Int)
  }

  /// Returns the rows and days on the screen, with the lines in which they begin.
  func visible(in lines: MessageLines) -> [(line: Int, content: Line)] {
    var visible: [(line: Int, content: Line)] = []
    var line = 0
    var index = top
    while index < rows.count, line < lines.count {
      if let day = lines.day(of: rows[index]), index == top || beginsDay(index, lines) {
        visible.append((line, .day(day)))
        line += 1
      }
      guard index == top || line + lines.perRow <= lines.count else { break }
      visible.append((line, .row(index)))
      line += lines.perRow
      index += 1
    }
    return visible
  }

  /// Returns the row or the day of a line of the pane, or `nil` if the line is empty.
  func content(atLine line: Int, in lines: MessageLines) -> Line? {
    guard let last = visible(in: lines).last(where: { $0.line <= line }) else { return nil }
    let height = if case .row = last.content { lines.perRow } else { 1 }
    return line < last.line + height ? last.content : nil
  }

  /// Returns the number of rows that are visible if a given row is the first; at least 1. If the list ends
  /// before the screen does, it counts as if further rows of the same day followed.
  func count(from first: Int, in lines: MessageLines) -> Int {
    var room = lines.count - lines.head - lines.perRow
    var count = 1
    while true {
      room -= lines.perRow + (beginsDay(first + count, lines) ? 1 : 0)
      guard room >= 0 else { return count }
      count += 1
    }
  }

  /// Returns the index of the first row if a later row is the last visible one. If the list does not fill the
  /// screen, it counts as if earlier rows of the same day existed, so the index can be negative.
  func first(upTo last: Int, in lines: MessageLines) -> Int {
    var room = lines.count - lines.head - lines.perRow
    var first = last
    while true {
      room -= lines.perRow + (beginsDay(first, lines) ? 1 : 0)
      guard room >= 0 else { return first }
      first -= 1
    }
  }

  /// Returns the index of the first row on the screen when the end of the list is shown.
  func lastTop(in lines: MessageLines) -> Int { max(0, first(upTo: rows.count - 1, in: lines)) }

  /// Returns the first row of the page below or above the page that begins with row `top`. The two pages have
  /// one row in common.
  func page(isBelow: Bool, _ top: Int, in lines: MessageLines) -> Int {
    isBelow ? top + max(1, count(from: top, in: lines) - 1) : min(top - 1, first(upTo: top, in: lines))
  }

  /// Whether a row is of another day than the row above it.
  private func beginsDay(_ index: Int, _ lines: MessageLines) -> Bool {
    guard lines.zone != nil, index > 0, index < rows.count else { return false }
    return lines.day(of: rows[index]) != lines.day(of: rows[index - 1])
  }
}
