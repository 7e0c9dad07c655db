import Messages

/// The id of one act of the user. Ids count up in the order of the keys, which is the order of the writes.
package struct ActID: Hashable, Comparable, Sendable {
  package let rawValue: Int

  package init(_ rawValue: Int) { self.rawValue = rawValue }

  /// The value before the first act.
  package static let none = ActID(0)

  package static func < (a: ActID, b: ActID) -> Bool { a.rawValue < b.rawValue }
}

/// The user's acts that the list may not show yet: from the key until a list arrives that was read after the write.
///
/// Acts are written one after another. A snapshot of the store names the last act that was written before it was
/// requested: it contains that act and all before it. All later acts are applied on top, whether it contains them or
/// not.
package struct PendingActs: Hashable, Sendable {
  enum Change: Hashable, Sendable {
    case act(UserAct)
    /// All messages of a list were marked read. The first set has the loaded messages of the list, including
    /// those that the screen does not show but the store may restore; `unread` has those that were unread.
    /// Other rows arrive with the next snapshot.
    case readAll(Set<MessageID>, unread: Set<MessageID>)
    /// The removal of a source or a saved list from the sources' pane.
    case removal(InboxQuery.Scope, title: String)
    /// A snooze whose time was not parsed yet: it has its place in the order of the acts, but the screen
    /// shows nothing of it.
    case snooze
    /// The act that an undo reverts. The store decides; until then this is the user's last act. `nil` if it is not
    /// known, or if there is nothing to undo.
    case undo(Undoing?)

    /// Whether the change dismisses, restores or snoozes messages.
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

  /// An act that an undo reverts.
  struct Undoing: Hashable, Sendable {
    var act: UserAct
    /// The loaded messages that an act on a whole list has marked read.
    var unread: Set<MessageID> = []
  }

  /// One of the user's acts, and its state.
  struct Entry: Hashable, Sendable {
    let id: ActID
    var change: Change
    /// Whether the loaded rows show the whole change.
    let isShown: Bool
    var isWritten = false
    /// Whether one undo reverts the act together with an earlier one.
    var isJoined = false

    /// The act that an undo would revert; `nil` if the change cannot be undone.
    var undoing: Undoing? {
      switch change {
      case .act(let act): Undoing(act: act)
      case .readAll(_, let unread): Undoing(act: .readAll(InboxQuery()), unread: unread)
      case .removal(_, let title): Undoing(act: .settings(SettingsAct(.removed, title)))
      case .snooze, .undo: nil
      }
    }
  }

  /// The differences between a shown message and the snapshot.
  struct Difference: Hashable, Sendable {
    var isUnread: Bool?
    var isStarred: Bool?
    var isHidden = false
  }

  private(set) var entries: [Entry] = []
  /// The last act for which no snapshot is awaited any more.
  private var givenUp = ActID.none
  private var last = ActID.none
  /// The last act that every snapshot must contain. A snapshot without it is too old to be shown.
  private(set) var confirmed = ActID.none

  init() {}

  /// Whether there is an act whose result only the store knows. The next snapshot shows it.
  var isAwaited: Bool { entries.contains { givenUp < $0.id && !$0.isShown } }

  /// Whether there is an act that the counts of the last snapshot may not contain.
  var isUnconfirmed: Bool { entries.contains { givenUp < $0.id } }

  /// Stops waiting for snapshots that contain the acts so far.
  mutating func giveUp() { givenUp = last }

  /// Adds a change, and returns the id of its act.
  ///
  /// - Parameter isShown: whether the loaded rows show the whole change; otherwise keys wait for the store.
  mutating func add(_ change: Change, isShown: Bool = true) -> ActID {
    last = ActID(last.rawValue + 1)
    entries.append(Entry(id: last, change: change, isShown: isShown))
    return last
  }

  /// Adds an undo of the last act that is not undone yet, and returns the id of the undo.
  mutating func addUndo() -> ActID {
    var undos = 0
    for entry in entries.reversed() {
      if entry.isJoined { continue }
      guard let undoing = entry.undoing else {
        if case .undo = entry.change { undos += 1 }
        continue
      }
      if undos == 0 { return add(.undo(undoing), isShown: false) }
      undos -= 1
    }
    return add(.undo(nil), isShown: false)
  }

  /// Adds a redo of the act that was undone last, which only the store knows, and returns the id of the redo.
  mutating func addRedo() -> ActID { add(.undo(nil), isShown: false) }

  /// Records that an act was written.
  ///
  /// - Returns: `false` if the act was already confirmed.
  @discardableResult
  mutating func confirm(_ id: ActID) -> Bool {
    guard let index = entries.firstIndex(where: { $0.id == id }), !entries[index].isWritten else {
      return false
    }
    entries[index].isWritten = true
    return true
  }

  /// Records that an undo was written. `act` is the act that it reverted, or `nil` if there was nothing to
  /// undo.
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

  /// Stores the act of a snooze in place of the pending snooze, once its time has been parsed.
  mutating func plan(_ id: ActID, _ act: UserAct) {
    guard let index = entries.firstIndex(where: { $0.id == id }) else { return }
    entries[index].change = .act(act)
  }

  /// Records that one undo reverts the act together with an earlier one.
  mutating func join(_ id: ActID) {
    if let index = entries.firstIndex(where: { $0.id == id }) { entries[index].isJoined = true }
  }

  mutating func refuse(_ id: ActID) { entries.removeAll { $0.id == id } }

  /// Returns the list that an act removes from the sources' pane, or `nil` for another act.
  func removed(by id: ActID) -> InboxQuery.Scope? {
    guard let entry = entries.first(where: { $0.id == id }), case .removal(let scope, _) = entry.change else {
      return nil
    }
    return scope
  }

  /// Returns the lists that acts have removed from the sources' pane, but that a snapshot may still contain.
  /// `including` is the last act that the snapshot contains for certain.
  func removed(including: ActID) -> Set<InboxQuery.Scope> {
    Set(entries.filter { including < $0.id }.compactMap { removed(by: $0.id) })
  }

  /// Drops the acts that the shown snapshot contains.
  mutating func confirm(through id: ActID) {
    guard confirmed < id else { return }
    confirmed = id
    entries.removeAll { $0.id <= id }
  }

  /// Returns the differences that acts make to the messages of a snapshot, keyed by message.
  ///
  /// - Parameters:
  ///   - including: the last act that the snapshot contains for certain.
  ///   - through: the last act to apply, or `nil` for all.
  ///   - onlyWritten: whether acts that the store may still refuse are left out.
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
      // An act changes only messages that were in the other state before, so that state is known.
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
  /// Applies an act or its undo to the shown state of a message.
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
