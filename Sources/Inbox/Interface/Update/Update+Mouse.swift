import Messages
import Screen

extension AppState {
  /// The number of lines that one step of the mouse wheel scrolls.
  private static let wheelStep = 3

  mutating func handle(_ mouse: Mouse) -> [Effect] {
    guard dialog.form == nil, dialog.ruleForm == nil else { return [] }
    if dialog.prompt == nil, dialog.overlay == nil, mouse.kind == .click { dropQuestion() }
    if dialog.prompt == nil, let effects = handleInBanner(mouse) { return effects }
    switch mouse.kind {
    case .wheelUp: return scroll(by: -Self.wheelStep, at: mouse.at)
    case .wheelDown: return scroll(by: Self.wheelStep, at: mouse.at)
    case .click, .doubleClick: break
    }
    statusLine.dismiss()
    pending.confirmation = nil
    input.count = nil
    input.extensible = nil
    if dialog.prompt != nil, !isHelpOpen { return [] }
    if mouse.kind == .doubleClick { return clickAgain() }
    input.clicked = .other
    if dialog.overlay != nil {
      clickOverlay(mouse.at)
      return []
    }
    guard let pane = layout.pane(at: mouse.at), let area = layout[pane] else { return [] }
    let row = mouse.at.row - area.origin.row
    switch pane {
    case .sources:
      guard let scope = shown.sources.index(atRow: row).flatMap({ shown.sources.scope(at: $0) }) else {
        setFocus(.sources)
        return []
      }
      return choose(scope)
    case .messages:
      switch shown.list.content(atLine: row, in: shown.list.lines) {
      case .day: break
      case .row(let index):
        setFocus(.messages)
        shown.list.select(index)
        input.clicked = .message(shown.list.rows[index].id)
      case nil: setFocus(.messages)
      }
    case .reader: return clickReader(mouse.at, area)
    case .timeline: setFocus(.timeline)
    }
    return []
  }

  private mutating func clickReader(_ point: Point, _ area: Rect) -> [Effect] {
    guard shown.reader.isComplete, let id = shown.reader.subject else { return [] }
    let column = point.column - area.origin.column - Layout.margin(area.size.columns)
    let line = shown.reader.top(visible: area.size.rows) + point.row - area.origin.row
    let number = shown.reader.link(line: line, column: column)
    if let address = number.flatMap({ shown.reader.address(shownAs: $0) }) {
      input.clicked = .link(address)
    }
    setFocus(.reader)
    return markRead(id)
  }

  private mutating func clickOverlay(_ point: Point) {
    // A click must not close it while the user selects the address with the mouse.
    if case .address? = dialog.overlay { return }
    if let page = helpPage {
      let line = dialog.scroll + point.row - layout.body.origin.row
      let lines = page.lines(columns: layout.body.size.columns)
      guard lines.indices.contains(line), let item = lines[line].item else { return }
      selectInHelp(item)
      input.clicked = .choice(item)
      return
    }
    if case .links(var page)? = dialog.overlay {
      let row = point.row - layout.body.origin.row - ChoicesPage.headRows + dialog.scroll
      guard page.links.indices.contains(row) else { return }
      page.selected = row
      dialog.overlay = .links(page)
      input.clicked = .choice(row)
      return
    }
    if case .offers(var page)? = dialog.overlay, layout.body.contains(point) {
      let row = point.row - layout.body.origin.row - OffersPage.headRows
      guard row >= 0, dialog.scroll + row < page.count else { return }
      page.select(dialog.scroll + row)
      dialog.overlay = .offers(page)
      return
    }
    guard case .choices(let choices, _)? = dialog.overlay, layout.body.contains(point) else {
      dialog.overlay = nil
      return
    }
    let row = point.row - layout.body.origin.row - ChoicesPage.headRows
    let choice = dialog.scroll + row
    guard row >= 0, choices.indices.contains(choice) else { return }
    dialog.overlay = .choices(choices, selected: choice)
    input.clicked = .choice(choice)
  }

  /// Handles the second click of a double click.
  private mutating func clickAgain() -> [Effect] {
    defer { input.clicked = .other }
    switch input.clicked {
    case .message(let id):
      guard dialog.overlay == nil, let index = shown.list.rows.firstIndex(where: { $0.standsFor(id) }) else {
        return []
      }
      shown.list.select(index)
      return openSelected()
    case .link(let address): return dialog.overlay == nil ? openLink(address) : []
    case .choice(let index):
      if isHelpOpen {
        selectInHelp(index)
        return acceptHelp()
      }
      if case .links? = dialog.overlay { return openChosenLink() }
      return choose(number: index + 1)
    case .other: return []
    }
  }

  private mutating func scroll(by steps: Int, at point: Point) -> [Effect] {
    if dialog.overlay != nil { return move(by: steps) }
    guard let pane = layout.pane(at: point) else { return [] }
    switch pane {
    case .sources: shown.sources.scroll(by: steps, visible: layout.rows(of: .sources))
    case .messages: shown.list.scroll(by: steps)
    case .reader: shown.reader.scroll(by: steps)
    case .timeline: shown.timeline.scroll += steps
    }
    return []
  }
}
