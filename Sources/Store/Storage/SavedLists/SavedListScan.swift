import GRDB
import Messages

/// Visits all messages that saved lists may count, a slice at a time, after the lists or the sources changed.
///
/// Its position is stored in the database, so that another process, or a later one, continues from there. Messages that
/// change meanwhile are judged when they change, whatever the position is.
struct SavedListScan {
  enum Phase: Int64 {
    /// The messages that lists count so far, which may be outdated, sorted by id.
    case members
    /// The unread messages, the newest first.
    case unread
    /// The messages that most lists hide, but some lists include.
    case away
    case done
  }

  private let db: Database
  private let limit: Int

  init(_ db: Database, limit: Int) {
    self.db = db
    self.limit = limit
  }

  static func restart(_ db: Database) throws { try SavedListScan(db, limit: 0).enter(.members) }

  /// Passes the messages of the next slice to `judge`.
  func next(_ judge: ([Int64]) throws -> Void) throws {
    let place = try db.prepared(
      "SELECT phase, source_id, rank, sort_time, message_id FROM list_scan")
    let found = try place.first {
      (
        Phase(rawValue: place.int(0)) ?? .done, place.int(1), place.int(2), place.int(3), place.int(4)
      )
    }
    guard let (phase, source, rank, time, id) = found else { return }
    switch phase {
    case .members: try scanMembers(after: id, judge)
    case .unread: try scanUnread(rank, time, id, judge)
    case .away: try scanAway(source, rank, time, id, judge)
    case .done: return
    }
  }

  private func scanMembers(after id: Int64, _ judge: ([Int64]) throws -> Void) throws {
    let query = try db.prepared(
      "SELECT DISTINCT message_id FROM list_member WHERE message_id > ? ORDER BY message_id LIMIT ?")
    query.bind(1, id)
    query.bind(2, limit)
    var ids: [Int64] = []
    try query.forEach { ids.append(query.int(0)) }
    try judge(ids)
    if ids.count == limit, let last = ids.last {
      try enter(.members, id: last)
    } else {
      try enter(
        .unread, rank: Int64(ListKey.beforeAll.rank.rawValue), time: ListKey.beforeAll.sortTime,
        id: ListKey.beforeAll.id.rawValue)
    }
  }

  private func scanUnread(
    _ rank: Int64, _ time: Int64, _ id: Int64, _ judge: ([Int64]) throws -> Void
  ) throws {
    let query = try db.prepared(
      """
      SELECT rank, sort_time, message_id FROM status
      WHERE is_one AND NOT is_read AND (rank, sort_time, message_id) < (?1, ?2, ?3)
      ORDER BY rank DESC, sort_time DESC, message_id DESC LIMIT ?4
      """)
    query.bind(1, rank)
    query.bind(2, time)
    query.bind(3, id)
    query.bind(4, limit)
    var ids: [Int64] = []
    var last = (rank, time)
    try query.forEach {
      last = (query.int(0), query.int(1))
      ids.append(query.int(2))
    }
    try judge(ids)
    if ids.count == limit, let id = ids.last {
      try enter(.unread, rank: last.0, time: last.1, id: id)
    } else {
      try enter(.away, source: .min)
    }
  }

  private func scanAway(
    _ source: Int64, _ rank: Int64, _ time: Int64, _ id: Int64, _ judge: ([Int64]) throws -> Void
  ) throws {
    let query = try db.prepared(
      """
      SELECT source_id, rank, sort_time, message_id FROM status
      WHERE NOT is_listed AND (source_id, rank, sort_time, message_id) > (?1, ?2, ?3, ?4)
      ORDER BY source_id, rank, sort_time, message_id LIMIT ?5
      """)
    query.bind(1, source)
    query.bind(2, rank)
    query.bind(3, time)
    query.bind(4, id)
    query.bind(5, limit)
    var ids: [Int64] = []
    var last = (source, rank, time)
    try query.forEach {
      last = (query.int(0), query.int(1), query.int(2))
      ids.append(query.int(3))
    }
    try judge(ids)
    if ids.count == limit, let id = ids.last {
      try enter(.away, source: last.0, rank: last.1, time: last.2, id: id)
    } else {
      try enter(.done)
      try db.execute(sql: "UPDATE saved_list SET is_counted = 1 WHERE NOT is_counted AND query IS NOT NULL")
    }
  }

  private func enter(
    _ phase: Phase, source: Int64 = 0, rank: Int64 = 0, time: Int64 = 0, id: Int64 = 0
  ) throws {
    try db.prepared(
      """
      UPDATE list_scan SET phase = ?1, source_id = ?2, rank = ?3, sort_time = ?4, message_id = ?5
      """
    ).run(phase.rawValue, source, rank, time, id)
  }
}
