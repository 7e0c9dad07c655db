import Foundation
import Messages
import Screen

extension AppState {
  /// Shows an act, and asks for its write.
  ///
  /// - Parameter text: shown once it is written, if no other key was pressed by then.
  mutating func act(_ act: UserAct, says text: SafeText? = nil) -> Effect {
    let id = pending.acts.add(.act(act))
    pending.confirmation = text.map { Pending.Confirmation(act: id, text: .text($0)) }
    showPendingActs()
    return .perform(act, id)
  }

  private mutating func showPendingActs() {
    pending.hasRemovedSource = false
    shown.list.apply(pending.acts)
    shown.reader.apply(pending.acts)
  }

  mutating func undo() -> [Effect] {
    let id = pending.acts.addUndo()
    showPendingActs()
    return [.undo(id)]
  }

  mutating func takePerformed(_ id: ActID, changed: Int) {
    guard pending.acts.confirm(id), let confirmation = pending.confirmation, confirmation.act == id else {
      return
    }
    pending.confirmation = nil
    switch confirmation.text {
    case .text(let text): statusLine.toast = Toast(text)
    case .markedRead:
      statusLine.toast = Toast(
        changed == 0
          ? words(.emptyUnread) : words.count(.allRead, changed, options.keymap.name(of: .undo)))
    }
  }

  /// Its change on the screen is reverted.
  mutating func takeRefused(_ id: ActID, reason: String) {
    pending.acts.refuse(id)
    if pending.confirmation?.act == id { pending.confirmation = nil }
    showPendingActs()
    statusLine.toast = Toast(words(.actRefused, words.clause(reason)), .failure)
  }

  mutating func toggleUnread() -> [Effect] {
    guard let row = target else { return [] }
    if row.id.isWelcome {
      if row.isUnread { shown.readWelcome.insert(row.id) } else { shown.readWelcome.remove(row.id) }
      showWelcome(selecting: row.id)
      return []
    }
    shown.list.hold(row.id, unread: !row.isUnread)
    return [act(row.isUnread ? .read([row.id]) : .unread([row.id]))]
  }

  mutating func toggleStar() -> [Effect] {
    guard let row = target else { return [] }
    return [act(row.isStarred ? .unstar([row.id]) : .star([row.id]))]
  }

  mutating func dismiss() -> [Effect] {
    guard let row = target else { return [] }
    guard row.isDismissable else {
      statusLine.toast = Toast(words(.cannotDismiss), .warning)
      return []
    }
    let effect = act(.dismiss([row.id]), says: words(.dismissed, options.keymap.name(of: .undo)))
    return [effect] + goOn(without: row.id)
  }

  /// The neighbour of a removed message is selected; if the message was being read, the neighbour is opened.
  private mutating func goOn(without id: MessageID) -> [Effect] {
    shown.list.release(id)
    guard shown.reader.subject == id else { return [] }
    if focus.pane == .reader, shown.list.selectedRow != nil {
      let confirmation = pending.confirmation
      let effects = openSelected()
      pending.confirmation = confirmation
      return effects
    }
    shown.reader.clear()
    if focus.pane == .reader { setFocus(.messages) }
    return []
  }

  /// A message is snoozed, or the text that was typed isn't a time.
  mutating func takeSnoozed(_ id: MessageID, until: Date?, text: String, act: ActID) -> [Effect] {
    guard let until else {
      pending.acts.refuse(act)
      let sentence = words(.snoozeUnknown, SafeText(untrusted: text))
      if case .snooze(let editor, id, .asking)? = dialog.prompt {
        dialog.prompt = .snooze(editor, id, .failed(sentence))
      } else {
        statusLine.toast = Toast(sentence, .warning)
      }
      return []
    }
    if case .snooze(_, id, .asking)? = dialog.prompt { dialog.prompt = nil }
    pending.acts.plan(act, .snooze([id], until: until))
    let back = words.instant(until, from: now, in: options.zone)
    pending.confirmation = Pending.Confirmation(
      act: act, text: .text(words(.snoozed, back, options.keymap.name(of: .undo))))
    showPendingActs()
    return goOn(without: id)
  }

  mutating func readAll() -> [Effect] {
    let query = focus.pane == .sources ? InboxQuery(scope: shown.sources.scope) : shown.list.query
    let unread = Set(rows(shown.list.rows, of: query).filter(\.isUnread).map(\.id))
    let id = pending.acts.add(.readAll(Set(rows(shown.list.read, of: query).map(\.id)), unread: unread))
    pending.confirmation = Pending.Confirmation(act: id, text: .markedRead)
    showPendingActs()
    return [.perform(.readAll(query), id)]
  }

  /// The rows that an act on a whole list changes.
  private func rows(_ rows: [MessageRow], of query: InboxQuery) -> [MessageRow] {
    if query == shown.list.query { return rows }
    return rows.filter { row in
      switch query.scope {
      case .all: true
      case .starred: row.isStarred
      case .source, .folder: shown.sources.sources(in: query.scope)?.contains(row.source) ?? false
      }
    }
  }

  mutating func takeUndone(_ act: UserAct?, _ id: ActID) {
    pending.acts.confirm(id, undone: act)
    showPendingActs()
    guard let act else {
      statusLine.toast = Toast(words(.nothingToUndo))
      return
    }
    let what: SafeText
    switch act {
    case .read(let ids): what = words.count(.undoneRead, ids.count)
    case .unread(let ids): what = words.count(.undoneUnread, ids.count)
    case .star(let ids): what = words.count(.undoneStar, ids.count)
    case .unstar(let ids): what = words.count(.undoneUnstar, ids.count)
    case .dismiss(let ids): what = words.count(.undoneDismiss, ids.count)
    case .snooze(let ids, _): what = words.count(.undoneSnooze, ids.count)
    case .readAll: what = words(.undoneReadAll)
    }
    statusLine.toast = Toast(words(.undone, what))
    pending.selection = act.messages.first
    selectWanted()
  }

  /// Selects the message that an undo brought back, once the list has it.
  mutating func selectWanted() {
    guard let id = pending.selection, let index = shown.list.rows.firstIndex(where: { $0.id == id }) else {
      return
    }
    pending.selection = nil
    if focus.pane != .reader { shown.list.select(index) }
  }
}

extension UserAct {
  /// Empty for a whole list.
  fileprivate var messages: [MessageID] {
    switch self {
    case .read(let ids), .unread(let ids), .star(let ids), .unstar(let ids), .dismiss(let ids),
      .snooze(let ids, _):
      ids
    case .readAll: []
    }
  }
}
