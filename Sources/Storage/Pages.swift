import GRDB
import Messages

/// Reads the keys of one list, from any place in it and in both directions.
///
/// Plain lists are tables in list order; searches use the index (`SearchPages`). Neither uses an offset.
struct Pages {
  enum Direction {
    /// Down the list, to what is older.
    case older
    /// Up the list, to what is newer. Keys come in that order, the nearest first.
    case newer
  }

  private enum Origin {
    case list(List, source: Int64?)
    case search(SearchPages)
    case nothing
  }

  private let db: Database
  private let origin: Origin

  init(_ db: Database, _ query: InboxQuery) throws {
    self.db = db
    let list: List
    var source: Int64?
    switch query.scope {
    case .all: list = query.isUnreadOnly ? .listedUnread : .listed
    case .starred: list = query.isUnreadOnly ? .starredUnread : .starred
    case .source(let id):
      list = query.isUnreadOnly ? .sourceUnread : .sourceListed
      source = id.rawValue
      if try db.integer("SELECT 1 FROM source WHERE id = ? AND place IS NOT NULL", id.rawValue) == nil {
        origin = .nothing
        return
      }
    }
    guard query.isSearch, let words = query.search else {
      origin = .list(list, source: source)
      return
    }
    guard let search = try SearchPages(db, words: words, within: list, source: source) else {
      origin = .nothing
      return
    }
    origin = .search(search)
  }

  /// At most `limit` keys beyond `key`, `key` itself included or not; from the list's end where it is nil.
  func keys(_ direction: Direction, of key: ListKey?, including: Bool, limit: Int) throws -> [ListKey] {
    if limit <= 0 { return [] }
    return switch origin {
    case .list(let list, let source):
      try Self.keys(db, list, source, direction, of: key, including: including, limit: limit)
    case .search(let search):
      try search.keys(direction, of: key, including: including, limit: limit)
    case .nothing: []
    }
  }

  static func keys(
    _ db: Database, _ list: List, _ source: Int64?, _ direction: Direction, of key: ListKey?, including: Bool,
    limit: Int
  ) throws -> [ListKey] {
    let query = try db.prepared(sql(list, direction))
    let key = key ?? direction.beginning
    // Excluding a key is including what comes next after its id.
    let id = key.id.rawValue
    let isEdge = id == .max || id == .min
    query.bind(1, key.standing.rawValue)
    query.bind(2, key.sortTime)
    query.bind(3, including || isEdge ? id : (direction == .older ? id - 1 : id + 1))
    query.bind(4, limit)
    if let source { query.bind(5, source) }
    var keys: [ListKey] = []
    try query.forEach {
      keys.append(
        ListKey(
          standing: Standing(rawValue: Int(query.int(0))) ?? .normal, sortTime: query.int(1),
          id: MessageID(query.int(2))))
    }
    return keys
  }

  static func sql(_ list: List, _ direction: Direction) -> String {
    let (comparison, order) = direction == .older ? ("<=", "DESC") : (">=", "ASC")
    return """
      SELECT standing, sort_time, message_id FROM \(list.table)
      WHERE \(list.isPerSource ? "source_id = ?5 AND " : "")
        (standing, sort_time, message_id) \(comparison) (?1, ?2, ?3)
      ORDER BY standing \(order), sort_time \(order), message_id \(order) LIMIT ?4
      """
  }

  /// Every unread message of the list, whatever else it shows.
  func unreadIDs() throws -> IDRanges {
    let list: List
    var own: Int64?
    switch origin {
    case .nothing: return IDRanges()
    case .search(let search): return try search.unreadIDs()
    case .list(let of, let source):
      own = source
      switch of {
      case .listed, .listedUnread: list = .listedUnread
      case .starred, .starredUnread: list = .starredUnread
      case .sourceListed, .sourceUnread: list = .sourceUnread
      }
    }
    let query = try db.prepared(
      "SELECT message_id FROM \(list.table) \(own == nil ? "" : "WHERE source_id = ?")")
    if let own { query.bind(1, own) }
    var ids: [Int64] = []
    try query.forEach { ids.append(query.int(0)) }
    return IDRanges(sorting: &ids)
  }
}

extension Pages.Direction {
  /// The key before all others in this direction.
  fileprivate var beginning: ListKey {
    switch self {
    case .older: ListKey(standing: .downtime, sortTime: .max, id: MessageID(.max))
    case .newer: ListKey(standing: .normal, sortTime: .min, id: MessageID(.min))
    }
  }
}

extension InboxQuery {
  /// Blank words list everything.
  var isSearch: Bool { search?.contains { !$0.isWhitespace } ?? false }
}
