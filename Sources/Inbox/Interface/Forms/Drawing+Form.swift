import Messages
import Screen
import Words

extension Drawing {
  /// Draws the form in place of the panes: a line for each field, then the errors of the fields.
  mutating func draw(_ form: SourceForm) {
    let area = layout.body
    guard !area.isEmpty else { return }
    frame.fill(area)
    let title = StyledText(self.title(of: form.subject), style: Palette.heading)
    // The selected field is visible even on the smallest screen.
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
      let place = drawField(
        labels[index], width: width, entry.isChoice ? LineEditor() : entry.editor,
        usual: entry.isChoice ? "" : entry.asked.usual, isSelected: index == form.selected,
        in: area.row(line))
      if entry.isChoice {
        let style = entry.editor.isEmpty ? Palette.quiet : .plain
        frame.write(words(entry.isOn ? .yes : .no), at: place.origin, in: place, style: style)
      }
    }
    let below = head + form.entries.count - first + 1
    let note = note(of: form)
    let lines = note.wrapped(to: max(1, area.size.columns - 2))
    if form.phase.isFailed, below + lines.count > area.size.rows {
      formFailure = note
      return
    }
    for (index, line) in lines.enumerated() where below + index < area.size.rows {
      frame.write(
        line, at: Point(column: area.origin.column + 1, row: area.origin.row + below + index), in: area)
    }
  }

  /// Draws a field of a form: its label, then its text, or its default if it is empty. The selected field has the
  /// cursor.
  ///
  /// - Parameter width: the columns of the widest label.
  /// - Returns: the position of the text.
  @discardableResult
  mutating func drawField(
    _ label: SafeText, width: Int, _ editor: LineEditor, usual: String, isSelected: Bool, in row: Rect
  ) -> Rect {
    frame.write(
      label.truncated(to: width, ellipsis: signs.ellipsis),
      at: Point(column: row.origin.column + 1, row: row.origin.row), in: row,
      style: isSelected ? Palette.heading : Palette.quiet)
    let field = row.splitLeft(min(width + 3, row.size.columns)).rest
    let skipped = isSelected ? skipped(editor, in: field) : 0
    let (text, cursor) = editor.shown
    if editor.isEmpty {
      frame.write(
        SafeText(untrusted: usual).truncated(to: field.size.columns, ellipsis: signs.ellipsis),
        at: field.origin, in: field, style: Palette.quiet)
    } else {
      frame.write(text, at: Point(column: field.origin.column - skipped, row: field.origin.row), in: field)
    }
    if isSelected {
      frame.cursor = Point(
        column: min(field.origin.column + cursor - skipped, row.columns.upperBound - 1),
        row: row.origin.row)
    }
    return field
  }

  /// Returns the number of columns of the text that are left of its field, so that the cursor is visible.
  func skipped(_ editor: LineEditor, in field: Rect) -> Int {
    max(0, editor.shown.cursorColumn - max(1, field.size.columns - 1))
  }

  /// Underlines the bytes that have an error.
  ///
  /// - Parameter column: the position of the text's beginning, which may be left of its field.
  mutating func underline(_ bytes: Range<Int>, of text: String, from column: Int, in field: Rect) {
    func columns(_ bytes: Int) -> Int {
      SafeText(untrusted: String(decoding: text.utf8.prefix(bytes), as: UTF8.self)).columns
    }
    let start = columns(bytes.lowerBound)
    let part = Rect(
      column: column + start, row: field.origin.row, columns: max(1, columns(bytes.upperBound) - start),
      rows: 1)
    frame.restyle(part.intersection(field)) { Palette.failure.over(.underline).over($0) }
  }

  private func title(of subject: SourceFields.Subject) -> SafeText {
    switch subject {
    case .source(let id): state.shown.sources.titles[id] ?? .empty
    case .list(let id): state.shown.sources.title(of: id)
    case .service(_, let name): words(.formService, SafeText(untrusted: name))
    }
  }

  private func note(of form: SourceForm) -> StyledText {
    switch form.phase {
    case .editing:
      if form.isAtChoice {
        StyledText(words(.formChoice, "space"), style: Palette.quiet)
      } else if let entry = form.entries.indices.contains(form.selected) ? form.entries[form.selected] : nil,
        !entry.asked.help.isEmpty
      {
        StyledText(SafeText(untrusted: entry.asked.help), style: Palette.quiet)
      } else {
        StyledText(words(.formUsual), style: Palette.quiet)
      }
    case .asking: StyledText(spinner, style: Palette.accent)
    case .failed(let reason): StyledText(signs.failed + " " + reason, style: Palette.failure)
    }
  }

  private func label(of field: SourceFields.Field) -> Phrase {
    switch field {
    case .name: .formName
    case .title: .formTitle
    case .folder: .formFolder
    case .interval: .formInterval
    case .notify: .formNotify
    case .keep: .formKeep
    case .query: .formQuery
    case .url: .formURL
    case .user: .formUser
    case .tokenCommand: .formToken
    }
  }
}
