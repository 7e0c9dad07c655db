import Screen

extension Drawing {
  /// Instead of the panes: a line for each field, then what is wrong with them.
  mutating func draw(_ form: SourceForm) {
    let area = layout.body
    guard !area.isEmpty else { return }
    frame.fill(area)
    let title = StyledText(state.shown.sources.titles[form.source] ?? .empty, style: Palette.heading)
    // What is selected is visible on the smallest screen.
    let head = area.size.rows > form.entries.count + 1 ? 2 : 0
    if head > 0 {
      frame.write(title, at: Point(column: area.origin.column + 1, row: area.origin.row), in: area)
    }
    let first = max(0, form.selected - max(0, area.size.rows - head - 1))
    let labels = form.entries.map { words(label(of: $0.field)) }
    let width = min(labels.map(\.columns).max() ?? 0, area.size.columns / 3)
    for (index, entry) in form.entries.enumerated().dropFirst(first) {
      let line = head + index - first
      guard line < area.size.rows else { break }
      let row = area.row(line)
      let isSelected = index == form.selected
      frame.write(
        labels[index].truncated(to: width, ellipsis: signs.ellipsis),
        at: Point(column: row.origin.column + 1, row: row.origin.row), in: row,
        style: isSelected ? Palette.heading : Palette.quiet)
      let start = row.origin.column + width + 3
      let field = row.splitLeft(min(start - row.origin.column, row.size.columns)).rest
      let (text, cursor) = entry.editor.shown
      let skipped = isSelected ? max(0, cursor - max(1, field.size.columns - 1)) : 0
      if entry.editor.isEmpty {
        frame.write(
          SafeText(untrusted: entry.usual).truncated(to: field.size.columns, ellipsis: signs.ellipsis),
          at: field.origin, in: field, style: Palette.quiet)
      } else {
        frame.write(text, at: Point(column: field.origin.column - skipped, row: field.origin.row), in: field)
      }
      if isSelected {
        frame.cursor = Point(
          column: min(field.origin.column + cursor - skipped, area.columns.upperBound - 1),
          row: row.origin.row)
      }
    }
    let below = head + form.entries.count - first + 1
    for (index, line) in note(of: form).wrapped(to: max(1, area.size.columns - 2)).enumerated()
    where below + index < area.size.rows {
      frame.write(
        line, at: Point(column: area.origin.column + 1, row: area.origin.row + below + index), in: area)
    }
  }

  private func note(of form: SourceForm) -> StyledText {
    switch form.phase {
    case .editing: StyledText(words(.formHint, "enter", "esc"), style: Palette.quiet)
    case .asking: StyledText(spinner, style: Palette.accent)
    case .failed(let reason): StyledText(signs.failed + " " + reason, style: Palette.failure)
    }
  }

  private func label(of field: SourceForm.Field) -> Phrase {
    switch field {
    case .name: .formName
    case .title: .formTitle
    case .folder: .formFolder
    case .interval: .formInterval
    case .notify: .formNotify
    case .keep: .formKeep
    }
  }
}
