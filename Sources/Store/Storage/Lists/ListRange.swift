import GRDB
import Messages

/// The rows of a scope: all of one list, those of some sources, or the messages that are dismissed, snoozed or hidden.
struct ListRange {
  let list: List
  /// The range of dismissed, snoozed or hidden messages or of waiting questions, or `nil` for other lists.
  let putAway: OutOfInboxRange?
  /// The sources, or `nil` for a list over all sources.
  let sources: Set<Int64>?
  /// The duplicates that are left out when the messages of a source are read, since other sources of the list
  /// have their originals.
  private let copies: LeftOut
  /// The only priority of its messages, or `nil` for all priorities.
  private var priority: Priority?
  private let db: Database

  enum LeftOut {
    case none
    /// Duplicates of messages from these sources.
    case of(Set<Int64>)
    case all
  }

  /// Returns `nil` if the scope contains nothing: its source is not configured, or its folder has no source.
  init?(_ db: Database, _ scope: InboxQuery.Scope, isUnreadOnly: Bool) throws {
    self.db = db
    var leftOut = LeftOut.none
    switch scope {
    case .snoozed: putAway = OutOfInboxRange(db: db, kind: .snoozed, isUnreadOnly: isUnreadOnly)
    case .dismissed: putAway = OutOfInboxRange(db: db, kind: .dismissed, isUnreadOnly: isUnreadOnly)
    case .hidden: putAway = OutOfInboxRange(db: db, kind: .hidden, isUnreadOnly: isUnreadOnly)
    case .waiting: putAway = OutOfInboxRange(db: db, kind: .waiting, isUnreadOnly: isUnreadOnly)
    case .all, .starred, .source, .folder, .list: putAway = nil
    }
    switch scope {
    case .all, .list, .snoozed, .dismissed, .hidden, .waiting:
      list = isUnreadOnly ? .listedUnread : .listed
      sources = nil
    case .starred:
      list = isUnreadOnly ? .starredUnread : .starred
      sources = nil
    case .source(let id):
      list = isUnreadOnly ? .sourceUnread : .sourceListed
      sources = [id.rawValue]
      if try db.integer("SELECT 1 FROM source WHERE id = ? AND position IS NOT NULL", id.rawValue) == nil {
        return nil
      }
    case .folder(let folder):
      list = isUnreadOnly ? .sourceUnread : .sourceListed
      let ids = try Self.sources(in: folder, db)
      if ids.isEmpty { return nil }
      sources = ids
      if ids.count > 1, try Duplicates(db).exist() { leftOut = .of(ids) }
    }
    copies = leftOut
  }

  /// Returns the messages with one priority. Returns `nil` if there are none, and for dismissed, snoozed or hidden
  /// messages, which have no such order.
  func only(_ wanted: Priority) throws -> ListRange? {
    if putAway != nil { return nil }
    var one = self
    one.priority = wanted
    let isUnreadOnly = list == .listedUnread || list == .sourceUnread
    guard wanted != .normal, list != .starred, list != .starredUnread else { return one }
    // There are few messages with other priorities, which have separate lists.
    let prioritised = isUnreadOnly ? List.prioritisedUnread : .prioritised
    let query = try db.prepared(
      """
      SELECT s.id FROM source s WHERE s.position IS NOT NULL
        AND EXISTS (SELECT 1 FROM status WHERE source_id = s.id AND priority = ? AND \(prioritised.condition))
      """)
    query.bind(1, wanted.rawValue)
    var having: Set<Int64> = []
    try query.forEach { if contains(source: query.int(0)) { having.insert(query.int(0)) } }
    if having.isEmpty { return nil }
    let leavesOutAll = try sources == nil && Duplicates(db).exist()
    return ListRange(
      db, prioritised, sources: having, copies: leavesOutAll ? .all : copies, priority: wanted)
  }

  /// Returns the messages of the same sources that the inbox does not list, for example dismissed ones.
  /// Returns `nil` if no source is configured, or if this range is itself of dismissed, snoozed or hidden
  /// messages.
  func away() throws -> ListRange? {
    if putAway != nil { return nil }
    if let sources {
      return ListRange(db, .sourceOutOfInbox, sources: sources, copies: copies, priority: nil)
    }
    var configured: Set<Int64> = []
    let query = try db.prepared("SELECT id FROM source WHERE position IS NOT NULL")
    try query.forEach { configured.insert(query.int(0)) }
    if configured.isEmpty { return nil }
    return ListRange(
      db, .sourceOutOfInbox, sources: configured, copies: try Duplicates(db).exist() ? .all : .none,
      priority: nil)
  }

  /// Returns the same list with only these of its sources, or `nil` if it has none of them. A list of starred
  /// messages is returned unchanged.
  func only(sources wanted: Set<Int64>) throws -> ListRange? {
    let left = sources?.intersection(wanted) ?? wanted
    if left.isEmpty { return nil }
    let own: List =
      switch list {
      case .listed, .sourceListed: .sourceListed
      case .listedUnread, .sourceUnread: .sourceUnread
      case .starred, .starredUnread, .prioritised, .prioritisedUnread, .sourceOutOfInbox: list
      }
    return own.isPerSource ? ListRange(db, own, sources: left, copies: copies, priority: priority) : self
  }

  private init(_ db: Database, _ list: List, sources: Set<Int64>, copies: LeftOut, priority: Priority?) {
    self.db = db
    self.list = list
    putAway = nil
    self.sources = sources
    self.copies = copies
    self.priority = priority
  }

