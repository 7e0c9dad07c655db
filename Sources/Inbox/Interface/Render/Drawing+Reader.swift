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
    markHits(in: inner, current: reader.hit.map { inner.origin.row + $0 - top }) { row in
      reader.fields(ofLine: top + row - inner.origin.row)
    }
  }

  /// How far the text was read, while there is more.
  var readerPosition: SafeText {
    let visible = layout.rows(of: .reader)
    guard state.focus.pane == .reader, layout.reader != nil, !state.shown.reader.isAtEnd(visible: visible)
    else {
      return .empty
    }
    guard let percent = state.shown.reader.percent(visible: visible) else { return signs.more }
    return "\(signs.more) \(percent)%"
  }
}
