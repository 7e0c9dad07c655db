package import Foundation
import GRDB
package import Messages

/// The state of the notifications on the user's phone: of the ntfy server that delivers them, and of the topic there to
/// which their buttons send.
package struct PhoneState: Hashable, Sendable {
  /// The secret: 32 random bytes that only this database has.
  package var secret: [UInt8]
  /// Whether the server can replace and delete messages, or `nil` until a message was sent.
  package var hasSequences: Bool?
  package var sentAt: Date?
  /// The number of failures in a row.
  package var failures = 0
  package var failure: FetchFailure?
  /// The time of the first of these failures.
  package var failedAt: Date?
  /// The time before which nothing is sent.
  package var retryAt: Date?
  /// The position up to which the topic of the buttons was read.
  package var cursor: String?
  package var readAt: Date?
  /// The reason why the topic of the buttons could not be read the last time.
  package var readFailure: FetchFailure?
  package var presses = PhonePresses()

  init(secret: [UInt8]) { self.secret = secret }
}

/// The numbers of messages that were received on the topic of the buttons, by their results.
package struct PhonePresses: Hashable, Sendable {
  /// The number of buttons whose action was performed.
  package var pressed = 0
  /// The number of buttons whose messages were read, dismissed or answered before.
  package var settled = 0
  package var replayed = 0
  /// The number of messages that another database signed, or that are forged.
  package var unsigned = 0
  package var late = 0
  /// The number of messages that no button sends, and of answers that the phone may not give.
  package var malformed = 0

  package init() {}

  /// The number of messages that were ignored.
  package var refused: Int { replayed + unsigned + late + malformed }
}

