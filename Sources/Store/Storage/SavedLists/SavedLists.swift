import GRDB
import Messages
import Queries

/// The saved lists, and the messages of which it is to be decided in which of them they count.
///
/// A list is a query; its rows are found when they are shown, as those of a search. What is kept is how many unread
/// messages it shows: `list_member` has them, and triggers count them. Triggers remember in `list_pending` which messages
/// changed, and the same transaction judges those; of much only a part, and the rest later, a slice at
/// a time. Where there is no list, nothing is written.
struct SavedLists {
  private let db: Database

  init(_ db: Database) { self.db = db }

  func exist() throws -> Bool { try db.integer("SELECT 1 FROM saved_list LIMIT 1") == 1 }

  /// These messages are to be judged before the transaction ends.
  func judgeLater(_ ids: some Sequence<Int64>) throws {
    let insert = try db.prepared("INSERT OR IGNORE INTO list_pending (message_id) VALUES (?)")
    for id in ids { try insert.run(id) }
  }

  /// A message of which other things changed than its status, of which triggers know.
  func judgeLater(changed id: Int64) throws {
    guard try exist() else { return }
    try db.prepared(
      """
      INSERT OR IGNORE INTO list_pending (message_id)
      SELECT ?1 UNION SELECT first_id FROM status WHERE message_id = ?1 AND first_id IS NOT NULL
      """
    ).run(id)
  }

  /// All messages are to be judged, a slice at a time: what changed concerns too many of them, or nobody knows which.
  func judgeAll() throws {
    if try exist() { try SavedListScan.restart(db) }
  }

  /// Whether a list has messages that nobody has looked at. Those of a list of what is unseen stay so, or it would be empty as
  /// soon as it is shown.
  func canSee(_ list: SavedListID) throws -> Bool {
    try db.integer(
      "SELECT 1 FROM saved_list WHERE id = ? AND unseen > 0 AND NOT asks_new", list.rawValue) == 1
  }

  /// Somebody looks at a list: its messages aren't unseen any more.
  func see(_ list: SavedListID) throws {
    guard try canSee(list) else { return }
    try db.prepared(
      """
      UPDATE status SET is_unseen = 0
      WHERE message_id IN (SELECT message_id FROM list_member WHERE list_id = ? AND is_unseen) AND is_unseen
      """
    ).run(list.rawValue)
  }

  /// In the order of the settings.
  func statuses() throws -> [SavedListStatus] {
    let query = try db.prepared(
      "SELECT id, name, query, problem, is_counted, unread, unseen FROM saved_list ORDER BY place")
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

  /// nil where there is no such list, or it has a mistake.
  func query(of id: SavedListID) throws -> String? {
    let query = try db.prepared("SELECT query FROM saved_list WHERE id = ?")
    query.bind(1, id.rawValue)
    return try query.first { query.optionalText(0) } ?? nil
  }

  // MARK: - Judging

  /// How many messages one transaction judges.
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

  /// Of many that were marked read nothing else needs to be known.
  private func dropRead() throws {
    let read = """
      SELECT p.message_id FROM list_pending p CROSS JOIN status t ON t.message_id = p.message_id WHERE t.is_read
      """
    for table in ["list_member", "list_moment", "list_pending"] {
      try db.execute(sql: "DELETE FROM \(table) WHERE message_id IN (\(read))")
    }
  }

  /// Whether messages wait to be judged, or for `now`.
  func isWorkLeft(at now: Milliseconds) throws -> Bool {
    try db.integer(
      """
      SELECT EXISTS (SELECT 1 FROM list_pending) OR EXISTS (SELECT 1 FROM list_scan WHERE phase < ?1)
        OR EXISTS (SELECT 1 FROM list_moment WHERE at <= ?2)
      """, SavedListScan.Phase.done.rawValue, now) == 1
  }

  /// When a list changes next though nothing else does.
  func nextMoment() throws -> Milliseconds? { try db.integer("SELECT min(at) FROM list_moment") }

  /// Judges one slice of what waits.
  func judgeSlice(_ searching: Searching, at now: Milliseconds) throws {
    let due = try db.prepared("SELECT message_id FROM list_moment WHERE at <= ? ORDER BY at LIMIT ?")
    due.bind(1, now)
    due.bind(2, Self.most)
    var ids: [Int64] = []
    try due.forEach { ids.append(due.int(0)) }
    let delete = try db.prepared("DELETE FROM list_moment WHERE message_id = ?")
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
