import GRDB
import Messages

/// Checks that the lookup keys of feed entries match the stored facts from which they are derived: hashes of an entry's
/// title, link, text and time.
struct EntryComparison {
  /// The numbers of messages that have entry facts, although they are neither stored nor recorded as deleted.
  private(set) var gone: [Int64] = []
  /// The messages for whose entry facts some keys are missing, with their sources.
  private(set) var lacking: [(message: Int64, source: SourceID)] = []
  /// The keys of messages that never existed, or that were deleted and left no entry facts.
  private(set) var strange: [(key: Int64, message: Int64)] = []

  /// Compares the keys with the entry facts. Call it within a read transaction.
  init(_ db: Database) throws {
    // No index of `identity` contains the numbers of messages that aren't kept.
    try db.execute(
      sql: """
        CREATE TEMP TABLE unkept (number INTEGER PRIMARY KEY, source_id INTEGER NOT NULL);
        INSERT OR IGNORE INTO temp.unkept SELECT -message_id, source_id FROM main.identity
          WHERE message_id < 0 AND message_id > -9223372036854775808;
        """)
    try findLacking(db)
    try findStrange(db)
    try db.execute(sql: "DROP TABLE temp.unkept")
  }

  private mutating func findLacking(_ db: Database) throws {
    let known = try db.prepared("SELECT 1 FROM entry_key WHERE key = ? AND message_id = ?")
    func isThere(_ key: Int64, _ message: Int64) throws -> Bool {
      known.bind(1, key)
      known.bind(2, message)
      return try known.first { true } ?? false
    }
    let facts = try db.makeStatement(
      sql: """
        SELECT f.message_id, coalesce(t.source_id, u.source_id), \(EntryTable.factColumns)
        FROM (SELECT message_id, \(EntryTable.factColumns) FROM main.entry_facts) f
          LEFT JOIN main.status t ON t.message_id = f.message_id
          LEFT JOIN temp.unkept u ON u.number = f.message_id
          LEFT JOIN (SELECT id, kind FROM main.message) m ON m.id = f.message_id
        -- A message that came again as that of a program has no use for them.
        WHERE coalesce(m.kind, 'feed') = 'feed'
        """)
    let query = Prepared(facts)
    try query.forEach {
      let message = query.int(0)
      guard let source = query.optionalInt(1).map(SourceID.init) else { return gone.append(message) }
      let keys = EntryTable.facts(query, from: 2).keys(in: source)
      if try !keys.allSatisfy({ try isThere($0, message) }) { lacking.append((message, source)) }
    }
  }

  private mutating func findStrange(_ db: Database) throws {
    let query = Prepared(
      try db.makeStatement(
        sql: """
          SELECT k.key, k.message_id FROM main.entry_key k
          WHERE NOT EXISTS (SELECT 1 FROM main.status t WHERE t.message_id = k.message_id)
            AND NOT EXISTS (SELECT 1 FROM temp.unkept u JOIN main.entry_facts f ON f.message_id = u.number
              WHERE u.number = k.message_id)
          """))
    try query.forEach { strange.append((query.int(0), query.int(1))) }
  }

  var problems: [String] {
    [
      (gone.count, "messages have facts, but are deleted"),
      (lacking.count, "messages are not found by all of their facts"),
      (strange.count, "keys of messages that are deleted"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
  }
}
