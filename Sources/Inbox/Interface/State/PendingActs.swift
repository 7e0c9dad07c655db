import Messages

/// The id of one act of the user. Ids count up in the order of the keys, which is the order of the writes.
package struct ActID: Hashable, Comparable, Sendable {
  package let rawValue: Int

  package init(_ rawValue: Int) { self.rawValue = rawValue }

  /// Before the first act.
  package static let none = ActID(0)

  package static func < (a: ActID, b: ActID) -> Bool { a.rawValue < b.rawValue }
}

/// The user's acts that the list may not show yet: from the key until a list comes that was read after the write.
///
/// Acts are written one after another. A snapshot of the store names the last act that was written before it was asked
/// for: it contains that act and all before it. All later acts are applied on top, whether it contains them or not.
package struct PendingActs: Hashable, Sendable {
  enum Change: Hashable, Sendable {
    case act(UserAct)
    /// Every message of a list: its rows here, including those that the store may bring back, and which of them were
    /// unread. Other rows come with the next snapshot.
    case readAll(Set<MessageID>, unread: Set<MessageID>)
    /// A source or a saved list leaves the sources' pane.
    case removal(InboxQuery.Scope, title: String)
    /// A place in the order; nothing is shown before the time was parsed.
    case snooze
    /// The store decides what is undone; until then this is the user's last act. Nil where that is not
    /// known, or where there is nothing to undo.
    case undo(Undoing?)

    /// Whether it takes messages off the list, or brings them back.
    var putsAway: Bool {
      switch self {
      case .act(let act): [.dismiss, .undismiss, .snooze].contains(act.kind)
      case .snooze: true
      case .readAll, .removal, .undo: false
      }
    }

    var changesStars: Bool {
      switch self {
      case .act(let act): act.kind == .star || act.kind == .unstar
      case .readAll, .removal, .snooze, .undo: false
      }
    }
  }

  struct Undoing: Hashable, Sendable {
    var act: UserAct
    /// Of an act on a whole list: the messages here that it had marked read.
    var unread: Set<MessageID> = []
  }

  struct Entry: Hashable, Sendable {
    let id: ActID
    var change: Change
    /// Whether the rows that are loaded show all that it changes.
    let isShown: Bool
    var isWritten = false

    /// What undoing it means; nil if it cannot be undone.
    var undoing: Undoing? {
      switch change {
      case .act(let act): Undoing(act: act)
      case .readAll(_, let unread): Undoing(act: .readAll(InboxQuery()), unread: unread)
      case .removal(_, let title): Undoing(act: .settings(SettingsAct(.removed, title)))
      case .snooze, .undo: nil
      }
    }
  }

  /// How a message is shown, where that differs from the snapshot.
  struct Difference: Hashable, Sendable {
    var isUnread: Bool?
    var isStarred: Bool?
    var isHidden = false
  }

  private(set) var entries: [Entry] = []
  /// Acts up to this one are not waited for any more.
  private var givenUp = ActID.none
  private var last = ActID.none
  /// The last act that every snapshot must contain; one without it is too old to be shown.
  private(set) var confirmed = ActID.none

  init() {}

  /// Whether there is an act whose result only the store knows: the next snapshot shows it.
  var isAwaited: Bool { entries.contains { givenUp < $0.id && !$0.isShown } }

  /// Whether there is an act that the counts of the last snapshot do not contain for certain.
  var isUnconfirmed: Bool { entries.contains { givenUp < $0.id } }

  mutating func giveUp() { givenUp = last }

  /// - Parameter isShown: whether the rows that are loaded show all that it changes; else keys wait for the store.
  mutating func add(_ change: Change, isShown: Bool = true) -> ActID {
    last = ActID(last.rawValue + 1)
    entries.append(Entry(id: last, change: change, isShown: isShown))
    return last
  }

  /// Undoes the last act that is not undone yet.
  mutating func addUndo() -> ActID {
    var undos = 0
    for entry in entries.reversed() {
      guard let undoing = entry.undoing else {
        if case .undo = entry.change { undos += 1 }
        continue
      }
      if undos == 0 { return add(.undo(undoing), isShown: false) }
      undos -= 1
    }
    return add(.undo(nil), isShown: false)
  }

  /// Does again what the last undo took back; the store knows what that is.
  mutating func addRedo() -> ActID { add(.undo(nil), isShown: false) }

  /// - Returns: whether the act was not written before.
  @discardableResult
  mutating func confirm(_ id: ActID) -> Bool {
    guard let index = entries.firstIndex(where: { $0.id == id }), !entries[index].isWritten else {
      return false
    }
    entries[index].isWritten = true
    return true
  }

  /// An undo was written; nil if there was nothing to undo.
  mutating func confirm(_ id: ActID, undone act: UserAct?) {
    guard let index = entries.firstIndex(where: { $0.id == id }) else { return }
    entries[index].isWritten = true
    guard let act else {
      entries[index].change = .undo(nil)
      return
    }
    var undoing = Undoing(act: act)
    if act.kind == .readAll {
      let last = entries[..<index].last { if case .readAll = $0.change { true } else { false } }
      undoing.unread = last?.undoing?.unread ?? []
    }
    entries[index].change = .undo(undoing)
  }

  /// The time until which a message is snoozed was parsed.
  mutating func plan(_ id: ActID, _ act: UserAct) {
    guard let index = entries.firstIndex(where: { $0.id == id }) else { return }
    entries[index].change = .act(act)
  }

  mutating func refuse(_ id: ActID) { entries.removeAll { $0.id == id } }

  /// What an act removes from the sources' pane; nil where it is another act.
  func removed(by id: ActID) -> InboxQuery.Scope? {
    guard let entry = entries.first(where: { $0.id == id }), case .removal(let scope, _) = entry.change else {
      return nil
    }
    return scope
  }

  /// What is not in the sources' pane any more, though a snapshot that contains these acts may have it.
  func removed(including: ActID) -> Set<InboxQuery.Scope> {
    Set(entries.filter { including < $0.id }.compactMap { removed(by: $0.id) })
  }

  /// A snapshot that contains these acts is shown from now on.
  mutating func confirm(through id: ActID) {
    guard confirmed < id else { return }
    confirmed = id
    entries.removeAll { $0.id <= id }
  }

  /// What to apply on top of a snapshot.
  ///
  /// - Parameters:
  ///   - including: the last act that the snapshot contains for certain.
  ///   - through: leaves out later ones.
  ///   - onlyWritten: leaves out what the store may still refuse.
  func differences(
    including: ActID, through: ActID? = nil, onlyWritten: Bool = false
  ) -> [MessageID: Difference] {
    var result: [MessageID: Difference] = [:]
    func change(_ ids: some Sequence<MessageID>, by kind: UserAct.Kind, isUndone: Bool = false) {
      for id in ids { kind.change(&result[id, default: Difference()], isUndone: isUndone) }
    }
    for entry in entries where including < entry.id && (entry.isWritten || !onlyWritten) {
      if let through, through < entry.id { break }
      switch entry.change {
      case .act(let act): change(act.messages.ids, by: act.kind)
      case .readAll(let ids, _): change(ids, by: .readAll)
      // An act changes only messages that were different before, so their old state is known.
      case .undo(let undoing?):
        let act = undoing.act
        change(act.kind == .readAll ? Array(undoing.unread) : act.messages.ids, by: act.kind, isUndone: true)
      case .removal, .snooze, .undo(nil): break
      }
    }
    return result
  }
}

extension UserAct.Kind {
  /// Changes how a message is shown.
  fileprivate func change(_ difference: inout PendingActs.Difference, isUndone: Bool) {
    switch self {
    case .read, .readAll: difference.isUnread = isUndone
    case .unread: difference.isUnread = !isUndone
    case .star: difference.isStarred = !isUndone
    case .unstar: difference.isStarred = isUndone
    case .dismiss, .undismiss, .snooze: difference.isHidden = !isUndone
    case .rule, .settings: break
    }
  }
}
