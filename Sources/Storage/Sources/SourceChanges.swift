import GRDB
import Messages

/// What a change of a source does to its stored messages: whether lists over all sources show them, and whether they stand by
/// themselves. Some messages to a transaction, so that other writers get in between; `source_pending` says how far it is, and
/// whoever opens the database next goes on.
struct SourceChanges {
  let db: Database

  init(_ db: Database) { self.db = db }

  /// How many messages one transaction looks at.
  static let most = 2000

  /// The messages are to be as the stored source says.
  func begin(_ source: SourceID) throws {
    try db.prepared("INSERT OR REPLACE INTO source_pending (source_id, after) VALUES (?, 0)").run(
      source.rawValue)
  }

  func isPending() throws -> Bool { try db.integer("SELECT 1 FROM source_pending LIMIT 1") == 1 }

  /// Goes on with them. To be called before a transaction ends.
  func goOn() throws {
    let next = try db.prepared("SELECT source_id, after FROM source_pending ORDER BY source_id LIMIT 1")
    var left = Int64(Self.most)
    while left > 0, let (source, after) = try next.first({ (next.int(0), next.int(1)) }) {
      let last = try db.integer(
        "SELECT message_id FROM status WHERE message_id > ? ORDER BY message_id LIMIT 1 OFFSET ?", after,
        left - 1)
      try apply(source, from: after + 1, through: last ?? .max)
      if let last {
        try db.prepared("UPDATE source_pending SET after = ?2 WHERE source_id = ?1").run(source, last)
        return
      }
      left -= try db.integer("SELECT count(*) FROM status WHERE message_id > ?", after) ?? 0
      try db.prepared("DELETE FROM source_pending WHERE source_id = ?").run(source)
      // What saved lists have judged meanwhile may have been of messages that did not follow yet.
      try SavedLists(db).judgeAll()
    }
  }

  private func apply(_ source: Int64, from first: Int64, through last: Int64) throws {
    let isFollowed = try db.integer("SELECT place IS NOT NULL FROM source WHERE id = ?", source) ?? 0
    try db.prepared(
      """
      UPDATE status SET is_followed = ?4
      WHERE message_id BETWEEN ?2 AND ?3 AND source_id = ?1 AND is_followed <> ?4
      """
    ).run(source, first, last, isFollowed)
    guard try Copies(db).standsByItself(source) else { return }
    try db.prepared(
      """
      INSERT OR IGNORE INTO copy_pending
      SELECT DISTINCT first_id FROM status WHERE first_source = ?1 AND first_id BETWEEN ?2 AND ?3
      """
    ).run(source, first, last)
    try db.prepared(
      """
      UPDATE status SET first_id = NULL, first_source = NULL
      WHERE message_id BETWEEN ?2 AND ?3 AND source_id = ?1 AND first_id IS NOT NULL
      """
    ).run(source, first, last)
  }
}
