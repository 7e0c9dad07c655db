import Screen

extension Drawing {
  mutating func drawTimeline(_ pane: Rect) {
    let page = TimelinePage(state, in: pane)
    let area = page.area
    for (row, line) in page.lines(from: state.shown.timeline.scroll).enumerated() {
      frame.write(line, at: Point(column: area.origin.column, row: area.origin.row + row), in: area)
    }
    guard let coming = page.comingColumns else { return }
    let right = area.splitRight(coming).right
    for (row, line) in page.comingLines(columns: right.size.columns).enumerated() {
      frame.write(line, at: Point(column: right.origin.column, row: area.origin.row + row), in: right)
    }
  }
}
