import GRDB
import Messages

/// Writes the full-text index. It holds no text of its own: what is removed must be given as it was inserted.
struct SearchIndex {
  private let db: Database
  private let insertion: Prepared
  private let removal: Prepared

  init(_ db: Database) throws {
    self.db = db
    insertion = try db.prepared(
      "INSERT INTO search (rowid, title, body, author) VALUES (?, ?, ?, ?)")
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

  private func run(
    _ statement: Prepared, _ id: Int64, title: String, body: String, author: String?
  ) throws {
    statement.bind(1, id)
    try statement.bind(2, SearchText.spread(title))
    try statement.bind(3, SearchText.spread(body))
    try statement.bind(4, SearchText.spread(author ?? ""))
    try statement.run()
  }
}
