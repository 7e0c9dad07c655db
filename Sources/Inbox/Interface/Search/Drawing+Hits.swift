import Basics
import Messages
import Queries
import Screen
import Words

extension Drawing {
  /// Marks the matches of the list's search in an area; a phrase may continue in the next row.
  ///
  /// - Parameters:
  ///   - current: the row of the current match.
  ///   - fields: returns the fields of a row.
  mutating func markHits(
    in area: Rect, current: Int? = nil, fields: (_ row: Int) -> Set<Query.TextField> = { _ in [.title] }
  ) {
    if let matcher = SearchMatcher(state.shown.list.query) {
      mark(matcher, in: area, current: current, fields: fields)
    }
  }

  /// Marks matches in an area.
  mutating func mark(
    _ matcher: some TextMatching, in area: Rect, current: Int?,
    fields: (_ row: Int) -> Set<Query.TextField>
  ) {
    let area = area.intersection(frame.bounds)
    var text: [(scalar: Unicode.Scalar, place: Point)] = []
    for row in area.rows {
      for column in area.columns {
        let place = Point(column: column, row: row)
        for scalar in frame[place].scalars { text.append((scalar, place)) }
      }
      text.append(("\n", Point(column: area.columns.upperBound, row: row)))
    }
    for (first, last) in matcher.matches(in: text, fields: { fields($0.row) }) {
      let style = first.row == current ? Palette.match.over(.reverse) : Palette.match
      for row in first.row...last.row {
        var left = row == first.row ? first.column : area.columns.lowerBound
        // A wide character's second half has no separate position.
        var right = row == last.row ? last.column + Int(frame[last].width) : area.columns.upperBound
        // The spaces at a row's ends aren't part of the match.
        while left < right, frame[left, row].base == 0x20 { left += 1 }
        while left < right, frame[right - 1, row].base == 0x20 { right -= 1 }
        let part = Rect(column: left, row: row, columns: right - left, rows: 1).intersection(area)
        frame.restyle(part) { style.over($0) }
      }
    }
  }

  /// The text "looked back to March 2024", until a search is finished.
  var lookedBack: SafeText? {
    guard let time = state.shown.list.lookedTo else { return nil }
    let date = WallTime(time, in: state.options.zone).date
    return words(.lookedBackTo, words.monthsInFull[date.month - 1], "\(date.year)")
  }

  /// The text "3 of 120", while a search is shown.
  var hitCount: SafeText? {
    guard let hits = state.shown.list.searchHits else { return nil }
    let count: SafeText = hits.count < InboxQuery.mostHits ? "\(hits.count)" : "1,000"
    guard let position = hits.position else { return words(.hitsOver, count) }
    return words(hits.isMore ? .hitOfMore : .hitOf, "\(position)", count)
  }
}
