import GRDB
import Messages

/// The rows of the list of snoozed, dismissed or hidden messages, or of programs' questions. They are read from
/// `status`, since no other list contains them.
///
/// The time in their keys is the one by which the list is sorted. A snooze's time is negative, so that the next to
/// return is first in a list whose keys descend.
struct OutOfInboxRange {
  enum Kind {
    case snoozed, dismissed, hidden, waiting

    /// The SQL of the tables in which the list's rows are.
    var table: String {
      self == .waiting ? "question q CROSS JOIN status t ON t.message_id = q.message_id" : "status t"
    }

    /// The SQL condition of the list on `table`. It alone decides which rows the list has; the triggers that count
    /// hidden messages contain a frozen copy of it.
    var condition: String {
      let mark =
        switch self {
        case .snoozed: "t.snoozed_until IS NOT NULL AND t.dismissed_at IS NULL"
        case .dismissed: "t.dismissed_at IS NOT NULL"
        case .hidden: "t.hidden_by IS NOT NULL AND t.dismissed_at IS NULL"
        case .waiting: QuestionRows.waits
        }
      return "\(mark) AND t.is_followed AND t.original_id IS NULL"
    }
  }

  let db: Database
  let kind: Kind
  let isUnreadOnly: Bool

  /// Returns at most `limit` keys that follow `key` in this direction, and `key` itself first if `including`.
  /// If `key` is `nil`, they begin at the list's start for `.older`, and at its end for `.newer`.
  func keys(
    _ direction: ListPages.Direction, of key: ListKey?, including: Bool, limit: Int
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
        ListKey(rank: .normal, sortTime: stored(query.int(0)), id: MessageID(query.int(1))))
    }
    return keys
  }

  func unreadIDs() throws -> [Int64] {
    // A program still waits when a list is marked as read.
    if kind == .waiting { return [] }
    let query = try db.prepared("SELECT t.message_id FROM \(from) AND NOT t.is_read")
    var ids: [Int64] = []
    try query.forEach { ids.append(query.int(0)) }
    return ids
  }

  static func count(_ kind: Kind, atMost limit: Int, _ db: Database) throws -> Int {
    let sql = "SELECT count(*) FROM (SELECT 1 FROM \(kind.table) WHERE \(kind.condition) LIMIT ?)"
    return Int(try db.integer(sql, Int64(limit)) ?? 0)
  }

  /// Converts the time in a key to that in the table, and back.
  private func stored(_ time: Int64) -> Int64 {
    switch kind {
    case .dismissed, .hidden, .waiting: time
    case .snoozed: time == .min ? .max : -time
    }
  }

  private var column: String {
    switch kind {
    case .snoozed: "t.snoozed_until"
    case .dismissed: "t.dismissed_at"
    case .hidden: "t.hidden_at"
    case .waiting: "q.asked"
    }
  }

  private var from: String { "\(kind.table) WHERE \(kind.condition)" }

  func sql(_ direction: ListPages.Direction) -> String {
    // Times ascend in the list of snoozed messages, and descend in the others; ids descend in all.
    let isDown = direction == .older
    let timeDescends = (kind != .snoozed) == isDown
    let time = column
    let (beyond, order) = timeDescends ? ("<", "DESC") : (">", "ASC")
    return """
      SELECT \(time), t.message_id FROM \(from)\(isUnreadOnly ? " AND NOT t.is_read" : "")
        AND \(time) \(beyond)= ?1
        AND (\(time) \(beyond) ?1 OR t.message_id \(isDown ? "<=" : ">=") ?2)
      ORDER BY \(time) \(order), t.message_id \(isDown ? "DESC" : "ASC") LIMIT ?3
      """
  }
}
