import GRDB
import Messages
import Queries

/// The saved lists, and the queue of messages for which it must be decided in which lists they count.
///
/// A list is a query; its rows are found when they are shown, like those of a search. Only the number of its unread
/// messages is stored: `list_member` contains them, and triggers count them. Triggers record changed messages in
/// `list_pending`, and the same transaction judges them. If there are many, it judges only a part, and the rest follows
/// later, a slice at a time. Without lists, nothing is written.
struct SavedLists {
  private let db: Database

  init(_ db: Database) { self.db = db }

  func exist() throws -> Bool { try db.integer("SELECT 1 FROM saved_list LIMIT 1") == 1 }

  /// Records messages to judge before the transaction ends.
  func judgeLater(_ ids: some Sequence<Int64>) throws {
    let insert = try db.prepared("INSERT OR IGNORE INTO list_pending (message_id) VALUES (?)")
    for id in ids { try insert.run(id) }
  }

  /// Records a message to judge because something other than its status changed, which the triggers do not
  /// notice.
  func judgeLater(changed id: Int64) throws {
    guard try exist() else { return }
    try db.prepared(
      """
      INSERT OR IGNORE INTO list_pending (message_id)
      SELECT ?1 UNION SELECT original_id FROM status WHERE message_id = ?1 AND original_id IS NOT NULL
      """
    ).run(id)
  }

  /// Starts judging all messages, a slice at a time, because a change concerns too many of them or unknown ones.
  func judgeAll() throws {
    if try exist() { try SavedListScan.restart(db) }
  }

  /// Whether a list has unseen messages that viewing the list marks as seen. A list that selects unseen messages does
  /// not mark them, since it would be empty as soon as it is shown.
  func canSee(_ list: SavedListID) throws -> Bool {
    try db.integer(
      "SELECT 1 FROM saved_list WHERE id = ? AND unseen > 0 AND NOT asks_new", list.rawValue) == 1
  }

  /// Marks a list's messages as seen.
  func see(_ list: SavedListID) throws {
    guard try canSee(list) else { return }
    try db.prepared(
      """
      UPDATE status SET is_unseen = 0
      WHERE message_id IN (SELECT message_id FROM list_member WHERE list_id = ? AND is_unseen) AND is_unseen
      """
    ).run(list.rawValue)
  }

  /// Returns the lists in the order of the settings.
  func statuses() throws -> [SavedListStatus] {
    let query = try db.prepared(
      "SELECT id, name, query, problem, is_counted, unread, unseen FROM saved_list ORDER BY position")
    var statuses: [SavedListStatus] = []
    try query.forEach {
      let isCounted = query.bool(4)
      statuses.append(
        SavedListStatus(
          id: SavedListID(query.int(0)),
          list: SavedList(
            name: query.text(1), query: query.optionalText(2), mistaken: query.optionalText(3)),
          unread: isCounted ? Int(query.int(5)) : nil, isUnseen: isCounted && query.int(6) > 0))
    }
    return statuses
  }

  /// Returns the query, or `nil` if the list does not exist or its query is invalid.
  func query(of id: SavedListID) throws -> String? {
    let query = try db.prepared("SELECT query FROM saved_list WHERE id = ?")
    query.bind(1, id.rawValue)
    return try query.first { query.optionalText(0) } ?? nil
  }

  // MARK: - Judging

  /// The number of messages that one transaction judges.
  static let most = 500

  /// Judges the messages of `list_pending`, before the transaction ends.
  func judgePending(_ searching: @autoclosure () -> Searching) throws {
    guard try db.integer("SELECT 1 FROM list_pending LIMIT 1") == 1 else { return }
    try judgePending(searching())
  }

  private func judgePending(_ searching: Searching) throws {
    let many = try db.integer(
      "SELECT count(*) FROM (SELECT 1 FROM list_pending LIMIT ?)", Int64(Self.most) + 1)
    if many ?? 0 > Self.most { try dropRead() }
    var ids: [Int64] = []
    let query = try db.prepared("SELECT message_id FROM list_pending ORDER BY message_id DESC LIMIT ?")
    query.bind(1, Self.most)
    try query.forEach { ids.append(query.int(0)) }
    try judge(ids, searching)
    let delete = try db.prepared("DELETE FROM list_pending WHERE message_id = ?")
    for id in ids { try delete.run(id) }
  }

  /// Removes messages that were marked as read from the queue and from the lists, since lists count only
  /// unread ones.
  private func dropRead() throws {
    let read = """
      SELECT p.message_id FROM list_pending p CROSS JOIN status t ON t.message_id = p.message_id WHERE t.is_read
      """
    for table in ["list_member", "list_due", "list_pending"] {
      try db.execute(sql: "DELETE FROM \(table) WHERE message_id IN (\(read))")
    }
  }

  /// Whether messages wait to be judged, or the time has come at which one must be judged again.
  func isWorkLeft(at now: Milliseconds) throws -> Bool {
    try db.integer(
      """
      SELECT EXISTS (SELECT 1 FROM list_pending) OR EXISTS (SELECT 1 FROM list_scan WHERE phase < ?1)
        OR EXISTS (SELECT 1 FROM list_due WHERE at <= ?2)
      """, SavedListScan.Phase.done.rawValue, now) == 1
  }

  /// Returns the next time when a list changes through time alone.
  func nextMoment() throws -> Milliseconds? { try db.integer("SELECT min(at) FROM list_due") }

  /// Judges one slice of the waiting messages.
  func judgeSlice(_ searching: Searching, at now: Milliseconds) throws {
    let due = try db.prepared("SELECT message_id FROM list_due WHERE at <= ? ORDER BY at LIMIT ?")
    due.bind(1, now)
    due.bind(2, Self.most)
    var ids: [Int64] = []
    try due.forEach { ids.append(due.int(0)) }
    let delete = try db.prepared("DELETE FROM list_due WHERE message_id = ?")
    for id in ids { try delete.run(id) }
    try judgeLater(ids)
    try judgePending(searching)
    guard try db.integer("SELECT 1 FROM list_pending LIMIT 1") == nil else { return }
    try SavedListScan(db, limit: Self.most).next { try judge($0, searching) }
  }

  private func judge(_ ids: [Int64], _ searching: Searching) throws {
    guard !ids.isEmpty else { return }
    let judge = try SavedListJudge(db, searching)
    for id in ids { try judge.judge(id) }
  }
}
