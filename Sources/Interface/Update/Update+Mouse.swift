import Messages
import Screen

extension AppState {
  private static let wheelStep = 3

  mutating func take(_ mouse: Mouse) -> [Effect] {
    if prompt == nil, let effects = takeInBanner(mouse) { return effects }
    switch mouse.kind {
    case .wheelUp: return scroll(by: -Self.wheelStep, at: mouse.at)
    case .wheelDown: return scroll(by: Self.wheelStep, at: mouse.at)
    case .click, .doubleClick: break
    }
    toast = nil
    promised = nil
    count = nil
    if prompt != nil { return [] }
    if mouse.kind == .doubleClick { return clickAgain() }
    clicked = .other
    if overlay != nil {
      clickOverlay(mouse.at)
      return []
    }
    guard let pane = layout.pane(at: mouse.at), let area = layout[pane] else { return [] }
    let row = mouse.at.row - area.origin.row
    switch pane {
    case .sources:
      guard let scope = sources.scope(at: sources.top + row) else {
        setFocus(.sources)
        return []
      }
      return choose(scope)
    case .messages:
      setFocus(.messages)
      guard list.rows.indices.contains(list.top + row) else { return [] }
      list.select(list.top + row)
      clicked = .message(list.rows[list.top + row].id)
    case .reader: return clickReader(mouse.at, area)
    case .timeline: setFocus(.timeline)
    }
    return []
  }

  private mutating func clickReader(_ point: Point, _ area: Rect) -> [Effect] {
    guard reader.isComplete, let id = reader.subject else { return [] }
    let column = point.column - area.origin.column - Layout.margin(area.size.columns)
    let line = reader.top(visible: area.size.rows) + point.row - area.origin.row
    if let address = reader.link(line: line, column: column).flatMap({ reader.address($0) }) {
      clicked = .link(address)
    }
    setFocus(.reader)
    return markRead(id)
  }

  private mutating func clickOverlay(_ point: Point) {
    // Whoever tries to select the address with the mouse must not lose it.
    if case .address? = overlay { return }
    guard case .choices(let choices, _, let top)? = overlay, layout.body.contains(point) else {
      overlay = nil
      return
    }
    let row = point.row - layout.body.origin.row - ChoicesPage.headRows
    guard row >= 0, choices.indices.contains(top + row) else { return }
    overlay = .choices(choices, selected: top + row, top: top)
    clicked = .choice(top + row)
  }

  /// The second click of a double click.
  private mutating func clickAgain() -> [Effect] {
    defer { clicked = .other }
    switch clicked {
    case .message(let id):
      guard overlay == nil, let index = list.rows.firstIndex(where: { $0.id == id }) else { return [] }
      list.select(index)
      return openSelected()
    case .link(let address): return overlay == nil ? openLink(address) : []
    case .choice(let index): return choose(number: index + 1)
    case .other: return []
    }
  }

  private mutating func scroll(by steps: Int, at point: Point) -> [Effect] {
    if overlay != nil { return move(by: steps) }
    guard let pane = layout.pane(at: point) else { return [] }
    let visible = layout.rows(of: pane)
    switch pane {
    case .sources: sources.scroll(by: steps, visible: visible)
    case .messages: list.scroll(by: steps, visible: visible)
    case .reader: reader.scroll(by: steps)
    case .timeline: timeline.scroll += steps
    }
    return []
  }
}
