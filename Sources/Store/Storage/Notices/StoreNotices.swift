import Basics
package import Foundation
import GRDB
package import Messages
import Queries

/// A listed unread message that waits for a notification.
package struct WaitingMessage: Hashable, Sendable {
  package var message: MessageID
  package var source: SourceID
  /// Whether it is shown even in quiet hours.
  package var isUrgent: Bool
  /// The time when it arrived or appeared.
  package var at: Date

  package init(message: MessageID, source: SourceID, isUrgent: Bool = false, at: Date) {
    (self.message, self.source, self.isUrgent, self.at) = (message, source, isUrgent, at)
  }
}

/// A notification that a process has claimed, or that a channel shows.
package struct StoredNotice: Hashable, Sendable {
  package var id: NoticeID
  package var form: NoticeForm
  /// The time of the last claim.
  package var at: Date
  /// The name by which the channel identifies it, or `nil` until it was shown.
  package var name: String?
  /// The notification's messages that are still listed and unread, oldest first.
  package var unread: [MessageID]

  package init(id: NoticeID, form: NoticeForm, at: Date, name: String? = nil, unread: [MessageID]) {
    (self.id, self.form, self.at, self.name, self.unread) = (id, form, at, name, unread)
  }
}

/// Notifications of messages: one row for each message and channel, claimed before it is shown and confirmed
/// afterwards.
///
/// A process that claims holds the channel's lock. So rows that are claimed while the lock is free were claimed by a
/// process that has ended.
package struct StoreNotices: StorePart {
  let store: Store

  /// Returns the channels for which a notification waits, even if its message is not listed yet.
  package func channelsWithNews() throws(StoreFailure) -> Set<NoticeChannel> {
    try read { db in
      let query = try db.prepared("SELECT 1 FROM notification WHERE channel = ? AND state = 0 LIMIT 1")
      return try Set(
        NoticeChannel.allCases.filter {
          try query.bind(1, $0.rawValue)
          return try query.first { true } ?? false
        })
    }
  }

  /// Returns the messages that wait for a channel, the oldest first.
  package func waiting(
    for channel: NoticeChannel, limit: Int = Limits.messagesOfANotice
  ) throws(StoreFailure) -> [WaitingMessage] {
    try read { db in
      let query = try db.prepared(
        """
        SELECT w.message_id, t.source_id, w.is_urgent, w.at FROM notification w
          CROSS JOIN status t ON t.message_id = w.message_id
        WHERE w.channel = ?1 AND w.state = 0 AND \(Self.listedUnread) ORDER BY w.at, w.message_id LIMIT ?2
        """)
      try query.bind(1, channel.rawValue)
      query.bind(2, limit)
      var waiting: [WaitingMessage] = []
      try query.forEach {
        waiting.append(
          WaitingMessage(
            message: MessageID(query.int(0)), source: SourceID(query.int(1)), isUrgent: query.bool(2),
            at: Date(milliseconds: query.int(3))))
      }
      return waiting
    }
  }

  /// The SQL condition on `status t` that the message is listed and unread.
  static let listedUnread = "t.is_listed AND NOT t.is_read AND t.is_followed"

  /// Claims messages for one notification. Messages that were read, dismissed, snoozed or hidden meanwhile are left
  /// out, and cause no notification any more.
  ///
  /// - Parameter standing: a shown notification that the new one replaces, and whose messages it also
  ///   contains.
  /// - Returns: the notification with all its unread messages, or `nil` if none of `messages` waits any more.
  package func claim(
    _ messages: [MessageID], as form: NoticeForm, for channel: NoticeChannel,
    replacing standing: NoticeID? = nil, at now: Date
  ) throws(StoreFailure) -> StoredNotice? {
    try write(.system) { db in
      try Self.endWhatIsNoNews(channel, db, at: now.milliseconds)
      let free = try db.prepared(
        "SELECT 1 FROM notification WHERE message_id = ? AND channel = ? AND state = 0")
      let claimed = try messages.filter {
        free.bind(1, $0.rawValue)
        try free.bind(2, channel.rawValue)
        return try free.first { true } ?? false
      }
      guard !claimed.isEmpty else { return nil }
      let id: Int64
      if let standing {
        id = standing.rawValue
        try db.prepared("UPDATE notification_shown SET state = 1, at = ?2 WHERE id = ?1").run(
          id, now.milliseconds)
      } else {
        let insert = try db.prepared(
          "INSERT INTO notification_shown (channel, form, state, at) VALUES (?, ?, 1, ?) RETURNING id")
        try insert.bind(1, channel.rawValue)
        try insert.bind(2, form.rawValue)
        insert.bind(3, now.milliseconds)
        id = try insert.first { insert.int(0) } ?? 0
      }
      let claim = try db.prepared(
        "UPDATE notification SET state = 1, shown_id = ?3 WHERE message_id = ?1 AND channel = ?2")
      for message in claimed {
        claim.bind(1, message.rawValue)
        try claim.bind(2, channel.rawValue)
        claim.bind(3, id)
        try claim.run()
      }
      return try Self.notices("n.id = ?1", id, db).first
    }
  }

  /// Ends the waiting notifications of messages that no longer need one: they were read, dismissed, snoozed
  /// or hidden, have expired, or could not be shown by the channel for days. Messages that are listed only
  /// from a later time continue waiting.
  private static func endWhatIsNoNews(
    _ channel: NoticeChannel, _ db: Database, at now: Milliseconds
  ) throws {
    let end = try db.prepared(
      """
      UPDATE notification SET state = 3 WHERE channel = ?1 AND state = 0 AND (at < ?3 OR message_id IN (
        SELECT w.message_id FROM notification w CROSS JOIN status t ON t.message_id = w.message_id
        WHERE w.channel = ?1 AND w.state = 0
          AND (t.is_read OR t.dismissed_at IS NOT NULL OR t.snoozed_until IS NOT NULL OR t.hidden_by IS NOT NULL
            OR t.expires <= ?2)))
      """)
    try end.bind(1, channel.rawValue)
    end.bind(2, now)
    end.bind(3, now - Milliseconds(Limits.longestNoticeWaitSeconds * 1000))
    try end.run()
    let forget = try db.prepared(
      "DELETE FROM notification_shown WHERE channel = ?1 AND state = 3 AND at NOT BETWEEN ?2 AND ?3")
    try forget.bind(1, channel.rawValue)
    // A clock that was set back leaves times in the future.
    forget.bind(2, now - 3_600_000)
    forget.bind(3, now)
    try forget.run()
  }

  /// Records that the notification was shown: it is still visible if the channel can withdraw it, and has
  /// ended otherwise.
  ///
  /// - Parameter name: the name by which the channel can withdraw the notification, or `nil` if it cannot.
  package func confirm(_ notice: NoticeID, named name: String?) throws(StoreFailure) {
    try write(.system) { db in
      if name == nil { return try Self.end(notice, db) }
      let confirm = try db.prepared("UPDATE notification_shown SET state = 2, name = ?2 WHERE id = ?1")
      confirm.bind(1, notice.rawValue)
      try confirm.bind(2, name)
      try confirm.run()
      try db.prepared("UPDATE notification SET state = 2 WHERE shown_id = ? AND state = 1").run(
        notice.rawValue)
    }
  }

  /// Records that these notifications are no longer shown: they were withdrawn, or the user closed them.
  package func end(_ notices: [NoticeID]) throws(StoreFailure) {
    if notices.isEmpty { return }
    try write { db in for notice in notices { try Self.end(notice, db) } }
  }

  private static func end(_ notice: NoticeID, _ db: Database) throws {
    try db.prepared("UPDATE notification_shown SET state = 3 WHERE id = ?").run(notice.rawValue)
    try db.prepared("UPDATE notification SET state = 3, shown_id = NULL WHERE shown_id = ?").run(
      notice.rawValue)
  }

  /// Records that the notification could not be shown: its messages wait again.
  package func giveBack(_ notice: NoticeID) throws(StoreFailure) {
    try write { db in
      try db.prepared("UPDATE notification_shown SET state = 3 WHERE id = ?").run(notice.rawValue)
      try db.prepared("UPDATE notification SET state = 0, shown_id = NULL WHERE shown_id = ?")
        .run(notice.rawValue)
    }
  }

  /// Returns the notifications that a channel shows, the oldest first.
  package func standing(on channel: NoticeChannel) throws(StoreFailure) -> [StoredNotice] {
    try read { db in try Self.notices(in: .standing, of: channel, db) }
  }

  /// Returns the notifications that were claimed and not confirmed. With the channel's lock, these are from a process
  /// that has ended.
  package func unconfirmed(on channel: NoticeChannel) throws(StoreFailure) -> [StoredNotice] {
    try read { db in try Self.notices(in: .claimed, of: channel, db) }
  }

  /// Returns the times at which notifications were shown on a channel after an instant.
  package func times(
    on channel: NoticeChannel, after start: Date, to now: Date
  ) throws(StoreFailure) -> [Date] {
    try read { db in
      let query = try db.prepared(
        "SELECT at FROM notification_shown WHERE channel = ? AND at > ? AND at <= ?")
      try query.bind(1, channel.rawValue)
      query.bind(2, start.milliseconds)
      query.bind(3, now.milliseconds)
      var times: [Date] = []
      try query.forEach { times.append(Date(milliseconds: query.int(0))) }
      return times
    }
  }

  /// Ends the waiting notifications of messages that the user sees anyway, so that no channel shows them. The messages
  /// stay.
  package func dropWaiting(_ messages: [MessageID]) throws(StoreFailure) {
    if messages.isEmpty { return }
    try write { db in
      let end = try db.prepared("UPDATE notification SET state = 3 WHERE message_id = ? AND state = 0")
      for message in messages { try end.run(message.rawValue) }
    }
  }

  /// Ends the waiting notifications of messages that arrived before an instant, so that these channels never show them.
  /// The messages stay.
  package func endWaiting(on channels: [NoticeChannel], before: Date) throws(StoreFailure) {
    guard try !channelsWithNews().isDisjoint(with: channels) else { return }
    try write { db in
      let end = try db.prepared(
        "UPDATE notification SET state = 3 WHERE channel = ? AND state = 0 AND at < ?")
      for channel in channels {
        try end.bind(1, channel.rawValue)
        end.bind(2, before.milliseconds)
        try end.run()
      }
    }
  }

  private static func notices(
    in state: NoticeQueue.State, of channel: NoticeChannel, _ db: Database
  ) throws -> [StoredNotice] {
    let query = try db.prepared(
      "SELECT id FROM notification_shown WHERE channel = ? AND state = ? ORDER BY id")
    try query.bind(1, channel.rawValue)
    query.bind(2, state.rawValue)
    var ids: [Int64] = []
    try query.forEach { ids.append(query.int(0)) }
    return try ids.flatMap { try notices("n.id = ?1", $0, db) }
  }

  private static func notices(_ condition: String, _ value: Int64, _ db: Database) throws -> [StoredNotice] {
    let query = try db.prepared(
      "SELECT n.id, n.form, n.at, n.name FROM notification_shown n WHERE \(condition) ORDER BY n.id")
    query.bind(1, value)
    var notices: [StoredNotice] = []
    try query.forEach {
      notices.append(
        StoredNotice(
          id: NoticeID(query.int(0)), form: NoticeForm(rawValue: query.text(1)) ?? .digest,
          at: Date(milliseconds: query.int(2)), name: query.optionalText(3), unread: []))
    }
    let unread = try db.prepared(
      """
      SELECT w.message_id FROM notification w CROSS JOIN status t ON t.message_id = w.message_id
      WHERE w.shown_id = ? AND \(listedUnread) ORDER BY w.at, w.message_id
      """)
    for index in notices.indices {
      unread.bind(1, notices[index].id.rawValue)
      try unread.forEach { notices[index].unread.append(MessageID(unread.int(0))) }
    }
    return notices
  }
}

