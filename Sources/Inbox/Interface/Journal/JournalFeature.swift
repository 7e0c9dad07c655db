package import Foundation
package import Messages
import Queries
import Screen
import Words

/// The responses to journal effects. The journal records the user's acts, for example marking a message read, so that
/// they can be undone.
package enum JournalAction: Hashable, Sendable {
  /// The response to `perform` and `snooze`: the act is written, and has changed this number of messages.
  case performed(ActID, changed: Int = 1)
  /// The response to `undo` once it is written, with `nil` if there was nothing to undo. If the messages are few, the
  /// act contains their ids; `count` is always their number.
  ///
  /// - Parameters:
  ///   - left: the number of messages of the act that were changed since, and stay as they are.
  ///   - on: the names of the other machines that made these later changes.
  case undone(ActID, UserAct?, count: Int = 0, left: Int = 0, on: [String] = [])
  /// The response to `redo` once it is written, for the act that was undone last and is redone.
  case redone(ActID, UserAct?, count: Int = 0, left: Int = 0)
  /// The immediate response to `snooze`: the end of the snooze, or `nil` if the text isn't a time in the future.
  /// Nothing is written then.
  case snoozed(ActID, MessageSelection, until: Date?, text: String, RequestID)
  /// The store refused an act, and nothing of it is written. `reason` is a clause in the user's language, or the
  /// system's.
  case refused(ActID, reason: String)
}

/// Effects that write acts one after another, in their order. The response to each is `performed`, `undone` or
/// `refused` with its id.
package enum JournalEffect: Hashable, Sendable {
  case perform(UserAct, ActID)
  /// Snoozes messages until a time as typed. The immediate response is `snoozed`.
  case snooze(MessageSelection, until: String, ActID, RequestID)
  case undo(ActID)
  case redo(ActID)
  /// Makes an act, whose own effect follows, a part of the step of an earlier act, so that one undo reverts
  /// both.
  case join(ActID, stepOf: ActID)
}

extension AppState {
  mutating func reduce(_ action: JournalAction) -> [Effect] {
    switch action {
    case .performed(let id, let changed):
      applyPerformed(id, changed: changed)
      return readRules()
    case .undone(let id, let act, let count, let left, let machines):
      pending.acts.confirm(id, undone: act)
      if pending.restored?.act == id {
        pending.restored?.restoresLine = true
        if act?.edit?.kind != .removed { pending.restored = nil }
      }
      selectRestoredLine()
      show(act, as: .undone, orNothing: .nothingToUndo, count: count, left: left, on: machines)
      return readRules(restored: act?.edit?.ruleName)
    case .redone(let id, let act, let count, let left):
      pending.acts.confirm(id)
      show(act, as: .redone, orNothing: .nothingToRedo, count: count, left: left, on: [])
      return readRules(restored: act?.edit?.ruleName)
    case .snoozed(let act, let selection, let until, let text, let request):
      return applySnoozed(selection, until: until, text: text, act: act, request)
    case .refused(let id, let reason): return applyRefused(id, reason: reason)
    }
  }

  /// Performs a command that changes messages or undoes changes; returns `nil` for any other command.
  mutating func performJournal(_ command: Command, count: Int?) -> [Effect]? {
    switch command {
    case .toggleUnread: return toggleUnread(several(count), count: count ?? 1)
    case .toggleStar: return toggleStar(several(count))
    case .dismiss: return dismiss(several(count))
    case .snooze: return askUntilWhen(several(count))
    case .readAll: return readAll()
    case .mark: return mark(steps: count ?? 1)
    case .markRange: return markRange()
    case .markAll: return markAll()
    case .undo: return undo()
    case .redo: return redo()
    case _: return nil
    }
  }

  /// Shows the result of an act immediately, and returns the effect that writes the act.
  ///
  /// - Parameter text: a sentence that is shown once the act is written, unless another key was pressed by
  ///   then.
  mutating func act(_ act: UserAct, says text: SafeText? = nil) -> Effect {
    let id = addPending(.act(act))
    pending.confirmation = text.map { Pending.Confirmation(act: id, text: .text($0)) }
    showPendingActs()
    return .journal(.perform(act, id))
  }

  /// Adds a change to the acts that the store has not confirmed yet, and returns its id.
  ///
  /// - Parameter isLoaded: whether all rows that the act changes are loaded.
  mutating func addPending(_ change: PendingActs.Change, isLoaded: Bool = true) -> ActID {
    let mayMove = change.putsAway && listsPutAway || change.changesStars && listsStarred
    let id = pending.acts.add(change, isShown: isLoaded && !mayMove)
    joinStep(id)
    return id
  }

  /// Applies the unconfirmed acts to the shown list and message.
  mutating func showPendingActs() {
    shown.list.apply(pending.acts)
    shown.reader.apply(pending.acts)
  }

  private mutating func undo() -> [Effect] {
    let id = pending.acts.addUndo()
    pending.restored =
      focus.pane == .sources ? Pending.Restored(act: id, known: Set(shown.sources.scopes)) : nil
    showPendingActs()
    return [.journal(.undo(id))]
  }

