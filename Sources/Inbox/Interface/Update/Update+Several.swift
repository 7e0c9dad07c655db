import Foundation
import Markup
import Messages
import Screen
import Words

/// The messages of one act on more than one.
struct Several: Hashable, Sendable {
  /// Those that are loaded.
  var rows: [MessageRow]
  /// All of them. Its ids have those that are loaded, its parts reach beyond.
  var selection: MessageSelection
  /// Whether any of them is unread, and whether all are starred, as far as it is known.
  var areUnread: Bool
  var areStarred: Bool

  /// The selection without the rows on which the act has nothing to do: what is undone changes no others.
  func selection(for act: UserAct.Kind) -> MessageSelection {
    let idle = Set(rows.filter { !$0.isChanged(by: act) }.map(\.id))
    var selection = selection
    selection.ids.removeAll(where: idle.contains)
    return selection
  }
}

extension AppState {
  /// The messages that an act is about, where that isn't the one that keys act on: what is marked, else as many as the
  /// number says from that one on, else all that the selected row stands for.
  func several(_ count: Int?) -> Several? {
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

  /// Does it to all of them, as one step of the journal.
  ///
  /// - Parameter joining: the message on which the same act was the last one; both are one step then.
  mutating func act(_ act: UserAct.Kind, on several: Several, joining: MessageID? = nil) -> [Effect] {
    shown.list.marks.clear()
    let selection = several.selection(for: act)
    guard !selection.ids.isEmpty || !selection.parts.isEmpty else {
      statusLine.toast = Toast(words(act == .dismiss ? .cannotDismiss : .nothingChanged), .warning)
      return []
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
    let effects = [Effect.perform(UserAct(act, selection).joining(joining), id)]
    return act == .dismiss ? effects + goOn(without: selection.ids) : effects
  }

  // MARK: Marking

  /// Marks as many messages from the selected one on, or takes their marks away, and goes on to the next.
  mutating func mark(steps: Int) -> [Effect] {
    for row in shown.list.rows.dropFirst(shown.list.selected).prefix(steps) {
      let isMarked = shown.list.marks.contains(row.key)
      for message in row.all where shown.list.marks.contains(message.key) == isMarked {
        shown.list.marks.toggle(message.key)
      }
    }
    return move(by: steps)
  }

  mutating func markRange() -> [Effect] {
    if let range = shown.list.openRange {
      shown.list.marks.end(range)
    } else if let row = shown.list.selectedRow {
      shown.list.marks.begin(at: row.key)
    }
    return []
  }

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

  // MARK: An act, then a motion

  mutating func allowExtension(of act: UserAct.Kind, at key: ListKey) {
    guard focus.pane == .messages else { return }
    input.extensible = InputProgress.Extensible(act: act, message: key, at: now)
  }

  /// Extends the act of the key before to all messages below or above, where a motion follows at once. One `first` goes to
  /// the list's start, as always; the second extends.
  ///
  /// - Returns: nil where the command means what it means elsewhere.
  mutating func extend(by command: Command, count: Int?) -> [Effect]? {
    guard var extensible = input.extensible else { return nil }
    input.extensible = nil
    let time = now.timeIntervalSince(extensible.at)
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
      extensible.at = now
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

  // MARK: Links

  /// How many links are opened at once.
  private static let mostOpened = 20

  /// Opens the links of the marked messages; nil where none is marked.
  mutating func openMarked() -> [Effect]? {
    guard focus.pane == .messages, !shown.list.marks.isEmpty else { return nil }
    let selection = shown.list.marked().selection
    guard selection.parts.isEmpty, selection.ids.count <= Self.mostOpened else {
      statusLine.toast = Toast(words(.tooManyLinks, "\(Self.mostOpened)"), .warning)
      return []
    }
    shown.list.marks.clear()
    let request = pending.ask()
    pending.addresses = request
    return [.findAddresses(selection.ids, request)]
  }

  mutating func open(_ addresses: [MessageID: String], _ request: RequestID) -> [Effect] {
    guard pending.addresses == request else {
      sayTooLate()
      return []
    }
    pending.addresses = nil
    let links = addresses.sorted { $0.key < $1.key }.compactMap { id, address in
      OpenableAddress(address).flatMap { link in link.place == .outside ? (id, link.text) : nil }
    }
    guard !links.isEmpty else {
      statusLine.toast = Toast(words(.noLink), .warning)
      return []
    }
    let unread = shown.list.loaded.filter { row in row.isUnread && links.contains { $0.0 == row.id } }.map(
      \.id)
    let leaves = showsUnreadOnly
    for id in unread { shown.list.hold(id, unread: false, leaves: leaves) }
    sayRunning(words.count(.openingSeveral, links.count), links.map(\.1))
    return (unread.isEmpty ? [] : [act(.read(unread))]) + links.map { .openLink($0.1) }
  }
}

extension MessageRow {
  fileprivate func isChanged(by act: UserAct.Kind) -> Bool {
    switch act {
    case .read: isUnread
    case .unread: !isUnread
    case .star: !isStarred
    case .unstar: isStarred
    case .dismiss, .snooze: isDismissable
    case .readAll, .undismiss, .rule, .settings: true
    }
  }
}
