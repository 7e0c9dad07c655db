import GRDB
import Messages

/// The rows that a scope shows: all of one list table, or those of some sources, or what is put away.
struct ListRange {
  let list: List
  /// Nil for the usual lists.
  let putAway: PutAwayRange?
  /// Nil for a list over all sources.
  let sources: Set<Int64>?
  private let db: Database

  /// Nil where the scope shows nothing: its source is not configured, its folder has none.
  init?(_ db: Database, _ scope: InboxQuery.Scope, isUnreadOnly: Bool) throws {
    self.db = db
    switch scope {
    case .snoozed: putAway = PutAwayRange(db: db, kind: .snoozed, isUnreadOnly: isUnreadOnly)
    case .dismissed: putAway = PutAwayRange(db: db, kind: .dismissed, isUnreadOnly: isUnreadOnly)
    case .all, .starred, .source, .folder: putAway = nil
    }
    switch scope {
    case .all, .snoozed, .dismissed:
      list = isUnreadOnly ? .listedUnread : .listed
      sources = nil
    case .starred:
      list = isUnreadOnly ? .starredUnread : .starred
      sources = nil
    case .source(let id):
      list = isUnreadOnly ? .sourceUnread : .sourceListed
      sources = [id.rawValue]
      if try db.integer("SELECT 1 FROM source WHERE id = ? AND place IS NOT NULL", id.rawValue) == nil {
        return nil
      }
    case .folder(let folder):
      list = isUnreadOnly ? .sourceUnread : .sourceListed
      let ids = try Self.sources(in: folder, db)
      if ids.isEmpty { return nil }
      sources = ids
    }
  }

  /// One source's part of a list that has one for each.
  init(_ db: Database, _ list: List, source: Int64) {
    self.db = db
    self.list = list
    putAway = nil
    sources = [source]
  }

  /// The configured sources of a folder and of those inside of it.
  static func sources(in folder: Folder, _ db: Database) throws -> Set<Int64> {
    var ids: Set<Int64> = []
    let query = try db.prepared(
      "SELECT id, folder FROM source WHERE folder IS NOT NULL AND place IS NOT NULL")
    try query.forEach { if folder.contains(Folder(query.text(1))) { ids.insert(query.int(0)) } }
    return ids
  }

  func contains(source: Int64) -> Bool { sources?.contains(source) ?? true }

  /// At most `limit` keys beyond `key`, `key` itself included or not; from the list's end where it is nil.
  func keys(
    _ direction: Pages.Direction, of key: ListKey?, including: Bool, limit: Int
  ) throws -> [ListKey] {
    if let putAway { return try putAway.keys(direction, of: key, including: including, limit: limit) }
    guard let sources else { return try keys(nil, direction, of: key, including: including, limit: limit) }
    if sources.count == 1 {
      return try keys(sources.first, direction, of: key, including: including, limit: limit)
    }
    return try merged(sources.sorted(), direction, of: key, including: including, limit: limit)
  }

  /// A few keys of each source at first, and more of those that have some before the page's end: what is read grows with
  /// the page and the number of sources, not with the messages.
  private func merged(
    _ sources: [Int64], _ direction: Pages.Direction, of key: ListKey?, including: Bool, limit: Int
  ) throws -> [ListKey] {
    var page: [ListKey] = []
    var length = min(limit, max(4, 2 * limit / sources.count))
    var open = sources.map { (source: $0, last: key, isFirst: true) }
    while true {
      var more: [(source: Int64, last: ListKey?, isFirst: Bool)] = []
      for place in open {
        let keys = try keys(
          place.source, direction, of: place.last, including: place.isFirst && including, limit: length)
        page += keys
        if keys.count == length { more.append((place.source, keys.last, false)) }
      }
      page = Array(page.sorted(by: direction.isBefore).prefix(limit))
      let isFull = page.count == limit
      open = more.filter { place in
        guard isFull, let end = page.last, let last = place.last else { return true }
        return direction.isBefore(last, end)
      }
      if open.isEmpty { return page }
      length = min(limit, length * 2)
    }
  }

  private func keys(
    _ source: Int64?, _ direction: Pages.Direction, of key: ListKey?, including: Bool, limit: Int
  ) throws -> [ListKey] {
    let query = try db.prepared(Self.sql(list, direction))
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

  static func sql(_ list: List, _ direction: Pages.Direction) -> String {
    let (comparison, order) = direction == .older ? ("<=", "DESC") : (">=", "ASC")
    return """
      SELECT standing, sort_time, message_id FROM \(list.table)
      WHERE \(list.isPerSource ? "source_id = ?5 AND " : "")
        (standing, sort_time, message_id) \(comparison) (?1, ?2, ?3)
      ORDER BY standing \(order), sort_time \(order), message_id \(order) LIMIT ?4
      """
  }

  /// Every unread message, whatever else the list shows.
  func unreadIDs() throws -> IDRanges {
    if let putAway {
      var ids = try putAway.unreadIDs()
      return IDRanges(sorting: &ids)
    }
    let unread: List =
      switch list {
      case .listed, .listedUnread: .listedUnread
      case .starred, .starredUnread: .starredUnread
      case .sourceListed, .sourceUnread: .sourceUnread
      }
    let query = try db.prepared(
      "SELECT message_id FROM \(unread.table) \(sources == nil ? "" : "WHERE source_id = ?")")
    var ids: [Int64] = []
    if let sources {
      for source in sources.sorted() {
        query.bind(1, source)
        try query.forEach { ids.append(query.int(0)) }
      }
    } else {
      try query.forEach { ids.append(query.int(0)) }
    }
    return IDRanges(sorting: &ids)
  }
}