  private mutating func redo() -> [Effect] {
    let id = pending.acts.addRedo()
    showPendingActs()
    return [.journal(.redo(id))]
  }

  private mutating func applyPerformed(_ id: ActID, changed: Int) {
    guard pending.acts.confirm(id), let confirmation = pending.confirmation, confirmation.act == id else {
      return
    }
    pending.confirmation = nil
    let undo = options.keymap.name(of: .undo)
    switch confirmation.text {
    case .markedRead: report(changed == 0 ? words(.emptyUnread) : words.count(.allRead, changed, undo))
    // Another process was faster, or the message differs from the list.
    case .text where changed == 0, .snoozed where changed == 0, .done where changed == 0:
      report(words(.nothingChanged), .warning)
    case .text(let text): report(text)
    case .snoozed(let back): report(words.count(.snoozedSeveral, changed, back, undo))
    case .done(let phrase, let before): report(words(.done, words.count(phrase, before + changed), undo))
    }
  }

  /// Reverts the act's change on the screen.
  private mutating func applyRefused(_ id: ActID, reason: String) -> [Effect] {
    let wasRemoval = pending.acts.removed(by: id) != nil
    pending.acts.refuse(id)
    if pending.confirmation?.act == id { pending.confirmation = nil }
    showPendingActs()
    report(words(.actRefused, words.clause(reason, longest: Words.longestReason)), .failure)
    // A removed line returns to the sources' pane with the next list. No list with the act will arrive.
    return wasRemoval || shown.list.isLanding ? [loading] : []
  }

