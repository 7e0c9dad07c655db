import GRDB
import Messages

/// The rows of the list of what is snoozed, dismissed or hidden by rules: read from `status`, since no other list has them.
///
/// The time in their keys is the one that the list is sorted by. A snooze's is negative, so that the next to return is first
/// in a list whose keys descend.
struct PutAwayRange {
  enum Kind {
    case snoozed, dismissed, hidden

    /// The condition of the list, over `status t`. Nothing else decides what is in it; triggers count hidden messages by a
    /// frozen copy.
    var condition: String {
      let mark =
        switch self {
        case .snoozed: "t.snoozed_until IS NOT NULL AND t.dismissed_at IS NULL"
        case .dismissed: "t.dismissed_at IS NOT NULL"
        case .hidden: "t.hidden_by IS NOT NULL AND t.dismissed_at IS NULL"
        }
      return "\(mark) AND t.is_followed AND t.first_id IS NULL"
    }
  }

  let db: Database
  let kind: Kind
  let isUnreadOnly: Bool

  /// At most `limit` keys beyond `key`, `key` itself included or not.
  func keys(
    _ direction: Pages.Direction, of key: ListKey?, including: Bool, limit: Int
  ) throws -> [ListKey] {
    let query = try db.prepared(sql(direction))
    let key = key ?? direction.beginning
    let id = key.id.rawValue
    let isEdge = id == .max || id == .min
    query.bind(1, stored(key.sortTime))
    query.bind(2, including || isEdge ? id : (direction == .older ? id - 1 : id + 1))
    query.bind(3, Int64(limit))
    var keys: [ListKey] = []
    try query.forEach {
      keys.append(
        ListKey(standing: .normal, sortTime: stored(query.int(0)), id: MessageID(query.int(1))))
    }
    return keys
  }

  func unreadIDs() throws -> [Int64] {
    let query = try db.prepared("SELECT t.message_id FROM \(from) AND NOT t.is_read")
    var ids: [Int64] = []
    try query.forEach { ids.append(query.int(0)) }
    return ids
  }

  static func count(_ kind: Kind, atMost limit: Int, _ db: Database) throws -> Int {
    let sql = "SELECT count(*) FROM (SELECT 1 FROM status t WHERE \(kind.condition) LIMIT ?)"
    return Int(try db.integer(sql, Int64(limit)) ?? 0)
  }

  /// From the time in a key to that in the table, and back.
  private func stored(_ time: Int64) -> Int64 {
    switch kind {
    case .dismissed, .hidden: time
    case .snoozed: time == .min ? .max : -time
    }
  }

  private var column: String {
    switch kind {
    case .snoozed: "snoozed_until"
    case .dismissed: "dismissed_at"
    case .hidden: "hidden_at"
    }
  }

  private var from: String { "status t WHERE \(kind.condition)" }

  func sql(_ direction: Pages.Direction) -> String {
    // Times ascend in the list of what is snoozed, and descend in the others; ids descend in all.
    let isDown = direction == .older
    let timeDescends = (kind != .snoozed) == isDown
    let time = "t.\(column)"
    let (beyond, order) = timeDescends ? ("<", "DESC") : (">", "ASC")
    return """
      SELECT \(time), t.message_id FROM \(from)\(isUnreadOnly ? " AND NOT t.is_read" : "")
        AND \(time) \(beyond)= ?1
        AND (\(time) \(beyond) ?1 OR t.message_id \(isDown ? "<=" : ">=") ?2)
      ORDER BY \(time) \(order), t.message_id \(isDown ? "DESC" : "ASC") LIMIT ?3
      """
  }
}
