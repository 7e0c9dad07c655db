import Basics
import GRDB
import Messages

/// The messages whose notifications rules repeat until the user does something with them.
struct Repetitions {
  private let db: Database

  /// The maximum number of messages of one transaction.
  private static let most = 500

  init(_ db: Database) { self.db = db }

  /// Begins to repeat the notification of a message.
  ///
  /// - Parameter anew: whether the message counts as new again; its repetitions then begin again.
  func begin(_ repetition: Repetition, of id: Int64, at start: Milliseconds, anew: Bool) throws {
    let wait = Milliseconds(repetition.minutes) * 60_000
    let insert = try db.prepared(
      """
      INSERT INTO notification_again (message_id, rule, at, wait, left) VALUES (?1, ?2, ?3, ?4, ?5)
      ON CONFLICT DO \(anew ? "UPDATE SET rule = ?2, at = ?3, wait = ?4, left = ?5" : "NOTHING")
      """)
    insert.bind(1, id)
    try insert.bind(2, repetition.rule)
    insert.bind(3, start + wait)
    insert.bind(4, wait)
    insert.bind(5, Limits.repetitions)
    try insert.run()
  }

  /// Returns the next instant at which the user is notified again.
  func next() throws -> Milliseconds? { try db.integer("SELECT min(at) FROM notification_again") }

  /// Ends the repetitions of a rule that was removed or changed.
  func end(of rule: String) throws {
    let delete = try db.prepared("DELETE FROM notification_again WHERE rule = ?")
    try delete.bind(1, rule)
    try delete.run()
  }

  /// Adds the repeated notifications that are due to the queues of their channels. A repetition is not
  /// counted if the former notification is still waiting, for example for the end of quiet hours.
  ///
  /// - Returns: whether more notifications are due.
  func advance(to now: Milliseconds) throws -> Bool {
    let query = try db.prepared(
      """
      SELECT a.message_id, a.wait, a.left, coalesce(\(StoreNotices.listedUnread), 0),
        EXISTS (SELECT 1 FROM notification w WHERE w.message_id = a.message_id AND w.state IN (0, 1))
      FROM notification_again a LEFT JOIN status t ON t.message_id = a.message_id
      WHERE a.at <= ?1 ORDER BY a.at LIMIT ?2
      """)
    query.bind(1, now)
    query.bind(2, Self.most)
    var due: [(id: Int64, wait: Milliseconds, left: Int64, isOpen: Bool, isWaiting: Bool)] = []
    try query.forEach {
      due.append((query.int(0), query.int(1), query.int(2), query.bool(3), query.bool(4)))
    }
    let delete = try db.prepared("DELETE FROM notification_again WHERE message_id = ?")
    let postpone = try db.prepared("UPDATE notification_again SET at = ?2, left = ?3 WHERE message_id = ?1")
    let notify = try db.prepared(
      "UPDATE notification SET state = 0, at = ?2, shown_id = NULL WHERE message_id = ?1 AND state IN (2, 3)")
    for message in due {
      let left = message.left - (message.isWaiting ? 0 : 1)
      if message.isOpen, !message.isWaiting { try notify.run(message.id, now) }
      if message.isOpen, left > 0 {
        try postpone.run(message.id, now + max(message.wait, 60_000), left)
      } else {
        try delete.run(message.id)
      }
    }
    return due.count == Self.most
  }
}
