import Screen

extension Drawing {
  mutating func drawReader(_ area: Rect) {
    let reader = state.reader
    guard reader.message != nil else {
      if reader.subject == nil, state.list.selectedRow != nil {
        let hint = words(.emptyReader, state.options.keymap.name(of: .open))
        drawNote([StyledText(hint, style: Palette.quiet)], in: area)
      }
      return
    }
    let margin = Layout.margin(area.size.columns)
    let inner = area.inset(left: margin, right: margin)
    for row in 0..<inner.size.rows {
      let line = reader.scroll + row
      guard reader.lines.indices.contains(line) else { break }
      frame.write(
        reader.lines[line], at: Point(column: inner.origin.column, row: inner.origin.row + row), in: inner)
    }
  }

  /// How far the text was read, while there is more.
  var readerPosition: SafeText {
    let visible = layout.rows(of: .reader)
    guard state.focus == .reader, layout.reader != nil, !state.reader.isAtEnd(visible: visible) else {
      return .empty
    }
    let seen = min(state.reader.lines.count, state.reader.scroll + visible)
    return "\(signs.more) \(seen * 100 / max(1, state.reader.lines.count))%"
  }
}
