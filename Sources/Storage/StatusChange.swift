import GRDB
import Messages

/// One column of `status`, set or cleared for many messages, lists and counts included.
struct StatusChange {
  private enum Column: String {
    case read = "is_read"
    case starred = "is_starred"
    case dismissed = "is_dismissed"
  }

  private let column: Column
  private let value: Bool

  static let reading = StatusChange(.read, true)
  static let unreading = StatusChange(.read, false)

  private init(_ column: Column, _ value: Bool) {
    self.column = column
    self.value = value
  }

  /// Nil for a snooze and for rules, which are more than a flag, and for what is no change of messages.
  init?(_ kind: UndoneAct.Kind) {
    switch kind {
    case .snooze, .rule, .removal: return nil
    case .read, .readAll: (column, value) = (.read, true)
    case .unread: (column, value) = (.read, false)
    case .star: (column, value) = (.starred, true)
    case .unstar: (column, value) = (.starred, false)
    case .dismiss: (column, value) = (.dismissed, true)
    case .undismiss: (column, value) = (.dismissed, false)
    }
  }

  init?(undoing kind: UndoneAct.Kind) {
    guard let done = StatusChange(kind) else { return nil }
    (column, value) = (done.column, !done.value)
  }

  /// - Parameter isActed: the user did it, not a poll: rules leave its marks alone from then on.
  /// - Returns: Those that were different before.
  func apply(
    to ids: IDRanges, _ db: Database, at now: Milliseconds, isActed: Bool = true
  ) throws -> IDRanges {
    if isActed, column == .read, !value, try isMost(ids, db) { return try unreadMost(ids, db) }
    let lists = try ListChanges(db)
    let dismissable = column == .dismissed && value ? "AND m.is_dismissable" : ""
    let query = try db.prepared(
      """
      \(MessageHead.select)
      WHERE m.id BETWEEN ?1 AND ?2 AND t.\(column.rawValue) = ?3 \(dismissable) ORDER BY m.id LIMIT 10000
      """)
    let isDismissal = column == .dismissed && value
    let update = try db.prepared(
      "UPDATE status SET \(column.rawValue) = ?2\(isActed ? ", is_acted = 1" : "")\(isDismissal ? ", dismissed_at = ?3" : "") WHERE message_id = ?1"
    )
    var changed = IDRanges()
    for range in ids.ranges {
      var lower = range.lowerBound
      while lower <= range.upperBound {
        query.bind(1, lower)
        query.bind(2, range.upperBound)
        query.bind(3, !value)
        var heads: [MessageHead] = []
        try query.forEach { heads.append(MessageHead(query)) }
        guard let last = heads.last else { break }
        for old in heads {
          update.bind(1, old.id)
          update.bind(2, value)
          if isDismissal { update.bind(3, now) }
          try update.run()
          changed.append(old.id)
          // A snoozed message that is no longer dismissed stays off the lists.
          try lists.move(old, column == .dismissed ? MessageHead.find(old.id, db) : applied(to: old))
        }
        guard last.id < range.upperBound else { break }
        lower = last.id + 1
      }
    }
    try lists.finish()
    return changed
  }

  /// All listed messages become read: the unread lists are cleared without visiting their rows.
  func readEverythingListed(_ ids: IDRanges, _ db: Database) throws {
    let update = try db.prepared(
      "UPDATE status SET is_read = 1, is_acted = 1 WHERE message_id BETWEEN ? AND ?")
    for range in ids.ranges { try update.run(range.lowerBound, range.upperBound) }
    try SavedLists(db).read(ids)
    try db.execute(sql: "DELETE FROM listed_unread")
    try db.execute(sql: "DELETE FROM starred_unread")
    let others = try db.integer(
      "SELECT EXISTS (SELECT 1 FROM tally t JOIN source s ON s.id = t.source_id WHERE s.place IS NULL AND unread > 0)"
    )
    let configured = "SELECT id FROM source WHERE place IS NOT NULL"
    for table in ["source_unread", "ranked_unread", "unseen"] {
      // Without a condition SQLite drops the pages and does not look at the rows.
      try db.execute(
        sql: "DELETE FROM \(table) \(others == 1 ? "WHERE source_id IN (\(configured))" : "")")
    }
    try db.execute(
      sql:
        "UPDATE tally SET unread = 0, unseen = 0 WHERE (unread > 0 OR unseen > 0) AND source_id IN (\(configured))"
    )
  }

  // MARK: - Most of a large store

  /// Whether it is cheaper to rebuild the unread lists than to add to them one by one.
  private func isMost(_ ids: IDRanges, _ db: Database) throws -> Bool {
    let count = ids.count
    guard count > 20_000 else { return false }
    return count > Int(try db.integer("SELECT sum(total) FROM tally") ?? 0) / 2
  }

  private func unreadMost(_ ids: IDRanges, _ db: Database) throws -> IDRanges {
    let query = try db.prepared("SELECT message_id FROM status WHERE message_id BETWEEN ? AND ? AND is_read")
    let update = try db.prepared(
      "UPDATE status SET is_read = 0, is_acted = 1 WHERE message_id BETWEEN ? AND ?")
    var changed = IDRanges()
    for range in ids.ranges {
      query.bind(1, range.lowerBound)
      query.bind(2, range.upperBound)
      try query.forEach { changed.append(query.int(0)) }
      try update.run(range.lowerBound, range.upperBound)
    }
    for (unread, all) in [
      (List.listedUnread, List.listed), (.starredUnread, .starred), (.sourceUnread, .sourceListed),
      (.rankedUnread, .ranked),
    ] {
      try db.execute(sql: "DELETE FROM \(unread.table)")
      // In list order, as the rows come.
      try db.execute(
        sql: """
          INSERT INTO \(unread.table) SELECT l.* FROM \(all.table) l
          CROSS JOIN status t ON t.message_id = l.message_id WHERE NOT t.is_read
          """)
    }
    try db.execute(
      sql:
        "UPDATE tally SET unread = (SELECT count(*) FROM source_unread l WHERE l.source_id = tally.source_id)"
    )
    try db.execute(
      sql: """
        UPDATE copy_tally SET unread = (
          SELECT count(*) FROM status t CROSS JOIN message m ON m.id = t.message_id
          WHERE t.first_source = copy_tally.first_source AND m.source_id = copy_tally.source_id
            AND m.is_shown AND NOT t.is_read AND NOT \(MessageHead.putAway))
        """)
    try SavedLists(db).judgeAll()
    return changed
  }

  private func applied(to head: MessageHead) -> MessageHead {
    var head = head
    switch column {
    case .read: head.isRead = value
    case .starred: head.isStarred = value
    case .dismissed: head.isDismissed = value
    }
    return head
  }
}
