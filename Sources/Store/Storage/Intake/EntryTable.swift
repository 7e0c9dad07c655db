import Foundation
import GRDB
import Messages

/// The ids of one source's stored messages, the facts by which a feed's entries are compared with them (`EntryFacts`),
/// and the keys under which they are looked up: the tables `identity`, `entry_facts` and `entry_key`.
struct EntryTable {
  let db: Database
  let source: SourceID

  init(_ db: Database, of source: SourceID) { (self.db, self.source) = (db, source) }

  /// A row of the table `identity`, which records the message of an id.
  struct Row {
    var remoteID: RemoteID
    /// The number of the message; negative if the message is no longer kept, 0 if an earlier version deleted it.
    var message: Int64
    var hash: Int64
    /// The hash of the event that the message reported, if the message is no longer kept.
    var occasion: Int64?
    /// Whether the id arrived for different entries, which are stored under separate ids.
    var isDoubted: Bool

    /// Whether the row only records that the id is in doubt.
    var isMark: Bool { isDoubted && message == 0 && hash == 0 }
  }

  // MARK: - Looking up

  private static let columns = "remote_id, message_id, hash, event_hash, is_doubted"

  func row(_ id: RemoteID) throws -> Row? {
    let query = try db.prepared(
      "SELECT \(Self.columns) FROM identity WHERE source_id = ? AND remote_id = ?")
    query.bind(1, source.rawValue)
    try query.bind(2, id.text)
    return try query.first { Self.row(query) }
  }

  /// Returns the rows of all messages that arrived with an id in doubt.
  func rows(under id: RemoteID) throws -> [Row] {
    let query = try db.prepared(
      """
      SELECT \(Self.columns) FROM identity WHERE source_id = ?1 AND remote_id = ?2
      UNION ALL SELECT \(Self.columns) FROM identity
      WHERE source_id = ?1 AND remote_id >= ?3 || '|' AND remote_id < ?3 || '}'
      """)
    query.bind(1, source.rawValue)
    try query.bind(2, id.text)
    try query.bind(3, id.base)
    var rows: [Row] = []
    try query.forEach {
      let row = Self.row(query)
      if !row.isMark, row.remoteID == id || row.remoteID.isApart(from: id) { rows.append(row) }
    }
    return rows
  }

  private static func row(_ query: Prepared, from first: Int32 = 0) -> Row {
    Row(
      remoteID: RemoteID(query.text(first)), message: query.int(first + 1), hash: query.int(first + 2),
      occasion: query.optionalInt(first + 3), isDoubted: query.bool(first + 4))
  }

  func entry(_ row: Row) throws -> StoredEntry {
    StoredEntry(
      number: row.message.magnitudeAsNumber, isKept: row.message > 0, storedID: row.remoteID, hash: row.hash,
      facts: try row.message == 0 ? nil : facts(of: row.message.magnitudeAsNumber))
  }

  func facts(of number: Int64) throws -> EntryFacts? {
    let query = try db.prepared("SELECT \(Self.factColumns) FROM entry_facts WHERE message_id = ?")
    query.bind(1, number)
    return try query.first { Self.facts(query) }
  }

  static let factColumns = "words, time, title, text, page, name"

  /// Returns the facts in the current row, in which `factColumns` begin at this position.
  static func facts(_ query: Prepared, from first: Int32 = 0) -> EntryFacts {
    EntryFacts(
      words: query.int(first), time: query.optionalInt(first + 1).map(EntryTime.init(stored:)),
      title: query.optionalInt(first + 2), text: query.optionalInt(first + 3),
      page: query.optionalInt(first + 4),
      name: query.optionalInt(first + 5))
  }

  // MARK: - Writing

  /// Deletes the row of an id, and returns it.
  func removeRow(of id: RemoteID) throws -> Row? {
    let change = try db.prepared(
      "DELETE FROM identity WHERE source_id = ? AND remote_id = ? RETURNING \(Self.columns)")
    change.bind(1, source.rawValue)
    try change.bind(2, id.text)
    return try change.first { Self.row(change) }
  }

