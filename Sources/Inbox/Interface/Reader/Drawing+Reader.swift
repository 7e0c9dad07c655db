import Screen
import Words

extension Drawing {
  mutating func drawReader(_ area: Rect) {
    let reader = state.shown.reader
    guard reader.message != nil else {
      if reader.subject == nil, state.shown.list.selectedRow != nil {
        let hint = words(.emptyReader, state.options.keymap.name(of: .open))
        drawNote([StyledText(hint, style: Palette.quiet)], in: area)
      }
      return
    }
    let margin = Layout.margin(area.size.columns)
    let inner = area.inset(left: margin, right: margin)
    let top = reader.top(visible: inner.size.rows)
    for row in 0..<inner.size.rows {
      let line = top + row
      guard reader.lines.indices.contains(line) else { break }
      write(
        reader.lines[line], at: Point(column: inner.origin.column, row: inner.origin.row + row), in: inner,
        owner: readerLinks, address: { reader.address(shownAs: $0) })
    }
    let current = reader.hit.map { inner.origin.row + $0 - top }
    if let find = reader.find {
      if let finder = TextFinder(find) { mark(finder, in: inner, current: current) { _ in [] } }
    } else {
      markHits(in: inner, current: current) { row in reader.fields(ofLine: top + row - inner.origin.row) }
    }
  }

  /// The share of the text that is above the bottom of the screen, in percent, or a word at the end of the
  /// text. Empty if all of the text is visible.
  var readerPosition: SafeText {
    let reader = state.shown.reader
    let visible = layout.rows(of: .reader)
    if reader.isAtEnd(visible: visible) {
      return reader.top(visible: visible) > 0 ? words(.textEnd) : .empty
    }
    guard let percent = reader.percent(visible: visible) else { return signs.more }
    return signs.before("\(percent) %", signs.more)
  }
}
