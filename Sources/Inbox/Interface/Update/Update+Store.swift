import Messages
import Screen

extension AppState {
  /// Shows a snapshot of the store, with the user's later acts applied.
  mutating func apply(_ snapshot: InboxSnapshot, including: ActID) -> [Effect] {
    // The snapshot doesn't contain later acts, and those are no longer pending.
    guard including >= pending.acts.confirmed else { return [loading] }
    if snapshot.isUnseen, !counts.isUnseen || snapshot.unread > counts.unread {
      attention.newsArrived()
    }
    counts = InboxCounts(snapshot)
    pending.seen = nil
    if pending.change == .written { pending.change = nil }
    let putAway =
      (snapshot.snoozed > 0 ? [InboxQuery.Scope.snoozed] : []) + (snapshot.hasDismissed ? [.dismissed] : [])
      + (snapshot.hidden.isEmpty ? [] : [.hidden])
    let isWaiting = snapshot.waiting > 0
    if shown.sources.view.isWaiting != isWaiting { shown.sources.change { $0.isWaiting = isWaiting } }
    if shown.sources.view.putAway != putAway { shown.sources.change { $0.putAway = putAway } }
    let removed = pending.acts.removed(including: including)
    shown.sources.apply(
      snapshot.sources.filter { !removed.contains(.source($0.source.id)) },
      lists: snapshot.lists.filter { !removed.contains(.list($0.id)) }, words: words,
      shown: shown.list.query.scope)
    selectRestoredLine()
    let elsewhere = leaveListThatIsGone()
    guard elsewhere.isEmpty else { return elsewhere }
    if focus.pane != .sources { shown.sources.select(shown.list.query.scope) }

    let wasWaiting = shown.list.isWaiting
    let selected = shown.list.selectedRow?.id
    var effects: [Effect] = []
    switch shown.list.apply(snapshot, including: including, pending.acts) {
    case .ignored: break
    case .misses: effects.append(loading)
    case .taken(let opens):
      shown.reader.confirm(through: including, pending.acts)
      pending.acts.confirm(through: including)
      selectWanted()
      showWelcome(selecting: selected)
      if opens { effects += openSelected() }
    }
    effects += lookForOffers()
    // The message on screen may have changed with the store.
    if !wasWaiting, let id = shown.reader.subject, shown.reader.isComplete, !id.isWelcome,
      layout.reader != nil
    {
      effects.append(.reader(.load(id)))
    }
    if let name = pending.source, let status = shown.sources.statuses.first(where: { $0.source.name == name })
    {
      pending.source = nil
      effects += choose(.source(status.source.id))
    }
    if let name = pending.list, let list = snapshot.lists.first(where: { $0.list.name == name }) {
      pending.list = nil
      effects += choose(.list(list.id))
    }
    return effects
  }

  /// Selects the source or the list that an undo has restored.
  mutating func selectRestoredLine() {
    guard let restored = pending.restored, restored.restoresLine, focus.pane == .sources,
      let scope = shown.sources.scopes.first(where: { !restored.known.contains($0) })
    else { return }
    pending.restored = nil
    shown.sources.select(scope)
  }

  /// Leaves a list whose source or folder no longer exists.
  mutating func leaveListThatIsGone() -> [Effect] {
    if shown.sources.hasScope(shown.list.query.scope) { return [] }
    let selected = shown.sources.scope
    let effects = show(query(of: .all))
    // In their own pane, the keys apply to the line that followed, whatever list is shown.
    if focus.pane == .sources { shown.sources.select(selected) }
    return effects
  }

  /// Shows the welcome messages instead of an empty list while there is nothing to poll.
  mutating func showWelcome(selecting id: MessageID?) {
    if isWelcome {
      shown.list.show(own: Welcome(options: options, now: now).rows(read: shown.readWelcome), selecting: id)
    } else if shown.reader.subject?.isWelcome == true {
      shown.reader.clear()
      if focus.pane == .reader { setFocus(.messages) }
    }
  }
}
