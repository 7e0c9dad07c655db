import Foundation
import Messages
import Screen

extension AppState {
  mutating func toggleUnread() -> [Effect] {
    guard let row = target else { return [] }
    if row.id.isWelcome {
      if row.isUnread { readWelcome.insert(row.id) } else { readWelcome.remove(row.id) }
      showWelcome(selecting: row.id)
      return []
    }
    list.mark(row.id, unread: !row.isUnread)
    reader.mark(row.id, unread: !row.isUnread)
    return [.perform(row.isUnread ? .read([row.id]) : .unread([row.id]))]
  }

  mutating func toggleStar() -> [Effect] {
    guard let row = target, !row.id.isWelcome else { return [] }
    list.star(row.id, !row.isStarred)
    reader.star(row.id, !row.isStarred)
    return [.perform(row.isStarred ? .unstar([row.id]) : .star([row.id]))]
  }

  /// The neighbour takes its place; where it was being read, the neighbour is read next.
  mutating func dismiss() -> [Effect] {
    guard let row = target, !row.id.isWelcome else { return [] }
    guard row.isDismissable else {
      toast = Toast(words(.cannotDismiss), .warning)
      return []
    }
    list.remove(row.id)
    toast = Toast(words(.dismissed, options.keymap.name(of: .undo)))
    var effects: [Effect] = [.perform(.dismiss([row.id]))]
    if reader.subject == row.id {
      if focus == .reader, list.selectedRow != nil {
        effects += openSelected()
      } else {
        reader.clear()
        if focus == .reader { setFocus(.messages) }
      }
    }
    return effects
  }

  /// A message was put off, or the time that was typed is none.
  mutating func takeSnoozed(_ id: MessageID, until: Date?, text: String) -> [Effect] {
    guard let until else {
      toast = Toast(words(.snoozeUnknown, SafeText(untrusted: text)), .warning)
      return []
    }
    let back = words.instant(until, from: now, in: options.zone)
    toast = Toast(words(.snoozed, back, options.keymap.name(of: .undo)))
    list.remove(id)
    guard reader.subject == id else { return [] }
    if focus == .reader, list.selectedRow != nil { return openSelected() }
    reader.clear()
    if focus == .reader { setFocus(.messages) }
    return []
  }

  mutating func readAll() -> [Effect] {
    guard !isWelcome else { return [] }
    let query = focus == .sources ? InboxQuery(scope: sources.scope) : list.query
    toast = Toast(words(.allRead, options.keymap.name(of: .undo)))
    return [.perform(.readAll(query))]
  }

  mutating func takeUndone(_ act: UserAct?) {
    guard let act else {
      toast = Toast(words(.nothingToUndo))
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
    toast = Toast(words(.undone, what))
    wanted = act.messages.first
    selectWanted()
  }

  /// Goes to the message that an undo brought back, once the list has it.
  mutating func selectWanted() {
    guard let id = wanted, let index = list.rows.firstIndex(where: { $0.id == id }) else { return }
    wanted = nil
    if focus != .reader { list.select(index) }
  }
}

extension UserAct {
  /// None where a whole list was meant.
  fileprivate var messages: [MessageID] {
    switch self {
    case .read(let ids), .unread(let ids), .star(let ids), .unstar(let ids), .dismiss(let ids),
      .snooze(let ids, _):
      ids
    case .readAll: []
    }
  }
}
