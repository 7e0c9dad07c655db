import Foundation
import GRDB
import Messages

/// Derives the `EntryFacts` of messages that an earlier version stored: those of a source when it first needs them, the
/// others a few at a time, the newest first.
struct EntryFilling {
  private let db: Database

  init(_ db: Database) { self.db = db }

  /// Derives the facts of all messages of a source.
  ///
  /// - Parameter memory: receives the properties of the source that follow from its messages.
  func fill(_ source: SourceID, _ memory: inout SourceMemory) throws {
    var keys: [(key: Int64, message: Int64)] = []
    var ids: Set<String> = []
    for condition in ["t.is_listed", "NOT t.is_listed"] {
      let query = try db.prepared(
        "\(Self.missing) FROM \(Self.tables) WHERE t.source_id = ? AND \(condition) AND m.kind = 'feed'")
      query.bind(1, source.rawValue)
      try fill(query, &keys) { facts, remoteID, url in
        if remoteID != url, ids.count < 2 { ids.insert(remoteID) }
      }
    }
    try EntryKeys(db).add(keys)
    if ids.count > 1 { memory.tellsApart = true }
    if !memory.recurs { memory.recurs = try recurs(source) }
    try db.prepared("UPDATE polling SET has_facts = 1 WHERE source_id = ?").run(source.rawValue)
  }

  /// Whether two messages of a source have the same title and page, as `SourceMemory.recurs` records.
  private func recurs(_ source: SourceID) throws -> Bool {
    let query = try db.prepared(
      """
      SELECT f.message_id, \(EntryTable.factColumns) FROM identity i
        CROSS JOIN entry_facts f ON f.message_id = i.message_id WHERE i.source_id = ?
      """)
    query.bind(1, source.rawValue)
    var seen: Set<Int64> = []
    defer { query.reset() }
    while try query.step() {
      if !seen.insert(EntryTable.facts(query, from: 1).recurrence(in: source)).inserted { return true }
    }
    return false
  }

  /// Derives the facts of some messages that have none, the newest first.
  ///
  /// - Returns: whether there are more.
  @discardableResult
  func fillSome(atMost: Int = 1000) throws -> Bool {
    guard let from = try db.integer("SELECT facts_from FROM store"), from > 0 else { return false }
    let last = try db.integer(
      "SELECT min(id) FROM (SELECT id FROM message WHERE id < ? ORDER BY id DESC LIMIT ?)", from,
      Int64(atMost))
    let query = try db.prepared(
      "\(Self.missing) FROM \(Self.tables) WHERE t.message_id >= ? AND t.message_id < ?")
    query.bind(1, last ?? 0)
    query.bind(2, from)
    var keys: [(key: Int64, message: Int64)] = []
    if last != nil { try fill(query, &keys) { _, _, _ in } }
    try EntryKeys(db).add(keys)
    try db.prepared("UPDATE store SET facts_from = ?").run(last ?? 0)
    return last != nil
  }

  /// The beginning of the queries for messages whose facts are derived.
  private static let missing = """
    SELECT t.message_id, t.source_id, m.kind, m.title, d.body, d.url, d.published, d.updated, d.remote_id,
      f.message_id IS NOT NULL
    """
  private static let tables = """
    status t CROSS JOIN message m ON m.id = t.message_id CROSS JOIN detail d ON d.message_id = t.message_id
      LEFT JOIN entry_facts f ON f.message_id = t.message_id
    """

  private func fill(
    _ query: Prepared, _ keys: inout [(key: Int64, message: Int64)],
    _ body: (EntryFacts, String, String?) -> Void
  ) throws {
    var reader = EntryReader()
    var made: [(EntryFacts, Int64)] = []
    try query.forEach {
      let (id, source, url) = (query.int(0), SourceID(query.int(1)), query.optionalText(5))
      let remoteID = query.text(8)
      // Messages of scripts and desktop notifications are never the originals of another source's messages.
      if query.text(2) != MessageKind.local.rawValue, query.text(2) != MessageKind.desktop.rawValue {
        keys += EntryKeys.shared(url: url, id: RemoteID(remoteID)).map { ($0, id) }
      }
      guard query.text(2) == MessageKind.feed.rawValue, !query.bool(9) else { return }
      let facts = reader.read(
        storedTitle: query.text(3), body: query.text(4), url: url,
        published: query.optionalInt(6).map(Date.init(milliseconds:)),
        updated: query.optionalInt(7).map(Date.init(milliseconds:)))
      keys += facts.keys(in: source).map { ($0, id) }
      made.append((facts, id))
      body(facts, remoteID, url)
    }
    try EntryTable.insertion(db).insert(made) { EntryTable.bind($0.0, $0.1, to: $1, from: $2) }
  }
}
