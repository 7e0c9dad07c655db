import Basics
import GRDB
import Messages
import Sync

/// Values that other machines wrote about messages that aren't on this machine yet, or that report another event
/// (occasion) here. They wait in the table `early_cell`.
struct EarlyCells {
  /// A value for a field of a message, and the act that wrote it.
  struct Write {
    var field: Act.Field
    var value: Act.Value
    /// The id of an act in the journal.
    var act: Int64
  }

  private let db: Database
  private let now: Milliseconds

  init(_ db: Database, at now: Milliseconds) { (self.db, self.now) = (db, now) }

  /// Adds a write. If there is already one for the field, the one with precedence is kept; of writes about a
  /// question, the first one.
  func add(_ write: Write, of target: Act.Target, in row: Int64) throws {
    let occasion = write.field.isOfOccasion ? target.occasion : 0
    let known = try db.integer(
      "SELECT act FROM early_cell WHERE wire_source = ? AND key = ? AND event_hash = ? AND field = ?", row,
      Int64(bitPattern: target.key), Int64(bitPattern: occasion), Int64(write.field.rawValue))
    if let known {
      let (new, old) = (try Writers(db).writer(of: write.act), try Writers(db).writer(of: known))
      let isOfQuestion = [.answer, .ending].contains(write.field)
      guard isOfQuestion ? new < old : MergeRule.stands(new, over: old) else { return }
    }
    let insert = try db.prepared(
      """
      INSERT OR REPLACE INTO early_cell (wire_source, key, event_hash, field, value, act, since)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """)
    insert.bind(1, row)
    insert.bind(2, Int64(bitPattern: target.key))
    insert.bind(3, Int64(bitPattern: occasion))
    insert.bind(4, Int64(write.field.rawValue))
    switch write.value {
    case .none: insert.bindNull(5)
    case .integer(let value): insert.bind(5, value)
    case .bytes(let bytes): try insert.bind(5, blob: bytes)
    }
    insert.bind(6, write.act)
    insert.bind(7, now)
    try insert.run()
  }

  /// Whether a write about a message waits, whatever event it concerns.
  func has(_ write: Write, of key: UInt64, in row: Int64) throws -> Bool {
    try db.integer(
      "SELECT 1 FROM early_cell WHERE wire_source = ? AND key = ? AND field = ? AND act = ?", row,
      Int64(bitPattern: key), Int64(write.field.rawValue), write.act) == 1
  }

  /// Returns the writes that wait for a message, and deletes them, except those that also concern other events than its
  /// present one.
  func remove(for name: WireKeys.Name, in row: Int64) throws -> [Write] {
    let (target, writers) = (name.target, Writers(db))
    let query = try db.prepared(
      "SELECT event_hash, field, value, act FROM early_cell WHERE wire_source = ? AND key = ?")
    query.bind(1, row)
    query.bind(2, Int64(bitPattern: target.key))
    var writes: [Write] = []
    var ended: [(occasion: Int64, field: Int64)] = []
    try query.forEach {
      let field = Act.Field(rawValue: UInt64(clamping: query.int(1)))
      // The message exists, so its content is no longer needed. A push stays, and so do writes about a question.
      if field == .content { ended.append((0, query.int(1))) }
      if [.content, .push, .answer, .ending].contains(field) { return }
      let occasion = field.isOfOccasion ? target.occasion : 0
      if query.int(0) == Int64(bitPattern: occasion) { ended.append((query.int(0), query.int(1))) }
      if field.isOfOccasion || field == .old {
        let cell = UInt64(bitPattern: query.int(0))
        guard try MergeRule.fits(cell, at: writers.writer(of: query.int(3)).stamp, name.occasion) else {
          return
        }
      }
      writes.append(Write(field: field, value: Act.Value(query, at: 2), act: query.int(3)))
    }
    let delete = try db.prepared(
      "DELETE FROM early_cell WHERE wire_source = ? AND key = ? AND event_hash = ? AND field = ?")
    for (occasion, field) in ended {
      try delete.run(row, Int64(bitPattern: target.key), occasion, field)
    }
    return writes
  }

  // MARK: - Single fields

  /// Returns a write about a message, whatever event it concerns, or `nil` if there is none.
  func find(_ field: Act.Field, of key: UInt64, in row: Int64) throws -> Write? {
    let query = try db.prepared(
      "SELECT value, act FROM early_cell WHERE wire_source = ? AND key = ? AND field = ?")
    query.bind(1, row)
    query.bind(2, Int64(bitPattern: key))
    query.bind(3, Int64(field.rawValue))
    return try query.first { Write(field: field, value: Act.Value(query, at: 0), act: query.int(1)) }
  }

  func remove(_ field: Act.Field, of target: Act.Target, in row: Int64) throws {
    try db.prepared("DELETE FROM early_cell WHERE wire_source = ? AND key = ? AND field = ?").run(
      row, Int64(bitPattern: target.key), Int64(field.rawValue))
  }

  /// Deletes the value of a write that waits in `early_cell`. The act that wrote the value is kept, with its
  /// writer and time.
  func empty(_ field: Act.Field, of target: Act.Target, in row: Int64) throws {
    try db.prepared("UPDATE early_cell SET value = NULL WHERE wire_source = ? AND key = ? AND field = ?").run(
      row, Int64(bitPattern: target.key), Int64(field.rawValue))
  }

  /// Returns whether a message is starred, or `nil` if that was never written.
  func isStarred(_ target: Act.Target, in row: Int64) throws -> Bool? {
    try db.integer(
      "SELECT value FROM early_cell WHERE wire_source = ? AND key = ? AND field = \(Act.Field.starred.rawValue)",
      row,
      Int64(bitPattern: target.key)
    ).map { $0 != 0 }
  }

  /// Deletes writes that have waited for very long.
  func prune(at time: BelievedTime) throws {
    try db.prepared("DELETE FROM early_cell WHERE since < ?").run(
      time.now - Limits.waitingWriteSeconds * 1000)
  }
}

extension Act.Value {
  /// Reads a value from a row of `early_cell`.
  fileprivate init(_ row: Prepared, at place: Int32) {
    if row.isNull(place) {
      self = .none
    } else {
      self = row.isBlob(place) ? .bytes(row.blob(place)) : .integer(row.int(place))
    }
  }
}
