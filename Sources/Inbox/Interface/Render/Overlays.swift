import Messages
import Screen
import Words

extension Drawing {
  mutating func drawOverlay() {
    let area = layout.body
    if let form = state.dialog.form { return draw(form) }
    if let form = state.dialog.ruleForm { return draw(form) }
    let columns = area.size.columns
    switch state.dialog.overlay {
    case .help: drawHelp(in: area)
    case .choices(let choices, let selected): draw(choices, selected: selected, in: area)
    case .address(let address): draw(address: address, in: area)
    case .problem(let source): draw(state.problem(of: source, columns: columns), at: 1, in: area)
    case .messages: draw(state.messagesSaid(columns: columns), at: 1, in: area)
    case .request(let action, _): draw(state.request(of: action, columns: columns), at: 1, in: area)
    case .rules(let page): draw(page, in: area)
    case .links(let page): draw(page, in: area)
    case .offers(let page): draw(page, in: area)
    case nil: break
    }
  }

  /// Draws the visible lines of a page.
  private mutating func draw(_ lines: [StyledText], at column: Int, in area: Rect) {
    let lines = lines.dropFirst(state.dialog.scroll).prefix(area.size.rows)
    for (row, line) in lines.enumerated() {
      frame.write(
        line, at: Point(column: area.origin.column + column, row: area.origin.row + row), in: area)
    }
  }

  /// Draws an address from the first column on, with nothing next to it, so that the mouse selects only the address.
  private mutating func draw(address: String, in area: Rect) {
    let note = StyledText(words(.copyByHand), style: Palette.quiet).wrapped(to: max(1, area.size.columns))
    // A URL has no line ends; the text of a message is no link.
    let text = address.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let lines =
      note + [.empty]
      + text.flatMap { line in
        let line = SafeText(untrusted: String(line))
        if line.isEmpty { return [StyledText.empty] }
        return StyledText(line, link: text.count == 1 ? 0 : nil).cut(to: max(1, area.size.columns))
      }
    for (row, line) in lines.prefix(area.size.rows).enumerated() {
      write(
        line, at: Point(column: area.origin.column, row: area.origin.row + row), in: area, owner: "copy",
        address: { _ in address })
    }
  }

  private mutating func draw(_ choices: [FeedChoice], selected: Int, in area: Rect) {
    let first = state.dialog.scroll
    let title = StyledText(words(.chooseFeed), style: Palette.heading)
    frame.write(title, at: Point(column: area.origin.column + 1, row: area.origin.row), in: area)
    let list = area.splitTop(ChoicesPage.headRows).rest
    for row in 0..<list.size.rows where choices.indices.contains(first + row) {
      let choice = choices[first + row]
      var line = StyledText(" \(first + row + 1)  ", style: Palette.key)
      if signs.areWords, first + row == selected { line = StyledText(words(.stateSelected) + ", ") + line }
      if !choice.title.isEmpty { line.append("\(untrusted: choice.title)  ") }
      line.append("\(untrusted: choice.url)", style: Palette.quiet, link: first + row)
      write(
        line.truncated(to: list.size.columns - 1, ellipsis: signs.ellipsis),
        at: Point(column: list.origin.column + 1, row: list.origin.row + row), in: list, owner: "choice",
        address: { _ in choice.url })
      if first + row == selected { drawSelection(list.row(row), isFocused: true) }
    }
  }
}
