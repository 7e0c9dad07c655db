import Foundation
import Messages
import Queries
import Screen
import Words

extension AppState {
  /// Shows an act, and asks for its write.
  ///
  /// - Parameter text: shown once it is written, if no other key was pressed by then.
  mutating func act(_ act: UserAct, says text: SafeText? = nil) -> Effect {
    let id = addPending(.act(act))
    pending.confirmation = text.map { Pending.Confirmation(act: id, text: .text($0)) }
    showPendingActs()
    return .perform(act, id)
  }

  /// - Parameter isLoaded: whether all that it changes is in the rows that are loaded.
  mutating func addPending(_ change: PendingActs.Change, isLoaded: Bool = true) -> ActID {
    let mayMove = change.putsAway && listsPutAway || change.changesStars && listsStarred
    return pending.acts.add(change, isShown: isLoaded && !mayMove)
  }

  mutating func showPendingActs() {
    shown.list.apply(pending.acts)
    shown.reader.apply(pending.acts)
  }

  mutating func undo() -> [Effect] {
    let id = pending.acts.addUndo()
    pending.restored = focus.pane == .sources ? Set(shown.sources.scopes) : nil
    showPendingActs()
    return [.undo(id)]
  }

  mutating func redo() -> [Effect] {
    let id = pending.acts.addRedo()
    showPendingActs()
    return [.redo(id)]
  }

  mutating func applyPerformed(_ id: ActID, changed: Int) {
    guard pending.acts.confirm(id), let confirmation = pending.confirmation, confirmation.act == id else {
      return
    }
    pending.confirmation = nil
    switch confirmation.text {
    // Another process was faster, or the message is not as the list shows it.
    case .text where changed == 0: statusLine.toast = Toast(words(.nothingChanged), .warning)
    case .text(let text): statusLine.toast = Toast(text)
    case .markedRead:
      statusLine.toast = Toast(
        changed == 0
          ? words(.emptyUnread) : words.count(.allRead, changed, options.keymap.name(of: .undo)))
    case .snoozed(let back):
      statusLine.toast =
        changed == 0
        ? Toast(words(.nothingChanged), .warning)
        : Toast(words.count(.snoozedSeveral, changed, back, options.keymap.name(of: .undo)))
    case .done(let phrase, let before):
      statusLine.toast =
        changed == 0
        ? Toast(words(.nothingChanged), .warning)
        : Toast(words(.done, words.count(phrase, before + changed), options.keymap.name(of: .undo)))
    }
  }

  /// Its change on the screen is reverted.
  mutating func applyRefused(_ id: ActID, reason: String) -> [Effect] {
    let wasRemoval = pending.acts.removed(by: id) != nil
    pending.acts.refuse(id)
    endChangeOfRules()
    if pending.confirmation?.act == id { pending.confirmation = nil }
    showPendingActs()
    statusLine.toast = Toast(words(.actRefused, words.clause(reason, longest: Words.longestReason)), .failure)
    // A removed line in the sources' pane comes with the next list; and no list with the act will come.
    return wasRemoval || shown.list.isLanding ? [loading] : []
  }

  /// - Parameters:
  ///   - several: nil for the message that keys act on.
  ///   - count: how many rows it goes on.
  mutating func toggleUnread(_ several: Several?, count: Int) -> [Effect] {
    if let several {
      let isMarked = focus.pane == .messages && !shown.list.marks.isEmpty
      let effects = act(several.areUnread ? .read : .unread, on: several)
      return isMarked ? effects : effects + goOn(by: count)
    }
    guard let row = target else { return [] }
    if row.id.isWelcome {
      if row.isUnread { shown.readWelcome.insert(row.id) } else { shown.readWelcome.remove(row.id) }
      showWelcome(selecting: row.id)
      return goOn(by: 1)
    }
    shown.list.hold(row.id, unread: !row.isUnread, leaves: showsUnreadOnly)
    allowExtension(of: row.isUnread ? .read : .unread, at: row.key)
    return [act(row.isUnread ? .read([row.id]) : .unread([row.id]))] + goOn(by: 1)
  }

  /// After `toggleUnread`: goes on to a later message, unless the settings say otherwise; if one was being read, the later
  /// one is opened.
  private mutating func goOn(by steps: Int) -> [Effect] {
    guard options.layout.unreadMovesOn else { return [] }
    guard focus.pane == .reader else { return shown.list.move(by: steps) ? [loading] : [] }
    guard let subject = shown.reader.subject, shown.list.selectedRow?.standsFor(subject) == true else {
      return []
    }
    if let next = shown.list.selectedRow?.members(after: subject).first { return open(next) }
    if shown.list.move(by: steps) { return [loading] }
    return shown.list.selectedRow?.standsFor(subject) == true ? [] : openSelected()
  }

