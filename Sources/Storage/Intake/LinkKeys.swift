import GRDB
import Messages

/// The links and ids by which messages of several sources, or with several ids, are known as the same.
struct LinkKeys {
  private let db: Database

  init(_ db: Database) { self.db = db }

  /// The sources whose messages may be the first of another's copies, without `source`.
  func otherSources(than source: Source) throws -> Set<Int64> {
    let query = try db.prepared(
      """
      SELECT id FROM source WHERE id <> ? AND place IS NOT NULL AND kind NOT IN (?, ?)
        AND json_extract(options, '$.dedupe') IS NOT 0
      """)
    query.bind(1, source.id.rawValue)
    try query.bind(2, SourceKind.local.rawValue)
    try query.bind(3, SourceKind.desktop.rawValue)
    var ids: Set<Int64> = []
    try query.forEach { ids.insert(query.int(0)) }
    return ids
  }

  /// Those of some keys that any message has; all where they are few. Of a large poll hardly one is known, and to ask for many
  /// at once costs half as much.
  func known(_ keys: [Int64]) throws -> Set<Int64> {
    if keys.count < Self.atOnce { return Set(keys) }
    let query = try db.prepared(Self.asking)
    var known: Set<Int64> = []
    for start in stride(from: 0, to: keys.count, by: Self.atOnce) {
      for place in 0..<Self.atOnce {
        // The last key again where there are fewer.
        query.bind(Int32(place + 1), keys[min(start + place, keys.count - 1)])
      }
      try query.forEach { known.insert(query.int(0)) }
    }
    return known
  }

  private static let atOnce = 32
  private static let asking = """
    WITH asked (key) AS (VALUES \(Array(repeating: "(?)", count: atOnce).joined(separator: ", ")))
    SELECT key FROM asked a WHERE EXISTS (SELECT 1 FROM link_key k WHERE k.key = a.key)
    """

  /// The message of another source with this key, or the first that it is a copy of. Nil where a source has several
  /// messages with this key, so that it does not tell which they are, or where `source` itself has one.
  func first(_ key: Int64, besides source: Int64, of others: Set<Int64>) throws -> Int64? {
    let query = try db.prepared(
      """
      SELECT t.message_id, t.source_id, t.first_id FROM link_key k CROSS JOIN status t ON t.message_id = k.message_id
      WHERE k.key = ? ORDER BY k.message_id LIMIT 200
      """)
    query.bind(1, key)
    var sources: Set<Int64> = [source]
    var isAmbiguous = false
    var found: Int64?
    try query.forEach {
      guard others.contains(query.int(1)) || query.int(1) == source else { return }
      if !sources.insert(query.int(1)).inserted { isAmbiguous = true }
      if found == nil, others.contains(query.int(1)) { found = query.optionalInt(2) ?? query.int(0) }
    }
    return isAmbiguous ? nil : found
  }

  func add(_ keys: [(key: Int64, message: Int64)]) throws {
    // In the table's order, so that each of its pages is read once.
    let sorted = keys.sorted { ($0.key, $0.message) < ($1.key, $1.message) }
    try RowInsertion(db, into: "link_key", ["key", "message_id"], or: .ignore).insert(sorted) {
      $1.bind($2, $0.key)
      $1.bind($2 + 1, $0.message)
    }
  }

  /// The newest messages of a source with this key.
  func messages(_ key: Int64, of source: Int64) throws -> [(
    message: Int64, remoteID: RemoteID, words: StoredWords
  )] {
    let query = try db.prepared(
      """
      SELECT k.message_id, d.remote_id, m.title, d.published, d.url
      FROM link_key k CROSS JOIN status t ON t.message_id = k.message_id
        CROSS JOIN message m ON m.id = k.message_id CROSS JOIN detail d ON d.message_id = k.message_id
      WHERE k.key = ? AND t.source_id = ? ORDER BY k.message_id DESC LIMIT 200
      """)
    query.bind(1, key)
    query.bind(2, source)
    var messages: [(message: Int64, remoteID: RemoteID, words: StoredWords)] = []
    try query.forEach {
      let words = StoredWords(
        title: query.text(2), published: query.optionalInt(3), url: query.optionalText(4))
      messages.append((query.int(0), RemoteID(query.text(1)), words))
    }
    return messages
  }

  /// Of a stored message.
  func keys(of id: Int64) throws -> [Int64] {
    let query = try db.prepared(
      """
      SELECT d.url, d.remote_id, m.title, d.published, m.kind
      FROM detail d CROSS JOIN message m ON m.id = d.message_id WHERE d.message_id = ?
      """)
    query.bind(1, id)
    return try query.first {
      let (url, remoteID) = (query.optionalText(0), query.text(1))
      let keys = LinkKey.all(url: url, remoteID: remoteID)
      guard query.text(4) == MessageKind.feed.rawValue else { return keys }
      let own = LinkKey.withoutQuery(
        url: url, remoteID: remoteID, title: query.text(2), published: query.optionalInt(3))
      return own.map { keys + [$0] } ?? keys
    } ?? []
  }

  /// Before the message's rows go.
  func remove(_ id: Int64) throws { try remove(keys(of: id), id) }

  func remove(_ keys: [Int64], _ id: Int64) throws {
    for key in keys { try db.prepared("DELETE FROM link_key WHERE key = ? AND message_id = ?").run(key, id) }
  }
}
