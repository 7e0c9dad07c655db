import Foundation
import GRDB
import Messages
import Sync

/// Stores a message that a program on this machine or another one pushes.
///
/// A push with the remote id of a stored message updates that message in place. If it was read or dismissed,
/// it becomes unread again, on top, even if nothing changed. A snooze remains until its end, except in a
/// shared source, where a repeated push is a new message. A message for a later time is snoozed until then.
struct PushIntake {
  private let db: Database
  private let columns: Columns
  private let judges: ArrivalJudges
  private let now: Milliseconds

  init(_ db: Database, _ columns: Columns, _ judges: ArrivalJudges, at now: Milliseconds) {
    (self.db, self.columns, self.judges, self.now) = (db, columns, judges, now)
  }

  /// Stores one pushed message.
  ///
  /// - Parameter stamp: the stamp of a push into a shared source, or `nil` if the source isn't shared.
  func store(_ message: IncomingMessage, in local: Source, stamp: Stamp?) throws {
    var source = local
    // A script that pushes a message again wants it to be read.
    source.isUnreadOnChange = true
    let known = try find(message, in: source)
    let intake = try Intake(db, columns, source, judges: judges, at: now)
    intake.push = stamp
    intake.received = stamp.map { min($0.milliseconds, now) }
    try intake.store([message], isFirst: false)
    if let known { try intake.beginPush(message, known.id) }
    _ = try intake.finish {
      // This happens before writes about this push, which take precedence.
      if let known, try renew(known), let judge = try judges.judge(db, at: now) {
        try NoticeQueue(db, at: now).add([known.id], by: judge, columns)
      }
      if let id = try known?.id ?? find(message, in: source)?.id {
        try putOff(id, until: message.visibleFrom?.milliseconds, before: known?.visibleFrom)
      }
    }
  }

  /// Stores messages of this machine; those that did not exist before are stored together.
  func store(_ messages: [IncomingMessage], in local: Source) throws {
    var new: [IncomingMessage] = []
    for message in messages {
      if try find(message, in: local) == nil {
        new.append(message)
      } else {
        try store(message, in: local, stamp: nil)
      }
    }
    guard !new.isEmpty else { return }
    let intake = try Intake(db, columns, local, judges: judges, at: now)
    try intake.store(new, isFirst: false)
    _ = try intake.finish()
  }

  private func find(
    _ message: IncomingMessage, in source: Source
  ) throws -> (id: Int64, isRead: Bool, visibleFrom: Milliseconds?)? {
    let query = try db.prepared(
      """
      SELECT t.message_id, t.is_read, t.visible_from FROM identity i CROSS JOIN status t ON t.message_id = i.message_id
      WHERE i.source_id = ? AND i.remote_id = ?
      """)
    query.bind(1, source.id.rawValue)
    try query.bind(2, message.remoteID.fitting.text)
    return try query.first { (query.int(0), query.bool(1), query.optionalInt(2)) }
  }

  /// Snoozes a message for a later time until then, so that it is in the list of snoozed messages and can be snoozed
  /// further.
  private func putOff(_ id: Int64, until moment: Milliseconds?, before: Milliseconds?) throws {
    let writer = MarkWriter(db, by: .occasion, at: now)
    let ids = IDRanges([id])
    // If a message is pushed again before its time, the new time is used.
    if let before, before > now { try writer.set(.snoozed(until: nil), on: ids) }
    if let moment, moment > now { try writer.set(.snoozed(until: moment), on: ids) }
  }

  /// Makes a message that is pushed again unread, if it was read or dismissed.
  ///
  /// - Returns: whether it was read or dismissed.
  private func renew(_ known: (id: Int64, isRead: Bool, visibleFrom: Milliseconds?)) throws -> Bool {
    let flags = try db.prepared("SELECT is_read OR dismissed_at IS NOT NULL FROM status WHERE message_id = ?")
    flags.bind(1, known.id)
    let isDone = try flags.first { flags.bool(0) } ?? false
    guard isDone || known.isRead else { return false }
    let occasions = MarkWriter(db, by: .occasion, at: now)
    try occasions.set(.read(false), on: IDRanges([known.id]))
    try occasions.set(.dismissed(at: nil), on: IDRanges([known.id]))
    try db.prepared(
      "UPDATE status SET sort_time = max(sort_time, ?2), is_unseen = is_listed WHERE message_id = ?1"
    ).run(known.id, now)
    return true
  }
}