  /// Stores the facts by which entries are compared with a message, and replaces its earlier facts.
  func save(_ facts: EntryFacts, of number: Int64) throws {
    let change = try db.prepared(
      "INSERT OR REPLACE INTO entry_facts (message_id, \(Self.factColumns)) VALUES (?, ?, ?, ?, ?, ?, ?)")
    Self.bind(facts, number, to: change, from: 1)
    try change.run()
  }

  static func insertion(_ db: Database) -> RowInsertion {
    RowInsertion(db, into: "entry_facts", ["message_id", "words", "time", "title", "text", "page", "name"])
  }

  static func bind(_ facts: EntryFacts, _ number: Int64, to statement: Prepared, from first: Int32) {
    statement.bind(first, number)
    statement.bind(first + 1, facts.words)
    statement.bind(first + 2, facts.time?.stored)
    statement.bind(first + 3, facts.title)
    statement.bind(first + 4, facts.text)
    statement.bind(first + 5, facts.page)
    statement.bind(first + 6, facts.name)
  }

  /// Records that an id is in doubt, since it arrived for different entries, so that no message is stored
  /// under it.
  func doubt(_ id: RemoteID) throws {
    let change = try db.prepared(
      """
      INSERT INTO identity (source_id, remote_id, message_id, hash, is_doubted) VALUES (?, ?, 0, 0, 1)
      ON CONFLICT DO UPDATE SET is_doubted = 1
      """)
    change.bind(1, source.rawValue)
    try change.bind(2, id.text)
    try change.run()
  }

  /// Deletes the record of a message that is no longer kept: its id and its facts.
  func forget(_ row: Row) throws {
    let change = try db.prepared("DELETE FROM identity WHERE source_id = ? AND remote_id = ?")
    change.bind(1, source.rawValue)
    try change.bind(2, row.remoteID.text)
    try change.run()
    if row.message != 0 { try forgetFacts(of: row.message.magnitudeAsNumber) }
  }

  /// Deletes the facts of a message, and the keys by which its source finds it.
  func forgetFacts(of number: Int64) throws {
    if let facts = try facts(of: number) { try EntryKeys(db).remove(facts.keys(in: source), number) }
    try db.prepared("DELETE FROM entry_facts WHERE message_id = ?").run(number)
  }

  /// Keeps the id and the facts of a message that is deleted, with the hash of the event that it reported.
  func keep(_ number: Int64, occasion: Int64?, at now: Milliseconds) throws {
    let change = try db.prepared(
      """
      UPDATE identity SET message_id = -?2, event_hash = ?3, last_listed = ?4
      WHERE source_id = ?1 AND remote_id = (SELECT remote_id FROM detail WHERE message_id = ?2)
      """)
    change.bind(1, source.rawValue)
    change.bind(2, number)
    change.bind(3, occasion)
    change.bind(4, now)
    try change.run()
    try db.prepared(
      """
      UPDATE entry_facts SET remote_id = (SELECT remote_id FROM detail WHERE message_id = ?1) WHERE message_id = ?1
      """
    ).run(number)
  }

  /// Deletes some of the records that remain of the source's deleted messages.
  ///
  /// - Returns: whether there were any.
  func forgetSome(atMost count: Int) throws -> Bool {
    let query = try db.prepared(
      "SELECT \(Self.columns) FROM identity WHERE source_id = ? AND message_id <= 0 LIMIT ?")
    query.bind(1, source.rawValue)
    query.bind(2, count)
    var rows: [Row] = []
    try query.forEach { rows.append(Self.row(query)) }
    for row in rows { try forget(row) }
    return !rows.isEmpty
  }

  /// Deletes some of the records that remain of deleted messages, if no document has contained the messages for long.
  ///
  /// - Parameter seconds: the minimum time since the last document that contained the message.
  /// - Returns: whether there may be more.
  static func forgetSome(
    unlistedFor seconds: Milliseconds, at time: BelievedTime, _ db: Database
  ) throws -> Bool {
    let query = try db.prepared(
      "SELECT source_id, \(columns) FROM identity WHERE message_id <= 0 AND last_listed < ? LIMIT \(slice)")
    query.bind(1, time.now - seconds * 1000)
    var found: [(source: SourceID, row: Row)] = []
    try query.forEach { found.append((SourceID(query.int(0)), row(query, from: 1))) }
    for (source, row) in found { try EntryTable(db, of: source).forget(row) }
    return found.count == slice
  }

