import Markup
import Screen

extension Drawing {
  /// Puts the hidden cursor on the item that keys apply to, if that isn't a selected row.
  mutating func parkCursor() {
    if state.dialog.question != nil {
      frame.parkedCursor = place(in: layout.bottom.isEmpty ? layout.prompt : layout.bottom)
    } else if state.dialog.overlay == nil, let view = state.shown.banner, let area = layout.banner,
      view.isFocused || layout.isCovered
    {
      frame.parkedCursor = controlPlace(view, in: area) ?? place(in: area)
    } else if state.dialog.overlay == nil, let place = hitPlace {
      frame.parkedCursor = place
    } else if frame.parkedCursor == nil {
      // This is the first visible line of help, of text, or of the explanation of an empty list.
      frame.parkedCursor = place(in: state.dialog.overlay == nil ? layout[state.focus.pane] : layout.body)
    }
  }

  private func place(in area: Rect?) -> Point? { area.flatMap { $0.isEmpty ? nil : $0.origin } }

  /// The line of the current match, while it is visible.
  private var hitPlace: Point? {
    guard state.focus.pane == .reader, let area = layout.reader, let hit = state.shown.reader.hit else {
      return nil
    }
    let row = area.origin.row + hit - state.shown.reader.top(visible: area.size.rows)
    return area.rows.contains(row) ? Point(column: area.origin.column, row: row) : nil
  }

  /// Returns the position of the view's selected control on the screen, or `nil` if the control is not visible.
  private func controlPlace(_ view: BannerView, in area: Rect) -> Point? {
    guard !view.isSliding, let control = view.control else { return nil }
    for row in area.rows {
      let line = view.scroll + row - area.origin.row
      guard view.layout.lines.indices.contains(line) else { return nil }
      var column = area.origin.column
      for run in view.layout.lines[line].runs {
        if run.link == control, area.columns.contains(column) { return Point(column: column, row: row) }
        column += run.text.columns
      }
    }
    return nil
  }
}
