package import Foundation
import GRDB
package import Messages

/// An act that was undone.
package struct UndoneAct: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case read, unread, star, unstar, dismiss, readAll, snooze, undismiss, rule, removal
  }

  package var kind: Kind
  /// How many messages it had changed.
  package var count: Int
  /// Which ones, if they are few.
  package var messages: [MessageID]
  /// When it was done.
  package var at: Date
  /// Of a removal: the store doesn't have what was removed, so nothing is undone yet.
  package var removal: JournaledRemoval?
}

extension Store {
  /// Performs an act of the user, as one step of the journal. What is done with a message is done with its copies
  /// from other sources. Messages that already are so stay out of it, and
  /// an act that changes none is not a step. What cannot be dismissed is not.
  ///
  /// - Returns: How many messages it changed.
  @discardableResult
  package func perform(_ act: UserAct, at now: Date) throws(StoreFailure) -> Int {
    try write(.system) { db in
      let changed: IDRanges
      var joining: MessageID?
      let copies = Copies(db)
      switch act {
      case .undismiss(let ids):
        let all = try copies.complete(IDRanges(ids.map(\.rawValue)))
        let shown = try HiddenMessages(db).show(all)
        changed =
          try StatusChange(.undismiss)?.apply(to: all, db, at: now.milliseconds).union(shown) ?? shown
      case .read(let ids), .unread(let ids), .star(let ids), .unstar(let ids), .dismiss(let ids):
        changed =
          try StatusChange(UndoneAct.Kind(act))?.apply(
            to: copies.complete(IDRanges(ids.map(\.rawValue))), db, at: now.milliseconds) ?? IDRanges()
      // Only `apply` and `journal` do that; here it can be undone.
      case .rule, .removal: return 0
      case .snooze(let ids, let until):
        let same = try copies.complete(IDRanges(ids.map(\.rawValue)))
        changed = try Snoozes(db).hide(same, until: until.milliseconds)
      case .readAll(let query, let newest):
        let change = StatusChange.reading
        let unread = try Pages(db, query, searching()).unreadIDs()
        let ids = newest.map { unread.through($0.rawValue) } ?? unread
        if query.scope == .all, !query.isSearch, ids == unread {
          let same = try change.apply(to: copies.unread(), db, at: now.milliseconds)
          try change.readEverythingListed(ids, db)
          changed = ids.union(same)
        } else {
          changed = try change.apply(to: copies.complete(ids), db, at: now.milliseconds)
        }
      case .each(.snooze(let until), let selection, let joined):
        let ids = try copies.complete(selection.ranges(db, searching()))
        changed = try Snoozes(db).hide(ids, until: until.milliseconds)
        joining = joined
      case .each(_, let selection, let joined):
        let ids = try copies.complete(selection.ranges(db, searching()))
        changed =
          try StatusChange(UndoneAct.Kind(act))?.apply(to: ids, db, at: now.milliseconds) ?? IDRanges()
        joining = joined
      }
      if !changed.isEmpty {
        let joined = try joining.map { try copies.complete(IDRanges([$0.rawValue])) }
        try Journal(db).append(UndoneAct.Kind(act), changed, joining: joined, at: now.milliseconds)
        try Outgoing(db).note(
          UndoneAct.Kind(act), changed, until: act.snoozedUntil?.milliseconds, at: now.milliseconds)
      }
      return try copies.count(changed)
    }
  }

  /// Undoes the last act that is not undone yet, of this run or an earlier one: exactly the messages
  /// that it changed get the state that they had. Nil if there is nothing to undo.
  ///
  /// A removal stays the last act until the caller has put back what was removed and says so: see `finishUndo`.
  package func undo(at now: Date) throws(StoreFailure) -> UndoneAct? {
    try write(.system) { db in
      let journal = Journal(db)
      guard let entry = try journal.last() else { return nil }
      if let removal = entry.removal {
        return UndoneAct(
          kind: entry.act, count: 1, messages: [], at: Date(milliseconds: entry.at),
          removal: JournaledRemoval(row: entry.id, removed: removal))
      }
      if let changes = entry.changes {
        try Self.undo(changes, entry.ids, db)
      } else if let change = StatusChange(undoing: entry.act) {
        let hidden = try entry.act == .undismiss ? HiddenMessages(db).hideAgain(entry.ids) : IDRanges()
        _ = try change.apply(to: entry.ids.subtracting(hidden), db, at: now.milliseconds)
      } else {
        _ = try Snoozes(db).restore(entry.ids)
      }
      try journal.markUndone(entry.id, at: now.milliseconds)
      try Outgoing(db).noteUndo(of: entry.act, entry.ids, at: now.milliseconds)
      let messages = entry.ids.count <= 1000 ? entry.ids.ranges.flatMap { $0.map { MessageID($0) } } : []
      return UndoneAct(
        kind: entry.act, count: try Copies(db).count(entry.ids), messages: messages,
        at: Date(milliseconds: entry.at))
    }
  }

  /// The user looked at a list: its dots go off. Unread marks stay. Writes nothing if they are
  /// off; the starred list has no dot.
  package func markSeen(_ scope: InboxQuery.Scope) throws(StoreFailure) {
    if scope == .starred || scope.isPutAway { return }
    if case .list(let list) = scope {
      guard try read({ db in try SavedLists(db).see(list, isDry: true) }) else { return }
      try write { db in _ = try SavedLists(db).see(list) }
      return
    }
    guard try read({ db in try !Self.unseen(in: scope, db).isEmpty }) else { return }
    try write { db in
      for source in try Self.unseen(in: scope, db) {
        try SavedLists(db).see(source: source)
        try db.prepared("DELETE FROM unseen WHERE source_id = ?").run(source)
        try db.prepared("UPDATE tally SET unseen = 0 WHERE source_id = ?").run(source)
      }
    }
  }

  /// The sources of a scope that have a dot.
  private static func unseen(in scope: InboxQuery.Scope, _ db: Database) throws -> [Int64] {
    guard let range = try ListRange(db, scope, isUnreadOnly: false) else { return [] }
    let query = try db.prepared(
      """
      SELECT t.source_id FROM tally t CROSS JOIN source s ON s.id = t.source_id
      WHERE t.unseen > 0 AND s.place IS NOT NULL
      """)
    var sources: [Int64] = []
    try query.forEach { sources.append(query.int(0)) }
    return sources.filter(range.contains)
  }
}

extension UserAct {
  fileprivate var snoozedUntil: Date? {
    switch self {
    case .snooze(_, let until), .each(.snooze(let until), _, _): until
    case .read, .unread, .star, .unstar, .dismiss, .undismiss, .rule, .removal, .readAll,
      .each(.read, _, _), .each(.unread, _, _), .each(.star, _, _), .each(.unstar, _, _),
      .each(.dismiss, _, _):
      nil
    }
  }
}

extension UndoneAct.Kind {
  init(_ act: UserAct) {
    self =
      switch act {
      case .read: .read
      case .unread: .unread
      case .star: .star
      case .unstar: .unstar
      case .dismiss: .dismiss
      case .undismiss: .undismiss
      case .readAll: .readAll
      case .snooze: .snooze
      case .rule: .rule
      case .removal: .removal
      case .each(.read, _, _): .read
      case .each(.unread, _, _): .unread
      case .each(.star, _, _): .star
      case .each(.unstar, _, _): .unstar
      case .each(.dismiss, _, _): .dismiss
      case .each(.snooze, _, _): .snooze
      }
  }
}
