import Basics
import GRDB
import Messages

/// The messages that have ended at their services, for example a resolved alert or a closed issue, with the time and
/// the state before. They are in the table `ending`.
struct Endings {
  /// An ended message.
  private struct Row {
    var at: Milliseconds
    var wasUnread: Bool
    var wasUnseen: Bool
    /// The channels of notifications that were not sent yet when the message ended.
    var waiting: [NoticeChannel]
  }

  private let db: Database
  private let now: Milliseconds

  init(_ db: Database, at now: Milliseconds) { (self.db, self.now) = (db, now) }

  /// A query for the messages that `is:done` matches: messages that have ended, and questions that have
  /// ended.
  static let ended = """
    SELECT message_id FROM ending WHERE is_shown UNION ALL SELECT message_id FROM question WHERE ended IS NOT NULL
    """

  /// Returns the time at which a message ended, or `nil` if it is open, or was only read elsewhere.
  func time(of message: Int64) throws -> Milliseconds? {
    try db.integer("SELECT at FROM ending WHERE message_id = ? AND is_shown", message)
  }

  /// Records that messages have ended, with their state before they are marked as read.
  ///
  /// - Parameters:
  ///   - isShown: whether the reader shows the time.
  ///   - replaces: whether an earlier ending is replaced. Otherwise it is kept.
  func add(_ ids: [Int64], isShown: Bool, replaces: Bool) throws {
    let insert = try db.prepared(
      """
      INSERT OR \(replaces ? "REPLACE" : "IGNORE") INTO ending
        (message_id, at, is_shown, was_unread, was_unseen, waiting)
      SELECT t.message_id, ?2, ?3, NOT t.is_read, t.is_unseen AND NOT t.is_read,
        (SELECT group_concat(w.channel, ' ') FROM notification w
          WHERE w.message_id = t.message_id AND w.state = \(NoticeQueue.State.waiting.rawValue))
      FROM status t WHERE t.message_id = ?1
      """)
    for id in ids { try insert.run(id, now, isShown ? 1 : 0) }
    try judgeLater(ids)
  }

  /// Makes the saved lists test messages again later. Triggers notice only changed marks, and a message may
  /// end without a changed mark.
  private func judgeLater(_ ids: [Int64]) throws {
    let lists = SavedLists(db)
    if try !ids.isEmpty && lists.exist() { try lists.judgeLater(ids) }
  }

  /// Records messages as ended that were so far only recorded as read elsewhere, so that the reader shows the time.
  func show(_ ids: [Int64]) throws {
    let show = try db.prepared(
      "UPDATE ending SET is_shown = 1, at = ?2 WHERE message_id = ?1 AND NOT is_shown")
    for id in ids { try show.run(id, now) }
    try judgeLater(ids)
  }

  /// Removes the record that a message has ended.
  ///
  /// - Returns: whether there was one.
  @discardableResult
  func remove(_ id: Int64) throws -> Bool {
    try db.prepared("DELETE FROM ending WHERE message_id = ?").run(id)
    guard db.changesCount > 0 else { return false }
    try judgeLater([id])
    return true
  }

  /// Returns the ended messages of a source, keyed by their remote ids, without those that were only read elsewhere.
  func all(of source: SourceID) throws -> [RemoteID: (message: Int64, kind: MessageKind?)] {
    let query = try db.prepared(
      """
      SELECT d.remote_id, r.message_id, m.kind FROM ending r CROSS JOIN status t ON t.message_id = r.message_id
        CROSS JOIN detail d ON d.message_id = r.message_id CROSS JOIN message m ON m.id = r.message_id
      WHERE t.source_id = ? AND r.is_shown
      """)
    query.bind(1, source.rawValue)
    var all: [RemoteID: (message: Int64, kind: MessageKind?)] = [:]
    try query.forEach {
      all[RemoteID(query.text(0))] = (query.int(1), MessageKind(rawValue: query.text(2)))
    }
    return all
  }

  /// Restores the state that messages had before they ended.
  ///
  /// - Parameter markUnread: marks messages as unread.
  /// - Returns: the messages that became unread.
  func restore(_ ids: [Int64], _ markUnread: ([Int64]) throws -> IDRanges) throws -> [Int64] {
    var rows: [(id: Int64, row: Row)] = []
    for id in ids {
      guard let row = try find(id) else { continue }
      try remove(id)
      // The user may have marked it as read meanwhile.
      if row.wasUnread, try !MarkLog(db).isActed(id, on: .read, since: row.at) { rows.append((id, row)) }
    }
    if rows.isEmpty { return [] }
    let changed = try markUnread(rows.map(\.id))
    let restored = rows.filter { changed.contains($0.id) }
    let see = try db.prepared("UPDATE status SET is_unseen = is_listed WHERE message_id = ?")
    let wait = try db.prepared(
      """
      UPDATE notification SET state = \(NoticeQueue.State.waiting.rawValue)
      WHERE message_id = ?1 AND channel = ?2 AND state = \(NoticeQueue.State.ended.rawValue)
      """)
    for (id, row) in restored {
      if row.wasUnseen { try see.run(id) }
      for channel in row.waiting {
        wait.bind(1, id)
        try wait.bind(2, channel.rawValue)
        try wait.run()
      }
    }
    return restored.map(\.id)
  }

  private func find(_ id: Int64) throws -> Row? {
    let query = try db.prepared(
      "SELECT at, was_unread, was_unseen, waiting FROM ending WHERE message_id = ?")
    query.bind(1, id)
    return try query.first {
      let waiting = (query.optionalText(3) ?? "").split(onBytes: " ")
      return Row(
        at: query.int(0), wasUnread: query.bool(1), wasUnseen: query.bool(2),
        waiting: waiting.compactMap { NoticeChannel(rawValue: String($0)) })
    }
  }
}
