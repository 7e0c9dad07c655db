import Screen
import Words

extension Drawing {
  mutating func drawHelp(in area: Rect) {
    guard let page = state.helpPage else { return }
    let lines = page.lines(columns: area.size.columns)
    for (index, line) in lines.dropFirst(state.dialog.scroll).prefix(area.size.rows).enumerated() {
      let row = area.row(index)
      frame.write(line.text, at: row.origin, in: row)
      if let item = line.item, item == page.list.selected { drawSelection(row, isFocused: true) }
    }
    // The cursor is in the first line of the selected item.
    let first = page.selected(in: lines).lowerBound - state.dialog.scroll
    if !page.items.isEmpty, (0..<area.size.rows).contains(first) {
      frame.parkedCursor = area.row(first).origin
    }
  }

  /// A hint: whether more lines are below, the text that can be typed after the name of a command, and the
  /// keys.
  var helpHint: StyledText {
    var line = StyledText.empty
    if let page = state.helpPage {
      let rows = page.lines(columns: layout.body.size.columns).count
      if rows > state.dialog.scroll + state.helpRows {
        line.append(words(.moreBelow) + "  ", style: Palette.accent)
      }
    }
    if let command = CommandCall.beginning(of: state.dialog.prompt?.editor.text ?? "")?.command {
      switch command.argument {
      case .oneOf(let names):
        line.append(SafeText(untrusted: names.joined(separator: ", ")) + "  ", style: Palette.quiet)
      case .text where command == .snooze:
        line.append(words(.snoozeHint, "enter") + "  ", style: Palette.quiet)
      case .text where command == .quiet: line.append(words(.quietHint, "enter") + "  ", style: Palette.quiet)
      case .text, .number, .nothing: break
      }
    }
    return line + hints([("enter", .hintRun), ("tab", .hintComplete), ("esc", .hintCancel)])
  }
}