  /// Marks messages read or unread, and selects a later one.
  ///
  /// - Parameters:
  ///   - several: the messages, or `nil` for the message that keys apply to.
  ///   - count: the number of rows to move.
  private mutating func toggleUnread(_ several: Several?, count: Int) -> [Effect] {
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

  /// Selects a later message after `toggleUnread`, unless the settings disable that. If a message was being read, the
  /// later one is opened.
  private mutating func goOn(by steps: Int) -> [Effect] {
    // In a sequence, the next commands determine the motion.
    guard options.layout.unreadMovesOn, acting == nil else { return [] }
    guard focus.pane == .reader else { return shown.list.move(by: steps) ? [loading] : [] }
    guard let subject = shown.reader.subject, shown.list.selectedRow?.standsFor(subject) == true else {
      return []
    }
    if let next = shown.list.selectedRow?.members(after: subject).first { return open(next) }
    if shown.list.move(by: steps) { return [loading] }
    return shown.list.selectedRow?.standsFor(subject) == true ? [] : openSelected()
  }

  /// Whether the list drops messages that are read, because of the filter or its query.
  var showsUnreadOnly: Bool {
    shown.list.query.isUnreadOnly || asks(for: [.unread, .new])
  }

  /// Whether the list may show dismissed or snoozed messages. Only the store knows which of them it contains.
  private var listsPutAway: Bool {
    shown.list.query.scope.isOutOfInbox || queries.contains { !$0.liftedStates.isEmpty }
  }

  /// Whether the list gains or loses a message when the message's star changes.
  private var listsStarred: Bool { shown.list.query.scope == .starred || asks(for: [.starred]) }

  /// Whether the list's queries test for one of these states.
  private func asks(for states: Set<Query.State>) -> Bool {
    queries.flatMap(\.tests).contains {
      if case .state(let tested) = $0 { !states.isDisjoint(with: tested) } else { false }
    }
  }

  /// The queries that decide which messages the list contains: its search, and the query of a saved list.
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

  private mutating func dismiss(_ several: Several?) -> [Effect] {
    if let several { return act(.dismiss, on: several) }
    guard let row = target else { return [] }
    if shown.list.query.scope.isOutOfInbox { return bringBack(row) }
    guard row.isDismissable else { return report(words(.cannotDismiss), .warning) }
    allowExtension(of: .dismiss, at: row.key)
    let effect = act(.dismiss([row.id]), says: words(.dismissed, options.keymap.name(of: .undo)))
    return [effect] + goOn(without: [row.id])
  }

  /// Restores a dismissed message, or ends the snooze of a snoozed one.
  private mutating func bringBack(_ row: MessageRow) -> [Effect] {
    let isSnoozed = shown.list.query.scope == .snoozed
    let effect = act(
      isSnoozed ? .snooze([row.id], until: now) : .undismiss([row.id]), says: words(.broughtBack))
    return [effect] + goOn(without: [row.id])
  }

  /// Selects the neighbour of a removed message; if the message was being read, opens the neighbour.
  mutating func goOn(without ids: [MessageID]) -> [Effect] {
    for id in ids { shown.list.release(id) }
    guard let subject = shown.reader.subject, ids.contains(subject) else { return [] }
    if focus.pane == .reader, shown.list.selectedRow != nil, acting != nil {
      input.sequence?.hasLeft = true
      return []
    }
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

  /// Returns the message to open after another message of its row was removed: the one that followed, or the last one.
  private func neighbour(of id: MessageID, in row: MessageRow) -> MessageRow {
    guard let key = shown.list.read.first(where: { $0.id == id })?.key, !row.members.isEmpty,
      let first = row.members.first, shown.list.query.isBefore(first.key, key)
    else { return row.opened }
    return row.members.first { shown.list.query.isBefore(key, $0.key) } ?? row.members.last ?? row
  }

  /// Opens the prompt for the time until which messages are snoozed.
  private mutating func askUntilWhen(_ several: Several?) -> [Effect] {
    if [.dismissed, .hidden].contains(shown.list.query.scope) {
      return report(words(.cannotSnoozePutAway, options.keymap.name(of: .dismiss)), .warning)
    }
    if let selection = several?.selection(for: .snooze) {
      if selection.ids.isEmpty, selection.parts.isEmpty {
        report(words(.cannotSnooze), .warning)
      } else {
        dialog.prompt = Prompt(.snooze(selection))
      }
      return []
    }
    guard let row = target else { return [] }
    if row.isDismissable {
      dialog.prompt = Prompt(.snooze(MessageSelection([row.id])))
    } else {
      report(words(.cannotSnooze), .warning)
    }
    return []
  }

  /// Snoozes messages until the typed time, or for an hour if the text is empty.
  mutating func acceptSnooze(_ text: String, _ selection: MessageSelection) -> [Effect] {
    let request = askInPrompt()
    let act = addPending(.snooze, isLoaded: selection.parts.isEmpty)
    return [.journal(.snooze(selection, until: text.isEmpty ? "1h" : text, act, request))]
  }

  /// Applies the result of a snooze: messages are snoozed, or the typed text isn't a time.
  private mutating func applySnoozed(
    _ selection: MessageSelection, until: Date?, text: String, act: ActID, _ request: RequestID
  ) -> [Effect] {
    guard let until else {
      pending.acts.refuse(act)
      let sentence = words(.snoozeUnknown, SafeText(untrusted: text))
      if dialog.prompt?.phase == .asking(request) {
        dialog.prompt?.phase = .failed(sentence)
      } else {
        report(sentence, .warning)
      }
      return []
    }
    dialog.endPrompt(request)
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

  /// Marks all messages of the list read, or those of the selected source or list if the sources' pane has the focus.
  private mutating func readAll() -> [Effect] {
    let query = focus.pane == .sources ? InboxQuery(scope: shown.sources.scope) : shown.list.query
    let newest = shown.list.newestDrawn
    func meant(_ rows: [MessageRow]) -> [MessageRow] {
      self.rows(rows, of: query).filter { $0.id <= newest && $0.question?.takesAnswers != true }
    }
    let unread = Set(meant(shown.list.loaded).filter(\.isUnread).map(\.id))
    let all = Set(meant(shown.list.read).map(\.id))
    let id = pending.acts.add(.readAll(all, unread: unread), isShown: false)
    joinStep(id)
    pending.confirmation = Pending.Confirmation(act: id, text: .markedRead)
    showPendingActs()
    return [.journal(.perform(.readAll(query, newest: newest), id))]
  }

  /// Returns the rows that are in the list of a query, as far as this can be known without the store.
  private func rows(_ rows: [MessageRow], of query: InboxQuery) -> [MessageRow] {
    if query == shown.list.query { return rows }
    return rows.filter { row in
      switch query.scope {
      case .all: true
      case .starred: row.isStarred
      // Which messages a saved list has only the store knows.
      case .snoozed, .dismissed, .hidden, .waiting, .list: false
      case .source, .folder: shown.sources.sources(in: query.scope)?.contains(row.source) ?? false
      }
    }
  }

  /// Reports what was undone or redone, or that there was nothing, and selects the first of its messages.
  private mutating func show(
    _ act: UserAct?, as phrase: Phrase, orNothing nothing: Phrase, count: Int, left: Int,
    on machines: [String]
  ) {
    showPendingActs()
    guard let act else {
      report(words(nothing))
      return
    }
    let elsewhere = words.undoneElsewhere(count, left: left, machines)
    if elsewhere == nil, count == 0, left > 0 {
      report(words.count(.undoneNothing, left))
      return
    }
    let what: SafeText
    if let edit = act.edit {
      what = words.edit(edit)
    } else if act.kind == .readAll {
      what = words(.undoneReadAll)
    } else {
      what = words.count(Phrase(act.kind), max(count, act.messages.ids.count))
    }
    report(elsewhere ?? words(phrase, left > 0 ? what + words.count(.undoneLeft, left) : what))
    pending.selection = act.messages.ids.first
    selectWanted()
  }

  /// Selects the message that an undo restored, once the list has it.
  mutating func selectWanted() {
    guard let id = pending.selection, let index = shown.list.rows.firstIndex(where: { $0.standsFor(id) })
    else {
      return
    }
    pending.selection = nil
    if focus.pane != .reader { shown.list.select(index) }
  }
}
