import Basics
import GRDB
import Messages
import Sync

/// What was written of messages that aren't here, or report something else now: the table `waiting`.
struct Waiting {
  /// A value that stands for a field.
  struct Write {
    var field: Act.Field
    var value: Act.Value
    /// An id of the journal.
    var act: Int64
  }

  private let db: Database
  private let now: Milliseconds

  init(_ db: Database, at now: Milliseconds) { (self.db, self.now) = (db, now) }

  /// Of two writes of one field the one that stands is kept.
  func add(_ write: Write, of target: Act.Target, in row: Int64) throws {
    let occasion = write.field.isOfOccasion ? target.occasion : 0
    let known = try db.integer(
      "SELECT act FROM waiting WHERE wire_source = ? AND key = ? AND occasion = ? AND field = ?", row,
      Int64(bitPattern: target.key), Int64(bitPattern: occasion), Int64(write.field.rawValue))
    if let known {
      let writers = Writers(db)
      guard try MergeRule.stands(writers.writer(of: write.act), over: writers.writer(of: known)) else {
        return
      }
    }
    let insert = try db.prepared(
      """
      INSERT OR REPLACE INTO waiting (wire_source, key, occasion, field, value, act, since)
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

  /// Whether a write of a message waits, whatever its occasion.
  func has(_ write: Write, of key: UInt64, in row: Int64) throws -> Bool {
    try db.integer(
      "SELECT 1 FROM waiting WHERE wire_source = ? AND key = ? AND field = ? AND act = ?", row,
      Int64(bitPattern: key), Int64(write.field.rawValue), write.act) == 1
  }

  /// What waits for a message, and ends waiting unless it speaks of more than what the message reports now.
  func remove(for name: WireKeys.Name, in row: Int64) throws -> [Write] {
    let (target, writers) = (name.target, Writers(db))
    let query = try db.prepared(
      "SELECT occasion, field, value, act FROM waiting WHERE wire_source = ? AND key = ?")
    query.bind(1, row)
    query.bind(2, Int64(bitPattern: target.key))
    var writes: [Write] = []
    var ended: [(occasion: Int64, field: Int64)] = []
    try query.forEach {
      let field = Act.Field(rawValue: UInt64(clamping: query.int(1)))
      // The message is here: nobody needs its content any more. A push stays.
      if field == .content { ended.append((0, query.int(1))) }
      if field == .content || field == .push { return }
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
      "DELETE FROM waiting WHERE wire_source = ? AND key = ? AND occasion = ? AND field = ?")
    for (occasion, field) in ended {
      try delete.run(row, Int64(bitPattern: target.key), occasion, field)
    }
    return writes
  }

  // MARK: - Contents

  func remove(_ field: Act.Field, of target: Act.Target, in row: Int64) throws {
    try db.prepared("DELETE FROM waiting WHERE wire_source = ? AND key = ? AND field = ?").run(
      row, Int64(bitPattern: target.key), Int64(field.rawValue))
  }

  /// Keeps who wrote it, and when.
  func empty(_ field: Act.Field, of target: Act.Target, in row: Int64) throws {
    try db.prepared("UPDATE waiting SET value = NULL WHERE wire_source = ? AND key = ? AND field = ?").run(
      row, Int64(bitPattern: target.key), Int64(field.rawValue))
  }

  /// Nil: nobody wrote that.
  func isStarred(_ target: Act.Target, in row: Int64) throws -> Bool? {
    try db.integer(
      "SELECT value FROM waiting WHERE wire_source = ? AND key = ? AND field = \(Act.Field.starred.rawValue)",
      row,
      Int64(bitPattern: target.key)
    ).map { $0 != 0 }
  }

  /// Forgets what has waited for very long.
  func prune(at time: BelievedTime) throws {
    try db.prepared("DELETE FROM waiting WHERE since < ?").run(time.now - Limits.waitingWriteSeconds * 1000)
  }
}

extension Act.Value {
  /// As `waiting` has it.
  fileprivate init(_ row: Prepared, at place: Int32) {
    if row.isNull(place) {
      self = .none
    } else {
      self = row.isBlob(place) ? .bytes(row.blob(place)) : .integer(row.int(place))
    }
  }
}
