import Basics
import Foundation
import GRDB
import Messages
import Queries

/// The messages that wait for a notification. They are added in the transaction that lists a message.
///
/// This type only writes rows. Whether a message is listed and unread is checked when a process claims it. A
/// message for a later time waits until then, and one that was read meanwhile causes no notification.
struct NoticeQueue {
  /// The state of a row: it waits, is claimed by a process that will show it, is shown by the channel, or has ended.
  /// The values are stored, and never change.
  enum State: Int64 {
    case waiting, claimed, standing, ended
  }

  private let db: Database
  private let now: Milliseconds

  init(_ db: Database, at now: Milliseconds) {
    self.db = db
    self.now = now
  }

  /// Adds a message to the queue of each channel in its verdict.
  ///
  /// - Parameters:
  ///   - visibleFrom: the time from which the message is listed.
  ///   - again: whether the message became unread again, after an earlier notification of it.
  func add(_ verdict: Verdict, _ id: Int64, visibleFrom: Milliseconds?, again: Bool = false) throws {
    if verdict.channels.isEmpty { return }
    let insert = try db.prepared(
      """
      INSERT INTO notification (message_id, channel, state, is_urgent, at) VALUES (?1, ?2, 0, ?3, ?4)
      ON CONFLICT DO \(again ? "UPDATE SET state = 0, is_urgent = ?3, at = ?4, shown_id = NULL" : "NOTHING")
      """)
    for channel in NoticeChannel.allCases where verdict.channels.contains(channel) {
      insert.bind(1, id)
      try insert.bind(2, channel.rawValue)
      insert.bind(3, verdict.isUrgent)
      insert.bind(4, max(now, visibleFrom ?? now))
      try insert.run()
    }
    if let repetition = verdict.again {
      try Repetitions(db).begin(repetition, of: id, at: max(now, visibleFrom ?? now), anew: again)
    }
  }

  /// Deletes rows of notifications that have ended, for read messages that arrived so long ago that none is sent again.
  ///
  /// - Parameter last: the last message of the previous slice.
  /// - Returns: the last message of this slice, or `nil` if there are no more.
  func forgetSome(after last: Int64) throws -> Int64? {
    let end = try db.integer(
      "SELECT message_id FROM notification WHERE message_id > ? ORDER BY message_id LIMIT 1 OFFSET \(Self.slice)",
      last)
    try db.prepared(
      """
      DELETE FROM notification WHERE message_id > ?1 AND message_id <= ?2 AND state = \(State.ended.rawValue) AND at < ?3
        AND (SELECT is_read FROM status t WHERE t.message_id = notification.message_id)
      """
    ).run(last, end ?? .max, now - Milliseconds(Limits.longestNoticeWaitSeconds * 1000))
    return end
  }

  private static let slice = 5000

  /// Adds messages that are listed again, for example at the end of a snooze. Only the channels of the verdict are
  /// used, since its other effects belong to the arrival.
  func add(_ ids: [Int64], by judge: any ArrivalJudge, _ columns: Columns) throws {
    let facts = try FactsReader(db, columns, at: now)
    for id in ids {
      guard let known = try facts.facts(of: id) else { continue }
      try add(judge.verdict(on: known, .appeared), id, visibleFrom: nil, again: true)
    }
  }
}
