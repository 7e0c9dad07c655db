import Foundation
import GRDB
import Marks
import Messages

/// The acts of the person, oldest first. What each changed is in `MarkLog`; what was taken out of the settings is here.
struct Journal {
  struct Step {
    var id: Int64
    var at: Milliseconds
    var kind: UndoneAct.Kind
    /// Of an undo: the act that it undoes.
    var undoes: Int64?
    /// Of something that was taken out of the settings.
    var removal: Removed?
  }

  let db: Database

  init(_ db: Database) { self.db = db }

  /// Makes an act a step.
  ///
  /// - Parameters:
  ///   - kind: as stored: of `UndoneAct.Kind`, or `undo` or `redo`.
  ///   - joining: where the last step is the same act on these messages alone, both are one step.
  func append(
    _ kind: String, _ changes: [MarkChange], undoes: Int64? = nil, joining: IDRanges? = nil,
    at now: Milliseconds
  ) throws {
    if let joining, let last = try last(), last.kind.rawValue == kind,
      try MarkLog(db).changes(of: last.id).reduce(IDRanges(), { $0.union($1.messages) }) == joining
    {
      return try MarkLog(db).add(changes, to: last.id)
    }
    let insert = try db.prepared("INSERT INTO journal (at, kind, undoes) VALUES (?, ?, ?)")
    insert.bind(1, now)
    try insert.bind(2, kind)
    insert.bind(3, undoes)
    try insert.run()
    let row = db.lastInsertedRowID
    try MarkLog(db).add(changes, to: row)
    try forget(before: row - Self.length)
  }

  /// Steps that are kept, undos and what was undone included; those before them can't be undone any more. That a person
  /// changed a mark is kept as long as the message.
  static let length: Int64 = 20_000

  private func forget(before row: Int64) throws {
    guard try db.integer("SELECT min(id) FROM journal") ?? row + 1 <= row else { return }
    try db.prepared(
      """
      INSERT INTO mark_change (act, field, message, through, old, new)
      SELECT 0, c.field, c.message, c.through, NULL, c.new FROM journal j CROSS JOIN mark_change c ON c.act = j.id
      WHERE j.id <= ? AND j.undone IS NULL AND j.undoes IS NULL AND j.kind <> 'rule'
      ON CONFLICT DO UPDATE SET through = max(through, excluded.through)
      """
    ).run(row)
    try db.prepared("DELETE FROM mark_change WHERE act > 0 AND act <= ?").run(row)
    try db.prepared("DELETE FROM journal WHERE id <= ?").run(row)
  }

  /// A part of an act.
  ///
  /// - Parameter act: the parts before; nil begins it.
  /// - Returns: that of all parts.
  func append(
    _ kind: UndoneAct.Kind, _ changes: [MarkChange], to act: Int64?, at now: Milliseconds
  ) throws -> Int64 {
    if let act {
      try MarkLog(db).add(changes, to: act)
      return act
    }
    try append(kind.rawValue, changes, at: now)
    return try db.integer("SELECT max(id) FROM journal") ?? 0
  }

  /// - Returns: the id of the row.
  func append(_ removed: Removed, at now: Milliseconds) throws -> Int64 {
    let insert = try db.prepared("INSERT INTO journal (at, kind, removal) VALUES (?, ?, ?)")
    insert.bind(1, now)
    try insert.bind(2, UndoneAct.Kind.removal.rawValue)
    try insert.bind(3, String(decoding: try JSONEncoder().encode(removed), as: UTF8.self))
    try insert.run()
    return db.lastInsertedRowID
  }

  private static let isUndoable = "undone IS NULL AND undoes IS NULL"

  var canUndo: Bool {
    get throws { try db.integer("SELECT max(id) FROM journal WHERE \(Self.isUndoable)") != nil }
  }

  /// The last act that was not undone.
  func last() throws -> Step? {
    try step("WHERE \(Self.isUndoable) ORDER BY id DESC LIMIT 1")
  }

  /// The last undo that was not undone itself, if nothing else was done since.
  func lastUndo() throws -> (id: Int64, step: Step)? {
    let found = try db.integer(
      """
      SELECT id FROM journal WHERE undone IS NULL AND undoes IS NOT NULL AND kind = '\(Self.undo)'
        AND id > (SELECT coalesce(max(id), 0) FROM journal WHERE undoes IS NULL) ORDER BY id DESC LIMIT 1
      """)
    guard let id = found, let act = try db.integer("SELECT undoes FROM journal WHERE id = ?", id),
      let step = try step("WHERE id = \(act)")
    else { return nil }
    return (id, step)
  }

  static let undo = "undo"
  static let redo = "redo"

  private func step(_ condition: String) throws -> Step? {
    let query = try db.prepared("SELECT id, at, kind, undoes, removal FROM journal \(condition)")
    return try query.first {
      guard let kind = UndoneAct.Kind(rawValue: query.text(2)) else {
        throw StoreFailure.corrupt(path: "journal", reason: "entry \(query.int(0)) cannot be read")
      }
      let removal = try query.optionalText(4).map {
        try JSONDecoder().decode(Removed.self, from: Data($0.utf8))
      }
      return Step(
        id: query.int(0), at: query.int(1), kind: kind, undoes: query.optionalInt(3), removal: removal)
    }
  }

  /// What was removed is kept no longer than it is needed: it may hold a token.
  func markUndone(_ row: Int64, at now: Milliseconds) throws {
    try db.prepared("UPDATE journal SET undone = ?, removal = NULL WHERE id = ? AND undone IS NULL").run(
      now, row)
  }

  /// It was done again.
  func markDone(_ row: Int64) throws {
    try db.prepared("UPDATE journal SET undone = NULL WHERE id = ?").run(row)
  }

  /// Nothing was done.
  func discard(_ row: Int64) throws { try db.prepared("DELETE FROM journal WHERE id = ?").run(row) }
}
