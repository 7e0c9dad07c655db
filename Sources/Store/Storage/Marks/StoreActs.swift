package import Foundation
import GRDB
package import Messages

/// An act that was undone or redone.
package struct UndoneAct: Hashable, Sendable {
  package var kind: UserAct.Kind
  /// The number of messages that got their former marks.
  package var count: Int
  /// The number of other messages of the act that were changed since, and stay unchanged.
  package var left = 0
  /// The names of other machines whose acts changed the messages that `left` counts.
  package var machines: [String] = []
  /// The messages that got their former marks, if they are few.
  package var messages: [MessageID]
  /// The time of the act.
  package var at: Date
  /// The edits of the settings that the caller must undo or redo, before it calls `finish`, or `nil` if there are none.
  package var step: EditedStep?
}

/// A step of the journal: one undo reverts all of its acts.
package struct JournalStep: Hashable, Sendable {
  fileprivate let row: Int64
}

/// The acts of the user: on messages, undo and redo, and seen lists.
package struct StoreActs: StorePart {
  let store: Store

  /// Performs an act of the user, as one step of the journal. It also applies to duplicates of the messages from other
  /// sources. Messages that already have the state are not part of it, and an act without changes is not a step.
  /// Messages that cannot be dismissed are not dismissed.
  ///
  /// - Returns: the number of changed messages.
  @discardableResult
  package func perform(_ act: UserAct, at now: Date) throws(StoreFailure) -> Int {
    try perform(act, joining: nil, at: now).changed
  }

  /// Performs an act as a part of a step if nothing else was done since, and otherwise as a new step.
  ///
  /// - Returns: the number of changed messages, and the step with the act, or `nil` if the act changed
  ///   nothing.
  package func perform(
    _ act: UserAct, joining step: JournalStep?, at now: Date
  ) throws(StoreFailure) -> (changed: Int, step: JournalStep?) {
    try write(.system) { db in
      let copies = Duplicates(db)
      let ids = try messages(of: act, copies, db)
      let marks = act.kind.marks(at: now.milliseconds, until: act.until?.milliseconds)
      let last =
        try step.flatMap { try Journal(db).last()?.id == $0.row ? $0.row : nil }
        ?? joinedStep(of: act, copies, db)
      var acting = ActTransaction(db, act.kind.rawValue, step: last, at: now.milliseconds)
      try acting.act(on: ids) { act, ids in
        let writer = MarkWriter(db, by: .person, act: act, at: now.milliseconds)
        for mark in marks {
          let changed = try writer.set(mark, on: ids)
          if case .snoozed(let until) = mark {
            try StoreClock(db, columns).show(
              changed, from: until ?? now.milliseconds, at: now.milliseconds)
          }
        }
        return writer.changes.all
      }
      return (try copies.count(acting.messages), acting.step.map(JournalStep.init))
    }
  }

  /// Returns the last step if `act` joins it: it is an act of the same kind on only the message `act.joined`.
  private func joinedStep(of act: UserAct, _ copies: Duplicates, _ db: Database) throws -> Int64? {
    guard let joined = act.joined, let last = try Journal(db).last(), last.kind == act.kind,
      try MarkLog(db).messages(of: last) == copies.complete(IDRanges([joined.rawValue]))
    else { return nil }
    return last.id
  }

  /// Returns the messages of an act, with their duplicates.
  private func messages(of act: UserAct, _ copies: Duplicates, _ db: Database) throws -> IDRanges {
    guard let list = act.list else { return try copies.complete(act.messages.ranges(db, searching())) }
    // A question still waits.
    let unread = try ListPages(db, list, searching()).unreadIDs().subtracting(QuestionRows(db).answerable())
    return try copies.complete(act.newest.map { unread.through($0.rawValue) } ?? unread)
  }

  /// Undoes the last act that is not undone yet, of this run or an earlier one. The messages that it changed get their
  /// former marks, unless they were changed since. Returns `nil` if there is nothing to undo.
  ///
  /// A step whose messages are all deleted is skipped. An edit of the settings stays the last act until the caller has
  /// undone it: see `finish`.
  package func undo(at now: Date) throws(StoreFailure) -> UndoneAct? {
    try write(.system) { db in
      let journal = Journal(db)
      while let step = try journal.last() {
        if !step.edits.isEmpty { return UndoneAct(EditedStep(row: step.id, edits: step.edits), step) }
        let undone = try Self.revert(step, as: Journal.undo, of: step, db, at: now.milliseconds)
        try journal.markUndone(step.id, at: now.milliseconds)
        if let undone { return undone }
      }
      return nil
    }
  }

  /// Redoes the last undone act, if nothing else was done since. Returns `nil` if there is nothing.
  package func redo(at now: Date) throws(StoreFailure) -> UndoneAct? {
    try write(.system) { db in
      let journal = Journal(db)
      guard let (undo, step) = try journal.lastUndo() else { return nil }
      if !step.edits.isEmpty {
        return UndoneAct(EditedStep(row: step.id, undo: undo.id, edits: step.edits), step)
      }
      let redone = try Self.revert(undo, as: Journal.redo, of: step, db, at: now.milliseconds)
      try journal.markUndone(undo.id, at: now.milliseconds)
      try journal.markDone(step.id)
      return redone
    }
  }

  /// - Parameters:
  ///   - reverted: the step, or an undo of it.
  ///   - step: a step of the user.
  /// - Returns: `nil` if none of its messages exists any more.
  private static func revert(
    _ reverted: Journal.Step, as kind: String, of step: Journal.Step, _ db: Database, at now: Milliseconds
  ) throws -> UndoneAct? {
    let log = MarkLog(db)
    let all = try log.messages(of: reverted)
    var acting = ActTransaction(
      db, kind, undoes: reverted.id, isCarried: step.kind != .rule, at: now)
    var restored = IDRanges()
    try acting.act(on: all) { act, ids in
      let writer = MarkWriter(db, by: .person, act: act, at: now)
      writer.writesAgain = reverted.acts.count > 1
      // The order is reversed, since a message may have several changes of one step.
      for former in reverted.acts.reversed() {
        let changes = try log.changes(of: former).reversed().map(\.inverse)
        let own = ids == all ? changes : changes.map { $0.among(ids) }
        restored = try restored.union(writer.restore(own, of: act == nil ? nil : former))
      }
      return writer.changes.all
    }
    let copies = Duplicates(db)
    let rest = all.subtracting(restored)
    let left = try copies.count(copies.stored(rest))
    if restored.isEmpty, left == 0 { return nil }
    let messages = restored.count <= 1000 ? restored.ranges.flatMap { $0.map { MessageID($0) } } : []
    return UndoneAct(
      kind: step.kind, count: try copies.count(restored), left: left,
      machines: left == 0 ? [] : try log.machines(behind: reverted, on: rest), messages: messages,
      at: Date(milliseconds: step.at))
  }

  /// Marks a list as seen, so that its dots disappear. Unread marks stay. It writes nothing if there are no dots; the
  /// starred list has none.
  package func markSeen(_ scope: InboxQuery.Scope) throws(StoreFailure) {
    if scope == .starred || scope == .waiting || scope.isOutOfInbox { return }
    if case .list(let list) = scope {
      guard try read({ db in try SavedLists(db).canSee(list) }) else { return }
      return try write { db in try SavedLists(db).see(list) }
    }
    guard try read({ db in try !Self.unseen(in: scope, db).isEmpty }) else { return }
    try write { db in
      let see = try db.prepared(
        "UPDATE status SET is_unseen = 0 WHERE source_id = ? AND is_unseen AND NOT is_read")
      for source in try Self.unseen(in: scope, db) {
        try OwnActs(db).addSeen(source)
        try see.run(source)
      }
    }
  }

  /// Returns the sources of a list that contain an unseen listed message, and so have a dot.
  private static func unseen(in scope: InboxQuery.Scope, _ db: Database) throws -> [Int64] {
    guard let range = try ListRange(db, scope, isUnreadOnly: false) else { return [] }
    let query = try db.prepared(
      "SELECT s.id FROM source s WHERE s.position IS NOT NULL AND \(SourceStatus.hasDot)")
    var sources: [Int64] = []
    try query.forEach { sources.append(query.int(0)) }
    return sources.filter(range.contains)
  }
}

extension SourceStatus {
  /// The SQL condition on `source s` that the source lists an unseen message.
  static let hasDot =
    "EXISTS (SELECT 1 FROM status u WHERE u.source_id = s.id AND u.is_unseen AND NOT u.is_read)"
}

extension UndoneAct {
  fileprivate init(_ edited: EditedStep, _ step: Journal.Step) {
    self.init(kind: step.kind, count: 1, messages: [], at: Date(milliseconds: step.at), step: edited)
  }
}
