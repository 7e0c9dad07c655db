import GRDB
import Messages

/// Writes the full-text index. It holds no text of its own: what is taken out must be given as it was put in.
struct SearchIndex {
  private let db: Database
  private let insertion: Prepared
  private let removal: Prepared

  init(_ db: Database) throws {
    self.db = db
    let arena = TextArena()
    insertion = try db.prepared(
      "INSERT INTO search (rowid, title, body, author) VALUES (?, ?, ?, ?)", arena: arena)
    removal = try db.prepared(
      "INSERT INTO search (rowid, title, body, author, search) VALUES (?, ?, ?, ?, 'delete')", arena: arena)
  }

  func insert(_ id: Int64, title: String, body: String, author: String?) throws {
    try run(insertion, id, title: title, body: body, author: author)
  }

  func remove(_ id: Int64, title: String, body: String, author: String?) throws {
    try run(removal, id, title: title, body: body, author: author)
  }

  /// Takes a stored message out.
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
    try statement.bind(2, spread: title)
    try statement.bind(3, spread: body)
    try statement.bind(4, spread: author ?? "")
    try statement.run()
  }

  // MARK: - Spans

  /// Messages to a span.
  static let spanLength: Int64 = 1024

  /// One number that orders as standing and time do; `sort_time` stays within 2^50 either way.
  static func rank(_ key: ListKey) -> Int64 { Int64(key.standing.rawValue) << 52 + key.sortTime }
}

/// The bounds of the list keys in spans of ids, widened as messages come or move; never narrowed, because too wide
/// bounds only cost a search some time.
struct SpanBounds {
  private var bounds: [Int64: (low: Int64, high: Int64)] = [:]

  mutating func include(_ key: ListKey) {
    let rank = SearchIndex.rank(key)
    let block = key.id.rawValue / SearchIndex.spanLength
    guard let (low, high) = bounds[block] else {
      bounds[block] = (rank, rank)
      return
    }
    if rank < low || rank > high { bounds[block] = (min(low, rank), max(high, rank)) }
  }

  func save(_ db: Database) throws {
    let upsert = try db.prepared(
      """
      INSERT INTO span (block, low, high) VALUES (?1, ?2, ?3)
      ON CONFLICT (block) DO UPDATE SET low = min(low, ?2), high = max(high, ?3)
      """)
    for (block, (low, high)) in bounds { try upsert.run(block, low, high) }
  }
}