  /// The row that marks an id as in doubt.
  struct Mark {
    fileprivate var source: SourceID
    fileprivate var remoteID: RemoteID
  }

  /// Deletes a slice of the rows that mark an id as in doubt, if no message that arrived with the id is left.
  ///
  /// - Parameter last: the last row of the slice before.
  /// - Returns: the last row of this slice, or `nil` if there are no more.
  static func forgetMarks(after last: Mark?, _ db: Database) throws -> Mark? {
    let query = try db.prepared(
      """
      SELECT source_id, \(columns) FROM identity INDEXED BY identity_doubted
      WHERE is_doubted AND (source_id, remote_id) > (?, ?) ORDER BY source_id, remote_id LIMIT \(slice)
      """)
    query.bind(1, last?.source.rawValue ?? 0)
    try query.bind(2, last?.remoteID.text ?? "")
    var found: [(source: SourceID, row: Row)] = []
    try query.forEach { found.append((SourceID(query.int(0)), row(query, from: 1))) }
    for (source, row) in found where row.isMark {
      let table = EntryTable(db, of: source)
      if try table.rows(under: row.remoteID).isEmpty { try table.forget(row) }
    }
    return found.count == slice ? found.last.map { Mark(source: $0.source, remoteID: $0.row.remoteID) } : nil
  }

  private static let slice = 1000

  // MARK: - The source

  /// Returns the properties of the source's documents, and whether all its messages have facts.
  func memory() throws -> (memory: SourceMemory, hasFacts: Bool) {
    let query = try db.prepared(
      "SELECT tells_apart, is_steady, recurs, document_at, has_facts FROM polling WHERE source_id = ?")
    query.bind(1, source.rawValue)
    var memory = SourceMemory()
    let hasFacts = try query.first {
      (memory.tellsApart, memory.isSteady, memory.recurs) = (query.bool(0), query.bool(1), query.bool(2))
      memory.lastDocument = query.optionalInt(3)
      return query.bool(4)
    }
    return (memory, hasFacts ?? true)
  }

  func save(_ memory: SourceMemory) throws {
    let change = try db.prepared(
      "UPDATE polling SET tells_apart = ?2, is_steady = ?3, recurs = ?4, document_at = ?5 WHERE source_id = ?1"
    )
    change.bind(1, source.rawValue)
    change.bind(2, memory.tellsApart)
    change.bind(3, memory.isSteady)
    change.bind(4, memory.recurs)
    change.bind(5, memory.lastDocument)
    try change.run()
  }
}

extension EntryTable: StoredEntries {
  func numbers(with key: Int64, without taken: Set<Int64>, atMost most: Int) throws -> [Int64]? {
    let query = try db.prepared("SELECT message_id FROM entry_key WHERE key = ? ORDER BY message_id DESC")
    query.bind(1, key)
    var numbers: [Int64] = []
    defer { query.reset() }
    while numbers.count <= most, try query.step() {
      let number = query.int(0)
      if !taken.contains(number) { numbers.append(number) }
    }
    return numbers.count > most ? nil : numbers
  }

  func entry(_ number: Int64) throws -> StoredEntry? {
    let query = try db.prepared(
      """
      SELECT \(Self.factColumns), i.remote_id, i.message_id, i.hash
      FROM entry_facts f LEFT JOIN detail d ON d.message_id = f.message_id
        CROSS JOIN identity i ON i.source_id = ?2 AND i.remote_id = coalesce(f.remote_id, d.remote_id)
      WHERE f.message_id = ?1 AND abs(i.message_id) = ?1
      """)
    query.bind(1, number)
    query.bind(2, source.rawValue)
    return try query.first {
      StoredEntry(
        number: number, isKept: query.int(7) > 0, storedID: RemoteID(query.text(6)), hash: query.int(8),
        facts: Self.facts(query))
    }
  }

  func haveSeveralMoments() throws -> Bool {
    let query = try db.prepared(
      """
      SELECT f.time FROM identity i CROSS JOIN entry_facts f ON f.message_id = abs(i.message_id) WHERE i.source_id = ?
      """)
    query.bind(1, source.rawValue)
    defer { query.reset() }
    var first: Int64??
    while try query.step() {
      let moment = query.optionalInt(0).flatMap { EntryTime(stored: $0).moment }
      if let first, first != moment { return true }
      first = .some(moment)
    }
    return false
  }
}

