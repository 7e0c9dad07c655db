import Messages
import Screen
import Words

/// Moving between the matches of a search.
extension AppState {
  /// Moves to the next match: in the text while it is read, otherwise to the next message.
  mutating func nextHit(isForward: Bool) -> [Effect] {
    if focus.pane == .sources { setFocus(.messages) }
    guard focus.pane == .reader, let message = shown.reader.message, message.id == shown.reader.subject,
      let matcher = SearchMatcher(shown.list.query)
    else { return nextHitMessage(isForward: isForward, opens: focus.pane == .reader) }
    if shown.reader.moveToHit(matcher, isForward: isForward, visible: layout.rows(of: .reader)) { return [] }
    guard isForward, shown.reader.wantRest() else { return nextHitMessage(isForward: isForward, opens: true) }
    pending.hit = HitSearch(message: message.id, isForward: true, goesOn: true)
    return []
  }

  private mutating func nextHitMessage(isForward: Bool, opens: Bool) -> [Effect] {
    let step = isForward ? 1 : -1
    let list = shown.list
    if list.rows.indices.contains(list.selected + step) {
      shown.list.select(list.selected + step)
      guard opens, let row = shown.list.selectedRow else { return [] }
      pending.hit = HitSearch(message: row.id, isForward: isForward, goesOn: false)
      return openSelected()
    }
    if isForward ? list.hasMoreAfter : list.hasMoreBefore {
      return shown.list.move(by: step) ? [loading] : []
    }
    return report(words(isForward ? .noHitBelow : .noHitAbove))
  }

  /// Moves to the match that was requested before its message was loaded and laid out.
  mutating func usePendingHit() -> [Effect] {
    guard let hit = pending.hit else { return [] }
    guard focus.pane == .reader, shown.reader.subject == hit.message,
      let matcher = SearchMatcher(shown.list.query)
    else {
      pending.hit = nil
      return []
    }
    guard shown.reader.isComplete, !shown.reader.isWaiting else { return [] }
    if !hit.isForward, shown.reader.wantRest() { return [] }
    pending.hit = nil
    if !hit.isForward { shown.reader.scrollToEnd() }
    if shown.reader.moveToHit(matcher, isForward: hit.isForward, visible: layout.rows(of: .reader)) {
      return []
    }
    return hit.goesOn ? nextHitMessage(isForward: hit.isForward, opens: true) : []
  }
}
