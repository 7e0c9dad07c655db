import Basics
import GRDB
import Messages

// Notices are kept as long as they can switch something, or their source may repeat them.
extension Features {
  /// Deletes notices that have ended, or that later ones have replaced for good, once their source has not listed them for half
  /// a year; and what is known of features that none names any more.
  ///
  /// - Returns: whether there may be more.
  static func forgetSome(at time: BelievedTime, _ db: Database) throws -> Bool {
    // A later notice of the same source that holds without an end, for the same readers, always wins over this one.
    let isReplaced = """
      n.expires IS NULL AND NOT EXISTS (
        SELECT 1 FROM switch s WHERE s.notice_id = n.id AND NOT EXISTS (
          SELECT 1 FROM switch t CROSS JOIN notice m ON m.id = t.notice_id
          WHERE t.name = s.name AND m.source_id = n.source_id AND m.expires IS NULL
            AND (m.channel IS NULL OR m.channel IS n.channel) AND \(begins("m")) <= ?1
            AND (\(begins("m")), m.place) > (\(begins("n")), n.place)))
      """
    // That it has ended must have been reported: see `due`.
    let hasEnded = "n.expires <= min(?1, (SELECT features_clock FROM store))"
    let query = try db.prepared(
      """
      SELECT n.id FROM notice n CROSS JOIN polling p ON p.source_id = n.source_id
      WHERE n.listed < min(p.last_success, ?1) - ?2 AND (\(hasEnded) OR \(isReplaced)) LIMIT \(slice)
      """)
    query.bind(1, time.now)
    query.bind(2, Limits.unlistedSeconds * 1000)
    var ids: [Int64] = []
    try query.forEach { ids.append(query.int(0)) }
    for table in ["switch WHERE notice_id", "notice WHERE id"] {
      let delete = try db.prepared("DELETE FROM \(table) = ?")
      for id in ids { try delete.run(id) }
    }
    // A feature that is off is as one that was never named.
    try db.execute(
      sql: "DELETE FROM feature WHERE NOT is_enabled AND name NOT IN (SELECT name FROM switch)")
    return ids.count == slice
  }

  private static let slice = 1000

  /// When a notice begins to hold, as `Notice.begins`.
  private static func begins(_ row: String) -> String {
    "max(coalesce(\(row).visible_from, \(row).said), \(row).said)"
  }
}
