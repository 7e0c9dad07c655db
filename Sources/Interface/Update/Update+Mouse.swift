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
    count = nil
    if prompt != nil { return [] }
    let isDouble = mouse.kind == .doubleClick
    if overlay != nil { return clickOverlay(mouse.at, isDouble: isDouble) }
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
      return isDouble ? openSelected() : []
    case .reader: return clickReader(mouse.at, area, isDouble: isDouble)
    case .timeline: setFocus(.timeline)
    }
    return []
  }

  private mutating func clickReader(_ point: Point, _ area: Rect, isDouble: Bool) -> [Effect] {
    guard reader.isComplete, let id = reader.subject else { return [] }
    setFocus(.reader)
    let read = markRead(id)
    let column = point.column - area.origin.column - Layout.margin(area.size.columns)
    guard isDouble,
      let number = reader.link(line: reader.scroll + point.row - area.origin.row, column: column),
      let address = reader.address(number)
    else { return read }
    return read + openLink(address)
  }

  private mutating func clickOverlay(_ point: Point, isDouble: Bool) -> [Effect] {
    guard case .choices(let choices, _)? = overlay, layout.body.contains(point) else {
      overlay = nil
      return []
    }
    let index = point.row - layout.body.origin.row - ChoicesPage.headRows
    guard choices.indices.contains(index) else { return [] }
    overlay = .choices(choices, selected: index)
    return isDouble ? choose(number: index + 1) : []
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