/// The keys under which messages are looked up by their facts. They are hashes, so a message that is found must be
/// compared.
struct EntryKeys {
  private let db: Database

  init(_ db: Database) { self.db = db }

  func add(_ keys: [(key: Int64, message: Int64)]) throws {
    // They are added in the table's order, so that each of its pages is read once.
    try addSorted(keys.sorted(by: <))
  }

  /// Replaces the `former` keys of messages by `keys`. An edit changes few of a message's keys, and unchanged
  /// ones are not written.
  func replace(_ former: [(key: Int64, message: Int64)], by keys: [(key: Int64, message: Int64)]) throws {
    var (former, new) = (former.sorted(by: <)[...], keys.sorted(by: <)[...])
    var added: [(key: Int64, message: Int64)] = []
    while let old = former.first {
      if let key = new.first, key < old {
        added.append(key)
        new.removeFirst()
      } else {
        // The same key may be listed several times.
        while let next = former.first, next == old { former.removeFirst() }
        if new.first.map({ $0 == old }) != true { try remove([old.key], old.message) }
      }
    }
    try addSorted(added + new)
  }

  private func addSorted(_ keys: [(key: Int64, message: Int64)]) throws {
    try RowInsertion(db, into: "entry_key", ["key", "message_id"], or: .ignore).insert(keys) {
      $1.bind($2, $0.key)
      $1.bind($2 + 1, $0.message)
    }
  }

  func remove(_ keys: [Int64], _ message: Int64) throws {
    for key in keys {
      try db.prepared("DELETE FROM entry_key WHERE key = ? AND message_id = ?").run(key, message)
    }
  }

  /// Whether another message has a key.
  func isShared(_ key: Int64, besides message: Int64) throws -> Bool {
    try db.integer("SELECT 1 FROM entry_key WHERE key = ? AND message_id <> ? LIMIT 1", key, message) == 1
  }

  /// Returns those keys that any message has, or all of them if there are few. Hardly any message of a large poll is
  /// known, and looking up many keys together costs half as much.
  func known(_ keys: [Int64]) throws -> Set<Int64> {
    if keys.count < Self.atOnce { return Set(keys) }
    let query = try db.prepared(Self.asking)
    var known: Set<Int64> = []
    for start in stride(from: 0, to: keys.count, by: Self.atOnce) {
      for place in 0..<Self.atOnce {
        // The last key is repeated if there are fewer.
        query.bind(Int32(place + 1), keys[min(start + place, keys.count - 1)])
      }
      try query.forEach { known.insert(query.int(0)) }
    }
    return known
  }

  private static let atOnce = 32
  /// The query that returns which of its `atOnce` parameters are keys of any message.
  private static let asking = """
    WITH asked (key) AS (VALUES \(Array(repeating: "(?)", count: atOnce).joined(separator: ", ")))
    SELECT key FROM asked a WHERE EXISTS (SELECT 1 FROM entry_key k WHERE k.key = a.key)
    """

  /// Returns the keys under which other sources find a stored message.
  func shared(of message: Int64) throws -> [Int64] {
    let query = try db.prepared("SELECT url, remote_id FROM detail WHERE message_id = ?")
    query.bind(1, message)
    return try query.first { EntryKeys.shared(url: query.optionalText(0), id: RemoteID(query.text(1))) } ?? []
  }

  static func shared(url: String?, id: RemoteID) -> [Int64] {
    EntryFacts.shared(page: url.flatMap(EntryReader.page), worldwideID: EntryReader.worldwide(id.undoubted))
  }

  /// Returns the keys under which its own source finds a stored message, or none if it isn't the entry of a feed.
  func own(of message: Int64) throws -> [Int64] {
    guard let source = try db.integer("SELECT source_id FROM status WHERE message_id = ?", message) else {
      return []
    }
    let table = EntryTable(db, of: SourceID(source))
    return try table.facts(of: message)?.keys(in: table.source) ?? []
  }
}

extension Int64 {
  /// The number of a message, from its form in `identity`, which is negative if the message isn't kept.
  var magnitudeAsNumber: Int64 { self == .min ? .max : abs(self) }
}
