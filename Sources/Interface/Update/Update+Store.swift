import Messages
import Screen

extension AppState {
  mutating func take(_ snapshot: InboxSnapshot, including: ActID) -> [Effect] {
    // What was done since is not in it, and nothing remembers any more what that was.
    guard including >= pending.settled else { return [loading] }
    if snapshot.isUnseen, !isUnseen || snapshot.unread > unread {
      isAttended = false
      look = nil
    }
    unread = snapshot.unread
    total = snapshot.total
    starred = snapshot.starred
    isUnseen = snapshot.isUnseen
    canUndo = snapshot.canUndo
    seenAsked = nil
    sources.take(snapshot.sources, words: words)
    if focus != .sources { sources.select(list.query.scope) }

    let wasWaiting = list.isWaiting
    let selected = list.selectedRow?.id
    var effects: [Effect] = []
    switch list.take(snapshot, including: including, pending) {
    case .ignored: break
    case .misses: effects.append(loading)
    case .taken(let opens):
      reader.settle(through: including, pending)
      pending.settle(through: including)
      selectWanted()
      showWelcome(selecting: selected)
      if opens { effects += openSelected() }
    }
    // The store changed: so might the message that is on screen.
    if !wasWaiting, let id = reader.subject, reader.isComplete, !id.isWelcome, layout.reader != nil {
      effects.append(.loadMessage(id))
    }
    if let name = awaited, let status = sources.statuses.first(where: { $0.source.name == name }) {
      awaited = nil
      effects += choose(.source(status.source.id))
    }
    return effects
  }

  /// What explains reddot takes the place of an empty list, as long as there is nothing to poll.
  mutating func showWelcome(selecting id: MessageID?) {
    if isWelcome {
      list.show(own: Welcome(options: options, now: now).rows(read: readWelcome), selecting: id)
    } else if reader.subject?.isWelcome == true {
      reader.clear()
      if focus == .reader { setFocus(.messages) }
    }
  }
}
