import Foundation
import Markup
import Messages
import Screen
import Words

extension AppState {
  /// Returns the messages for an act on several messages: the marked ones; if none are marked, as many as
  /// `count`, from the selected one on; without a count, all messages of the selected row. Returns `nil` if
  /// the act applies only to the single message that keys apply to.
  func several(_ count: Int?) -> Several? {
    if let acting { return acting.several }
    if focus.pane == .messages, !shown.list.marks.isEmpty { return several(shown.list.marked()) }
    if count ?? 1 == 1, focus.pane == .messages, let members = shown.list.selectedRow?.members,
      !members.isEmpty
    {
      return several((members, MessageSelection(members.map(\.id))))
    }
    guard let count, count > 1,
      let start = target.flatMap({ target in
        shown.list.rows.firstIndex { $0.standsFor(target.id) }
      }), !isWelcome
    else { return nil }
    return several(shown.list.following(start, count: count))
  }

  private func several(_ found: (rows: [MessageRow], selection: MessageSelection)) -> Several {
    let isWhole = found.selection.parts.isEmpty
    let isListUnread =
      switch shown.list.query.scope {
      case .source(let id): (shown.sources.status(id)?.unread ?? 0) > 0
      case _: counts.unread > 0
      }
    return Several(
      rows: found.rows, selection: found.selection,
      areUnread: found.rows.contains(where: \.isUnread) || !isWhole && isListUnread,
      areStarred: !found.rows.isEmpty && found.rows.allSatisfy(\.isStarred))
  }

  /// Performs an act on several messages as one step of the journal, so that one undo reverts it.
  ///
  /// - Parameter joining: the message on which the previous key performed the same act, if this act extends
  ///   that one to more messages. Both acts are then one step.
  mutating func act(_ act: UserAct.Kind, on several: Several, joining: MessageID? = nil) -> [Effect] {
    shown.list.marks.clear()
    let selection = several.selection(for: act)
    guard !selection.ids.isEmpty || !selection.parts.isEmpty else {
      return report(words(act == .dismiss ? .cannotDismiss : .nothingChanged), .warning)
    }
    if selection.parts.isEmpty, act == .read || act == .unread {
      let leaves = showsUnreadOnly
      for id in selection.ids { shown.list.hold(id, unread: act == .unread, leaves: leaves) }
    }
    let id = addPending(
      .act(UserAct(act, MessageSelection(selection.ids))), isLoaded: selection.parts.isEmpty)
    pending.confirmation = Pending.Confirmation(
      act: id, text: .done(Phrase(act), before: joining == nil ? 0 : 1))
    showPendingActs()
    let effects = [Effect.journal(.perform(UserAct(act, selection).joining(joining), id))]
    return act == .dismiss ? effects + goOn(without: selection.ids) : effects
  }

  // MARK: Marking

  /// Marks or unmarks a number of messages from the selected one on, and selects the next one.
  mutating func mark(steps: Int) -> [Effect] {
    for row in shown.list.rows.dropFirst(shown.list.selected).prefix(steps) {
      let isMarked = shown.list.marks.contains(row.key)
      for message in row.all where shown.list.marks.contains(message.key) == isMarked {
        shown.list.marks.toggle(message.key)
      }
    }
    return move(by: steps)
  }

  /// Begins a range of marked messages at the selected one, or ends the range that is open.
  mutating func markRange() -> [Effect] {
    if let range = shown.list.openRange {
      shown.list.marks.end(range)
    } else if let row = shown.list.selectedRow {
      shown.list.marks.begin(at: row.key)
    }
    return []
  }

  /// Marks all messages of the list, or unmarks them if all are marked.
  mutating func markAll() -> [Effect] {
    let all = ListPart(shown.list.query, newest: shown.list.newestDrawn)
    if shown.list.marks.isAll {
      shown.list.marks.clear()
    } else {
      shown.list.marks.clear()
      shown.list.marks.add(all)
    }
    return []
  }

  // MARK: An act, then a move

  /// Remembers an act, so that a move to the list's start or end immediately after it can extend it to more messages.
  mutating func allowExtension(of act: UserAct.Kind, at key: ListKey) {
    guard focus.pane == .messages else { return }
    input.extensible = InputProgress.Extensible(act: act, message: key, at: input.time)
  }

  /// Extends the act of the previous key to more messages, if `command` moves to the list's end or start
  /// within a second.
  ///
  /// `last` extends the act to all messages below, and a second `first` extends it to all messages above. A
  /// single `first` only moves to the list's start.
  ///
  /// - Returns: `nil` if the command has its normal meaning.
  mutating func extend(by command: Command, count: Int?) -> [Effect]? {
    guard var extensible = input.extensible else { return nil }
    input.extensible = nil
    let time = input.time.timeIntervalSince(extensible.at)
    guard count == nil, focus.pane == .messages, dialog.overlay == nil, shown.list.marks.isEmpty,
      (0...InputProgress.Extensible.time).contains(time)
    else { return nil }
    let (query, newest) = (shown.list.query, shown.list.newestDrawn)
    let part: ListPart
    switch command {
    case .last: part = ListPart(query, first: extensible.message, newest: newest)
    case .first where extensible.goesUp: part = ListPart(query, last: extensible.message, newest: newest)
    case .first:
      extensible.goesUp = true
      extensible.at = input.time
      input.extensible = extensible
      return nil
    case _: return nil
    }
    let several = several(shown.list.within([part]))
    guard
      several.rows.contains(where: { $0.isChanged(by: extensible.act) }) || !several.selection.parts.isEmpty
    else { return nil }
    return act(extensible.act, on: several, joining: extensible.message.id)
  }
}