  /// Creates the range of one source's messages in the list of all sources, if that list is grouped by
  /// source. Duplicates of messages from other sources are left out.
  ///
  /// - Parameter list: one of the lists that exist for each source.
  init(_ db: Database, _ list: List, source: Int64) throws {
    self.db = db
    copies = try Duplicates(db).exist() ? .all : .none
    self.list = list
    putAway = nil
    sources = [source]
  }

  /// Returns the configured sources of a folder and of those inside it.
  static func sources(in folder: Folder, _ db: Database) throws -> Set<Int64> {
    var ids: Set<Int64> = []
    let query = try db.prepared(
      "SELECT id, folder FROM source WHERE folder IS NOT NULL AND position IS NOT NULL")
    try query.forEach { if folder.contains(Folder(query.text(1))) { ids.insert(query.int(0)) } }
    return ids
  }

  func contains(source: Int64) -> Bool { sources?.contains(source) ?? true }

  /// Returns at most `limit` keys that follow `key` in this direction, and `key` itself first if `including`.
  /// If `key` is `nil`, they begin at the list's start for `.older`, and at its end for `.newer`.
  func keys(
    _ direction: ListPages.Direction, of key: ListKey?, including: Bool, limit: Int
  ) throws -> [ListKey] {
    if let putAway { return try putAway.keys(direction, of: key, including: including, limit: limit) }
    guard let sources else { return try stored(nil, direction, of: key, including: including, limit: limit) }
    if sources.count == 1 {
      return try keys(sources.first, direction, of: key, including: including, limit: limit)
    }
    return try merged(sources.sorted(), direction, of: key, including: including, limit: limit)
  }

  /// Merges the sources: it reads a few keys of each at first, and more of those that have some before the page's end.
  /// So the work grows with the page and the number of sources, not with the messages.
  private func merged(
    _ sources: [Int64], _ direction: ListPages.Direction, of key: ListKey?, including: Bool, limit: Int
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

  /// Whether it shows every message of its source, including duplicates.
  var isAlone: Bool { if case .none = copies { list.isPerSource } else { false } }

  /// Whether this list contains a message of one of its sources: only duplicates that are left out are not in
  /// it.
  func isIn(_ head: MessageHead) -> Bool {
    switch copies {
    case .none: true
    case .of(let sources): !(head.first.map { sources.contains($0.source) } ?? false)
    case .all: head.first == nil
    }
  }

  private func keys(
    _ source: Int64?, _ direction: ListPages.Direction, of key: ListKey?, including: Bool, limit: Int
  ) throws -> [ListKey] {
    if case .none = copies {
      return try stored(source, direction, of: key, including: including, limit: limit)
    }
    let query = try db.prepared(
      "SELECT original_source FROM status WHERE message_id = ? AND original_id IS NOT NULL")
    var found: [ListKey] = []
    var (place, including) = (key, including)
    while found.count < limit {
      let keys = try stored(source, direction, of: place, including: including, limit: limit)
      for key in keys where found.count < limit {
        query.bind(1, key.id.rawValue)
        let first = try query.first { query.int(0) }
        switch copies {
        case .of(let sources): if let first, sources.contains(first) { continue }
        case .all: if first != nil { continue }
        case .none: break
        }
        found.append(key)
      }
      if keys.count < limit { break }
      (place, including) = (keys.last, false)
    }
    return found
  }

  /// Returns keys in the order of the stored list, without leaving out duplicates. `source` is `nil` for a
  /// list over all sources.
  private func stored(
    _ source: Int64?, _ direction: ListPages.Direction, of key: ListKey?, including: Bool, limit: Int
  ) throws -> [ListKey] {
    let query = try db.prepared(Self.sql(list, direction, hasPriority: priority != nil))
    let key = key ?? direction.beginning
    // Excluding a key means including the next one after its id.
    let id = key.id.rawValue
    let isEdge = id == .max || id == .min
    query.bind(1, key.rank.rawValue)
    query.bind(2, key.sortTime)
    query.bind(3, including || isEdge ? id : (direction == .older ? id - 1 : id + 1))
    query.bind(4, limit)
    if let source { query.bind(5, source) }
    if let priority { query.bind(source == nil ? 5 : 6, priority.rawValue) }
    var keys: [ListKey] = []
    try query.forEach {
      keys.append(
        ListKey(
          rank: Rank(rawValue: Int(query.int(0))) ?? .normal, sortTime: query.int(1),
          id: MessageID(query.int(2))))
    }
    return keys
  }

  /// Returns the SQL that reads keys of a list in a direction.
  ///
  /// - Parameter hasPriority: whether only one priority is read. In lists that aren't sorted by priority, its messages
  ///   are searched in the list, so that each message with another priority costs a step.
  static func sql(_ list: List, _ direction: ListPages.Direction, hasPriority: Bool = false) -> String {
    let (comparison, order) = direction == .older ? ("<=", "DESC") : (">=", "ASC")
    let value = list.isPerSource ? "?6" : "?5"
    // `+` keeps SQLite from using another index.
    let priority = !hasPriority ? "" : "\(list.isByPriority ? "" : "+")priority = \(value) AND "
    return """
      SELECT rank, sort_time, message_id FROM status
      WHERE \(list.isPerSource ? "source_id = ?5 AND " : "")\(list.condition) AND \(priority)
        (rank, sort_time, message_id) \(comparison) (?1, ?2, ?3)
      ORDER BY rank \(order), sort_time \(order), message_id \(order) LIMIT ?4
      """
  }

  /// Returns every unread message, even if the list shows others too.
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
      case .prioritised, .prioritisedUnread: .prioritisedUnread
      case .sourceOutOfInbox: .sourceOutOfInbox
      }
    let query = try db.prepared(
      "SELECT message_id FROM status WHERE \(unread.condition)\(sources == nil ? "" : " AND source_id = ?")")
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