  /// Whether messages leave the list as they are read: because of the filter, or of its query.
  var showsUnreadOnly: Bool {
    shown.list.query.isUnreadOnly || asks(for: [.unread, .new])
  }

  /// Whether messages may stay in the list that are put away: which ones only the store knows.
  private var listsPutAway: Bool {
    shown.list.query.scope.isPutAway || queries.contains { !$0.liftedStates.isEmpty }
  }

  /// Whether a message comes or goes with its star.
  private var listsStarred: Bool { shown.list.query.scope == .starred || asks(for: [.starred]) }

  private func asks(for states: Set<Query.State>) -> Bool {
    queries.flatMap(\.tests).contains {
      if case .state(let tested) = $0 { !states.isDisjoint(with: tested) } else { false }
    }
  }

  /// What the list is searched for, and the query of a saved list.
  private var queries: [Query] {
    let query = shown.list.query
    var texts = [query.search]
    if case .list(let id) = query.scope { texts.append(shown.sources.list(id)?.list.query) }
    return texts.compactMap { text in
      guard let text, case .success(let query) = Query.parse(text, .typing) else { return nil }
      return query
    }
  }

  mutating func toggleStar(_ several: Several?) -> [Effect] {
    if let several { return act(several.areStarred ? .unstar : .star, on: several) }
    guard let row = target else { return [] }
    return [act(row.isStarred ? .unstar([row.id]) : .star([row.id]))]
  }

  mutating func dismiss(_ several: Several?) -> [Effect] {
    if let several { return act(.dismiss, on: several) }
    guard let row = target else { return [] }
    if shown.list.query.scope.isPutAway { return bringBack(row) }
    guard row.isDismissable else {
      statusLine.toast = Toast(words(.cannotDismiss), .warning)
      return []
    }
    allowExtension(of: .dismiss, at: row.key)
    let effect = act(.dismiss([row.id]), says: words(.dismissed, options.keymap.name(of: .undo)))
    return [effect] + goOn(without: [row.id])
  }

  /// What was put away comes back: a snoozed message as if its time had come.
  private mutating func bringBack(_ row: MessageRow) -> [Effect] {
    let isSnoozed = shown.list.query.scope == .snoozed
    let effect = act(
      isSnoozed ? .snooze([row.id], until: now) : .undismiss([row.id]), says: words(.broughtBack))
    return [effect] + goOn(without: [row.id])
  }

  /// The neighbour of a removed message is selected; if the message was being read, the neighbour is opened.
  mutating func goOn(without ids: [MessageID]) -> [Effect] {
    for id in ids { shown.list.release(id) }
    guard let subject = shown.reader.subject, ids.contains(subject) else { return [] }
    if focus.pane == .reader, let row = shown.list.selectedRow {
      let confirmation = pending.confirmation
      let effects = open(neighbour(of: subject, in: row))
      pending.confirmation = confirmation
      return effects
    }
    shown.reader.clear()
    if focus.pane == .reader { setFocus(.messages) }
    return []
  }

  /// The message that follows a removed one in the row that stood for both.
  private func neighbour(of id: MessageID, in row: MessageRow) -> MessageRow {
    guard let key = shown.list.read.first(where: { $0.id == id })?.key, !row.members.isEmpty,
      let first = row.members.first, shown.list.query.isBefore(first.key, key)
    else { return row.opened }
    return row.members.first { shown.list.query.isBefore(key, $0.key) } ?? row.members.last ?? row
  }

  mutating func askUntilWhen(_ several: Several?) -> [Effect] {
    if [.dismissed, .hidden].contains(shown.list.query.scope) {
      statusLine.toast = Toast(words(.cannotSnoozePutAway, options.keymap.name(of: .dismiss)), .warning)
      return []
    }
    if let selection = several?.selection(for: .snooze) {
      if selection.ids.isEmpty, selection.parts.isEmpty {
        statusLine.toast = Toast(words(.cannotSnooze), .warning)
      } else {
        dialog.prompt = .snooze(LineEditor(), selection, .editing)
      }
      return []
    }
    guard let row = target else { return [] }
    if row.isDismissable {
      dialog.prompt = .snooze(LineEditor(), MessageSelection([row.id]), .editing)
    } else {
      statusLine.toast = Toast(words(.cannotSnooze), .warning)
    }
    return []
  }

