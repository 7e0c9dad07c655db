import Foundation
import GRDB
import Messages

/// The user's acts, oldest first, each with the messages that it changed, or with what was taken out of the settings.
/// Undone ones stay, marked.
struct Journal {
  struct Entry {
    var id: Int64
    var at: Milliseconds
    var act: UndoneAct.Kind
    var ids: IDRanges
    /// Of rules.
    var changes: RuleChanges?
    /// Of something that was taken out of the settings.
    var removal: Removed?
  }

  let db: Database

  init(_ db: Database) { self.db = db }

  /// An act of rules.
  func append(_ act: UndoneAct.Kind, _ ids: IDRanges, changes: RuleChanges, at now: Milliseconds) throws {
    try append(act, ids, at: now)
    let encoded = String(decoding: try JSONEncoder().encode(changes), as: UTF8.self)
    let update = try db.prepared("UPDATE journal SET changes = ? WHERE id = last_insert_rowid()")
    try update.bind(1, encoded)
    try update.run()
  }

  /// - Returns: the id of the row.
  func append(_ removed: Removed, at now: Milliseconds) throws -> Int64 {
    try append(.removal, IDRanges(), at: now)
    let row = db.lastInsertedRowID
    let update = try db.prepared("UPDATE journal SET removal = ?2 WHERE id = ?1")
    update.bind(1, row)
    try update.bind(2, String(decoding: try JSONEncoder().encode(removed), as: UTF8.self))
    try update.run()
    return row
  }

  /// - Parameter joining: where the last entry is the same act on these messages alone, it becomes an act on all.
  func append(
    _ act: UndoneAct.Kind, _ ids: IDRanges, joining: IDRanges? = nil, at now: Milliseconds
  ) throws {
    if let joining, let last = try last(), last.act == act, last.ids == joining {
      let update = try db.prepared("UPDATE journal SET ids = ?2 WHERE id = ?1")
      update.bind(1, last.id)
      try update.bind(2, blob: ids.union(joining).bytes)
      return try update.run()
    }
    let insert = try db.prepared("INSERT INTO journal (at, act, ids) VALUES (?, ?, ?)")
    insert.bind(1, now)
    try insert.bind(2, act.rawValue)
    try insert.bind(3, blob: ids.bytes)
    try insert.run()
    try db.prepared("DELETE FROM journal WHERE id <= ?").run(db.lastInsertedRowID - Self.length)
  }

  /// Acts that are kept; those before them can't be undone any more.
  static let length: Int64 = 10_000

  var canUndo: Bool {
    get throws { try db.integer("SELECT max(id) FROM journal WHERE undone IS NULL") != nil }
  }

  /// The last act that was not undone.
  func last() throws -> Entry? {
    let query = try db.prepared(
      "SELECT id, at, act, ids, changes, removal FROM journal WHERE undone IS NULL ORDER BY id DESC LIMIT 1")
    return try query.first {
      guard let act = UndoneAct.Kind(rawValue: query.text(2)), let ids = IDRanges(bytes: query.blob(3)) else {
        throw StoreFailure.corrupt(path: "journal", reason: "entry \(query.int(0)) cannot be read")
      }
      let changes = try query.optionalText(4).map {
        try JSONDecoder().decode(RuleChanges.self, from: Data($0.utf8))
      }
      let removal = try query.optionalText(5).map {
        try JSONDecoder().decode(Removed.self, from: Data($0.utf8))
      }
      return Entry(
        id: query.int(0), at: query.int(1), act: act, ids: ids, changes: changes, removal: removal)
    }
  }

  /// What was removed is kept no longer than it is needed: it may hold a token.
  func markUndone(_ row: Int64, at now: Milliseconds) throws {
    try db.prepared("UPDATE journal SET undone = ?, removal = NULL WHERE id = ? AND undone IS NULL").run(
      now, row)
  }

  /// Nothing was done.
  func discard(_ row: Int64) throws { try db.prepared("DELETE FROM journal WHERE id = ?").run(row) }
}
