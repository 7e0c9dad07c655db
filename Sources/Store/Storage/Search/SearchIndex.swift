import GRDB
import Messages

/// Writes the full-text index. The index contains no text itself: a removal needs the text exactly as it was inserted.
struct SearchIndex {
  private let db: Database
  private let insertion: Prepared
  private let removal: Prepared
  /// The id below which messages are not in the index yet: see `StoreSearch.fill`.
  private let from: Int64

  init(_ db: Database) throws {
    self.db = db
    insertion = try db.prepared(
      "INSERT INTO search (rowid, title, body, author) VALUES (?, ?, ?, ?)")
    from = try Self.from(db)
    removal = try db.prepared(
      "INSERT INTO search (rowid, title, body, author, search) VALUES (?, ?, ?, ?, 'delete')")
  }

  func insert(_ id: Int64, title: String, body: String, author: String?) throws {
    try run(insertion, id, title: title, body: body, author: author)
  }

  func remove(_ id: Int64, title: String, body: String, author: String?) throws {
    try run(removal, id, title: title, body: body, author: author)
  }

  /// Removes a stored message.
  func remove(_ id: Int64) throws {
    let query = try db.prepared(
      "SELECT m.title, d.body, d.author FROM message m JOIN detail d ON d.message_id = m.id WHERE m.id = ?")
    query.bind(1, id)
    let text = try query.first { (query.text(0), query.text(1), query.optionalText(2)) }
    if let text { try remove(id, title: text.0, body: text.1, author: text.2) }
  }

  // MARK: - Messages of earlier versions

  /// Whether every message is in the index.
  static func isComplete(_ db: Database) throws -> Bool { try from(db) <= 1 }

  private static func from(_ db: Database) throws -> Int64 {
    try db.integer("SELECT search_from FROM store") ?? 0
  }

  /// Adds the next messages, the newest first.
  ///
  /// - Parameter limit: the maximum number.
  static func fill(_ db: Database, _ limit: Int) throws {
    let texts = try db.prepared(
      """
      SELECT m.id, m.title, d.body, d.author FROM message m JOIN detail d ON d.message_id = m.id
      WHERE m.id < ?1 ORDER BY m.id DESC LIMIT ?2
      """)
    texts.bind(1, try from(db))
    texts.bind(2, limit)
    var found: [(id: Int64, title: String, body: String, author: String?)] = []
    try texts.forEach { found.append((texts.int(0), texts.text(1), texts.text(2), texts.optionalText(3))) }
    try db.prepared("UPDATE store SET search_from = ?").run(found.count < limit ? 0 : found.last?.id ?? 0)
    let index = try SearchIndex(db)
    // The index writes its collected entries at each id that is less than the one before.
    for text in found.reversed() {
      try index.insert(text.id, title: text.title, body: text.body, author: text.author)
    }
  }

  /// Empties the index; `fill` adds all messages again.
  static func empty(_ db: Database) throws {
    try db.execute(
      sql: """
        INSERT INTO search(search) VALUES ('delete-all');
        UPDATE store SET search_from = last_message + 1;
        """)
  }

  private func run(
    _ statement: Prepared, _ id: Int64, title: String, body: String, author: String?
  ) throws {
    guard id >= from else { return }
    statement.bind(1, id)
    try statement.bind(2, SearchText.indexed(title))
    try statement.bind(3, SearchText.indexed(body))
    try statement.bind(4, SearchText.indexed(author ?? ""))
    try statement.run()
  }
}
