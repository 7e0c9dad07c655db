import Messages
import Screen
import Words

extension Drawing {
  mutating func drawOverlay() {
    let area = layout.body
    if let form = state.dialog.form { return draw(form) }
    if let form = state.dialog.ruleForm { return draw(form) }
    switch state.dialog.overlay {
    case .help(let scroll): drawHelp(scroll, in: area)
    case .choices(let choices, let selected, let top): draw(choices, selected: selected, from: top, in: area)
    case .address(let address): draw(address: address, in: area)
    case .problem(let source, let scroll):
      draw(
        state.problem(of: source, columns: area.size.columns), from: scroll, at: area.origin.column + 1,
        in: area)
    case .messages(let scroll):
      draw(
        state.messagesSaid(columns: area.size.columns), from: scroll, at: area.origin.column + 1, in: area)
    case .request(let action, _, let scroll):
      draw(
        state.request(of: action, columns: area.size.columns), from: scroll, at: area.origin.column + 1,
        in: area)
    case .rules(let page): draw(page, in: area)
    case nil: break
    }
  }

  private mutating func drawHelp(_ scroll: Int, in area: Rect) {
    let page = HelpPage(options: state.options, place: state.placeBelow)
    let (left, right) = page.sides(area.size.columns)
    draw(left, from: scroll, at: area.origin.column, in: area)
    draw(right, from: scroll, at: area.origin.column + area.size.columns / 2, in: area)
  }

  private mutating func draw(_ lines: [StyledText], from scroll: Int, at column: Int, in area: Rect) {
    for row in 0..<area.size.rows where lines.indices.contains(scroll + row) {
      frame.write(lines[scroll + row], at: Point(column: column, row: area.origin.row + row), in: area)
    }
  }

  /// From the first column on with nothing beside it, so that the mouse selects the address and nothing else.
  private mutating func draw(address: String, in area: Rect) {
    let note = StyledText(words(.copyByHand), style: Palette.quiet).wrapped(to: max(1, area.size.columns))
    let text = StyledText(SafeText(untrusted: address), link: 0)
    let lines = note + [.empty] + text.cut(to: max(1, area.size.columns))
    for (row, line) in lines.prefix(area.size.rows).enumerated() {
      write(
        line, at: Point(column: area.origin.column, row: area.origin.row + row), in: area, owner: "copy",
        address: { _ in address })
    }
  }

  private mutating func draw(_ choices: [FeedChoice], selected: Int, from first: Int, in area: Rect) {
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