  /// Messages are snoozed, or the text that was typed isn't a time.
  mutating func applySnoozed(
    _ selection: MessageSelection, until: Date?, text: String, act: ActID, _ request: RequestID
  ) -> [Effect] {
    guard let until else {
      pending.acts.refuse(act)
      let sentence = words(.snoozeUnknown, SafeText(untrusted: text))
      if case .snooze(let editor, _, .asking(request))? = dialog.prompt {
        dialog.prompt = .snooze(editor, selection, .failed(sentence))
      } else {
        statusLine.toast = Toast(sentence, .warning)
      }
      return []
    }
    if case .snooze(_, _, .asking(request))? = dialog.prompt { dialog.prompt = nil }
    pending.acts.plan(act, .snooze(selection.ids, until: until))
    let back = words.instant(until, from: now, in: options.zone)
    let isOne = selection.parts.isEmpty && selection.ids.count == 1
    pending.confirmation = Pending.Confirmation(
      act: act,
      text: isOne
        ? .text(words(.snoozed, back, options.keymap.name(of: .undo))) : .snoozed(until: back))
    shown.list.marks.clear()
    showPendingActs()
    return goOn(without: selection.ids)
  }

  mutating func readAll() -> [Effect] {
    let query = focus.pane == .sources ? InboxQuery(scope: shown.sources.scope) : shown.list.query
    let newest = shown.list.newestDrawn
    func meant(_ rows: [MessageRow]) -> [MessageRow] { self.rows(rows, of: query).filter { $0.id <= newest } }
    let unread = Set(meant(shown.list.loaded).filter(\.isUnread).map(\.id))
    let all = Set(meant(shown.list.read).map(\.id))
    let id = pending.acts.add(.readAll(all, unread: unread), isShown: false)
    pending.confirmation = Pending.Confirmation(act: id, text: .markedRead)
    showPendingActs()
    return [.perform(.readAll(query, newest: newest), id)]
  }

  /// The rows that an act on a whole list changes.
  private func rows(_ rows: [MessageRow], of query: InboxQuery) -> [MessageRow] {
    if query == shown.list.query { return rows }
    return rows.filter { row in
      switch query.scope {
      case .all: true
      case .starred: row.isStarred
      // Which messages a saved list has only the store knows.
      case .snoozed, .dismissed, .hidden, .list: false
      case .source, .folder: shown.sources.sources(in: query.scope)?.contains(row.source) ?? false
      }
    }
  }

  mutating func showUndone(_ act: UserAct?, _ id: ActID, count: Int, left: Int, on machines: [String]) {
    pending.acts.confirm(id, undone: act)
    if act?.edit?.kind != .removed { pending.restored = nil }
    show(act, as: .undone, orNothing: .nothingToUndo, count: count, left: left, on: machines)
  }

  mutating func showRedone(_ act: UserAct?, _ id: ActID, count: Int, left: Int) {
    pending.acts.confirm(id)
    show(act, as: .redone, orNothing: .nothingToRedo, count: count, left: left, on: [])
  }

  private mutating func show(
    _ act: UserAct?, as phrase: Phrase, orNothing nothing: Phrase, count: Int, left: Int,
    on machines: [String]
  ) {
    showPendingActs()
    guard let act else {
      statusLine.toast = Toast(words(nothing))
      return
    }
    let elsewhere = words.undoneElsewhere(count, left: left, machines)
    if elsewhere == nil, count == 0, left > 0 {
      statusLine.toast = Toast(words.count(.undoneNothing, left))
      return
    }
    let what: SafeText
    if let edit = act.edit {
      what = words.edit(edit)
      showTurned(edit)
    } else if act.kind == .readAll {
      what = words(.undoneReadAll)
    } else {
      what = words.count(Phrase(act.kind), max(count, act.messages.ids.count))
    }
    statusLine.toast = Toast(
      elsewhere ?? words(phrase, left > 0 ? what + words.count(.undoneLeft, left) : what))
    pending.selection = act.messages.ids.first
    selectWanted()
  }

  /// Selects the message that an undo brought back, once the list has it.
  mutating func selectWanted() {
    guard let id = pending.selection, let index = shown.list.rows.firstIndex(where: { $0.standsFor(id) })
    else {
      return
    }
    pending.selection = nil
    if focus.pane != .reader { shown.list.select(index) }
  }
}