// MARK: - Quiet

extension StoreNotices {
  /// Returns the last quiet time that the user started; it may have ended.
  package func quiet() throws(StoreFailure) -> DateInterval? {
    try read { db in
      let query = try db.prepared("SELECT quiet_from, quiet_until FROM store WHERE quiet_until IS NOT NULL")
      return try query.first {
        let (from, until) = (query.int(0), query.int(1))
        return DateInterval(
          start: Date(milliseconds: min(from, until)), end: Date(milliseconds: until))
      }
    }
  }

  /// Suppresses all but urgent notifications until a time, as a step of the journal, which undo can revert. An earlier
  /// quiet time that has not ended keeps its start.
  package func setQuiet(until: Date, at now: Date) throws(StoreFailure) {
    try write(.system) { db in
      try journal(.quieted, db, at: now) {
        try db.prepared(
          """
          UPDATE store SET quiet_from = CASE WHEN quiet_from <= ?1 AND quiet_until > ?1 THEN quiet_from ELSE ?1 END,
            quiet_until = ?2
          """
        ).run(now.milliseconds, until.milliseconds)
      }
    }
  }

  /// Ends the quiet time that `setQuiet` began, as a step of the journal. Nothing changes if it has already ended.
  package func endQuiet(at now: Date) throws(StoreFailure) {
    try write(.system) { db in
      try journal(.quietEnded, db, at: now) {
        try db.prepared("UPDATE store SET quiet_until = ?1 WHERE quiet_until > ?1").run(now.milliseconds)
      }
    }
  }

  /// Makes a change of the quiet time, and adds it to the journal if it changes anything.
  private func journal(
    _ kind: SettingsAct.Kind, _ db: Database, at now: Date, _ change: () throws -> Void
  ) throws {
    let before = try StoredQuiet.stored(db)
    try change()
    let after = try StoredQuiet.stored(db)
    guard before != after else { return }
    let edit = JournaledEdit(SettingsAct(kind, ""), .quiet(before: before, after: after))
    _ = try Journal(db).append(edit, at: now.milliseconds)
  }
}