/// The stored data about the phone: its secret, its failures, and the buttons that were pressed.
///
/// Only a process with the channel's lock may write it.
package struct StorePhone: StorePart {
  let store: Store

  /// Returns the state, or `nil` if nothing was ever sent to a phone.
  package func state() throws(StoreFailure) -> PhoneState? { try read { db in try Self.state(db) } }

  /// Returns the state for a topic of notifications. If the stored state is of another topic, it begins again:
  /// notifications there can't be withdrawn, and their buttons are no longer read. The secret stays.
  ///
  /// - Parameter url: a digest of the topic's URL.
  package func begin(at url: [UInt8]) throws(StoreFailure) -> PhoneState {
    if let state = try read({ db in try Self.isKnown(url, db) ? try Self.state(db) : nil }) { return state }
    return try write(.system) { db in
      if let state = try Self.isKnown(url, db) ? try Self.state(db) : nil { return state }
      let secret = try Self.state(db)?.secret ?? (0..<32).map { _ in UInt8.random(in: 0 ... .max) }
      try db.execute(sql: "DELETE FROM phone")
      try db.prepared("UPDATE notification SET state = 3, shown_id = NULL WHERE shown_id IN (\(Self.shown))")
        .run()
      try db.prepared("UPDATE notification_shown SET state = 3 WHERE id IN (\(Self.shown))").run()
      let insert = try db.prepared("INSERT INTO phone (id, secret, url) VALUES (1, ?, ?)")
      try insert.bind(1, blob: secret)
      try insert.bind(2, blob: url)
      try insert.run()
      return PhoneState(secret: secret)
    }
  }

  /// The query for the notifications that are shown or claimed on the phone.
  private static let shown = "SELECT id FROM notification_shown WHERE channel = 'phone' AND state IN (1, 2)"

  private static func isKnown(_ url: [UInt8], _ db: Database) throws -> Bool {
    let query = try db.prepared("SELECT url FROM phone")
    return try query.first { query.blob(0) == url } ?? false
  }

  private static func state(_ db: Database) throws -> PhoneState? {
    let query = try db.prepared(
      """
      SELECT secret, has_sequences, sent_at, failures, failure, failed_at, retry_at, cursor, read_at, read_failure,
        pressed, settled, replayed, unsigned, late, malformed FROM phone
      """)
    func date(_ column: Int32) -> Date? { query.optionalInt(column).map(Date.init(milliseconds:)) }
    func failure(_ column: Int32) -> FetchFailure? {
      query.optionalText(column).flatMap { try? JSONDecoder().decode(FetchFailure.self, from: Data($0.utf8)) }
    }
    return try query.first {
      var state = PhoneState(secret: query.blob(0))
      state.hasSequences = query.optionalInt(1).map { $0 != 0 }
      state.sentAt = date(2)
      state.failures = Int(query.int(3))
      state.failure = failure(4)
      state.failedAt = date(5)
      state.retryAt = date(6)
      state.cursor = query.optionalText(7)
      state.readAt = date(8)
      state.readFailure = failure(9)
      state.presses.pressed = Int(query.int(10))
      state.presses.settled = Int(query.int(11))
      state.presses.replayed = Int(query.int(12))
      state.presses.unsigned = Int(query.int(13))
      state.presses.late = Int(query.int(14))
      state.presses.malformed = Int(query.int(15))
      return state
    }
  }

  // MARK: - Sending

  /// Records that the server accepted a message.
  package func succeeded(hasSequences: Bool?, at now: Date) throws(StoreFailure) {
    try write { db in
      let update = try db.prepared(
        """
        UPDATE phone SET has_sequences = coalesce(?1, has_sequences), sent_at = ?2, failures = 0, failure = NULL,
          failed_at = NULL, retry_at = NULL
        """)
      update.bind(1, hasSequences.map { $0 ? 1 : 0 })
      update.bind(2, now.milliseconds)
      try update.run()
    }
  }

  /// Records that the server could not be reached, or refused a message.
  package func failed(_ failure: FetchFailure, retryAt: Date, at now: Date) throws(StoreFailure) {
    try write { db in
      let update = try db.prepared(
        """
        UPDATE phone SET failures = failures + 1, failure = ?1, failed_at = coalesce(failed_at, ?2), retry_at = ?3
        """)
      try update.bind(1, try StoredJSON.text(failure))
      update.bind(2, now.milliseconds)
      update.bind(3, retryAt.milliseconds)
      try update.run()
    }
  }

  /// Returns the notifications on the phone that have no unread message any more.
  package func endedNotices() throws(StoreFailure) -> [NoticeID] {
    try read { db in
      let query = try db.prepared(
        """
        SELECT n.id FROM notification_shown n WHERE n.channel = 'phone' AND n.state = 2 AND NOT EXISTS (
          SELECT 1 FROM notification w CROSS JOIN status t ON t.message_id = w.message_id
          WHERE w.shown_id = n.id AND \(StoreNotices.listedUnread)) ORDER BY n.id
        """)
      var ids: [NoticeID] = []
      try query.forEach { ids.append(NoticeID(query.int(0))) }
      return ids
    }
  }

  // MARK: - Buttons

  /// Whether there is a notification on the phone whose buttons may be pressed.
  package func hasButtons() throws(StoreFailure) -> Bool {
    try read { db in
      try db.integer("SELECT 1 FROM notification_shown WHERE channel = 'phone' AND state = 2 LIMIT 1") == 1
    }
  }

  /// Returns the unread messages that a notification on the phone shows: those that arrived before it was sent.
  ///
  /// - Parameters:
  ///   - name: the name of the notification.
  ///   - sent: the time at which it was sent.
  package func messages(of name: String, sent: Date) throws(StoreFailure) -> [MessageID] {
    try read { db in
      let query = try db.prepared(
        """
        SELECT w.message_id FROM notification_shown n CROSS JOIN notification w ON w.shown_id = n.id
          CROSS JOIN status t ON t.message_id = w.message_id
        WHERE n.channel = 'phone' AND n.state = 2 AND n.name = ?1 AND w.at < ?2 AND \(StoreNotices.listedUnread)
        ORDER BY w.at, w.message_id
        """)
      try query.bind(1, name)
      // The time in the message has whole seconds.
      query.bind(2, sent.milliseconds + 1000)
      var ids: [MessageID] = []
      try query.forEach { ids.append(MessageID(query.int(0))) }
      return ids
    }
  }

  /// Whether the press of a button with this signature was already recorded.
  package func isPressed(_ signature: [UInt8]) throws(StoreFailure) -> Bool {
    try read { db in
      let query = try db.prepared("SELECT 1 FROM phone_press WHERE signature = ?")
      try query.bind(1, blob: signature)
      return try query.first { true } ?? false
    }
  }

  /// Records the signature of a button that was pressed, so that a repeated message has no effect.
  package func press(_ signature: [UInt8], at now: Date) throws(StoreFailure) {
    try write(.system) { db in
      let insert = try db.prepared("INSERT OR IGNORE INTO phone_press (signature, at) VALUES (?, ?)")
      try insert.bind(1, blob: signature)
      insert.bind(2, now.milliseconds)
      try insert.run()
    }
  }

  /// Records that the topic of the buttons was read.
  ///
  /// - Parameter presses: the numbers since the last time.
  package func read(to cursor: String, _ presses: PhonePresses, at now: Date) throws(StoreFailure) {
    try write { db in
      let update = try db.prepared(
        """
        UPDATE phone SET cursor = ?1, read_at = ?2, read_failure = NULL, pressed = pressed + ?3, settled = settled + ?4,
          replayed = replayed + ?5, unsigned = unsigned + ?6, late = late + ?7, malformed = malformed + ?8
        """)
      try update.bind(1, cursor)
      update.bind(2, now.milliseconds)
      update.bind(3, presses.pressed)
      update.bind(4, presses.settled)
      update.bind(5, presses.replayed)
      update.bind(6, presses.unsigned)
      update.bind(7, presses.late)
      update.bind(8, presses.malformed)
      try update.run()
      // Twice as long as a signature is valid, since a clock may have been set.
      try db.prepared("DELETE FROM phone_press WHERE at < ?").run(
        now.milliseconds - Milliseconds(2 * 86_400_000))
    }
  }

  /// Stores that the topic of the buttons could not be read.
  ///
  /// - Parameter wait: the time before which the server wants no requests, if it sent one.
  package func readFailed(_ failure: FetchFailure, until wait: Date?) throws(StoreFailure) {
    try write { db in
      let update = try db.prepared(
        "UPDATE phone SET read_failure = ?1, retry_at = iif(?2 > coalesce(retry_at, 0), ?2, retry_at)")
      try update.bind(1, try StoredJSON.text(failure))
      update.bind(2, wait?.milliseconds)
      try update.run()
    }
  }
}
