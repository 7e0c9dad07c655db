import Basics
import GRDB
import Messages

// Notifications are kept as long as they can switch something, or their source may repeat them.
extension Features {
  /// Deletes notifications that have ended, or that later ones have replaced permanently, once their source has not
  /// listed them for half a year. Also deletes the data of features that no notification switches any more.
  ///
  /// - Returns: whether there may be more.
  static func forgetSome(at time: BelievedTime, _ db: Database) throws -> Bool {
    // A later notification of the same source that is valid without an end, for the same readers, always wins over this
    // one.
    let isReplaced = """
      n.expires IS NULL AND NOT EXISTS (
        SELECT 1 FROM feature_switch_name s WHERE s.switch_id = n.id AND NOT EXISTS (
          SELECT 1 FROM feature_switch_name t CROSS JOIN feature_switch m ON m.id = t.switch_id
          WHERE t.name = s.name AND m.source_id = n.source_id AND m.expires IS NULL
            AND (m.channel IS NULL OR m.channel IS n.channel) AND \(begins("m")) <= ?1
            AND (\(begins("m")), m.position) > (\(begins("n")), n.position)))
      """
    // The end must have been reported first: see `due`.
    let hasEnded = "n.expires <= min(?1, (SELECT features_clock FROM store))"
    let query = try db.prepared(
      """
      SELECT n.id FROM feature_switch n CROSS JOIN polling p ON p.source_id = n.source_id
      WHERE n.listed < min(p.last_success, ?1) - ?2 AND (\(hasEnded) OR \(isReplaced)) LIMIT \(slice)
      """)
    query.bind(1, time.now)
    query.bind(2, Limits.unlistedSeconds * 1000)
    var ids: [Int64] = []
    try query.forEach { ids.append(query.int(0)) }
    for table in ["feature_switch_name WHERE switch_id", "feature_switch WHERE id"] {
      let delete = try db.prepared("DELETE FROM \(table) = ?")
      for id in ids { try delete.run(id) }
    }
    // A feature that is off is the same as an unknown one.
    try db.execute(
      sql: "DELETE FROM feature WHERE NOT is_enabled AND name NOT IN (SELECT name FROM feature_switch_name)")
    return ids.count == slice
  }

  private static let slice = 1000

  /// Returns the SQL for the beginning of a notification's validity, like `Notice.begins`.
  private static func begins(_ row: String) -> String {
    "max(coalesce(\(row).visible_from, \(row).said), \(row).said)"
  }
}
