package import Foundation
import GRDB
import Marks
package import Messages

/// What scripts put into local sources.
package struct StorePushes: StorePart {
  let store: Store

  /// Stores one message of a script in a local source, in one transaction with the source itself where that is new.
  ///
  /// The same remote id updates in place. A message that was read or dismissed is news again, on top, even if nothing
  /// changed; a snooze holds until its moment. One that comes later is snoozed until then.
  ///
  /// - Parameters:
  ///   - local: the source as the settings or the script name it; nil takes the first local one that there is.
  ///   - unsaid: the fields that the stored message keeps.
  @discardableResult
  package func add(
    _ message: IncomingMessage, into local: ConfiguredSource? = nil, unsaid: Set<UnsaidField> = [],
    at now: Date
  ) throws(StoreFailure) -> Message {
    try write(.system) { db in
      var source = try store.sources.localSource(local, db)
      // A script that pushes a message again wants it to be read.
      source.isUnreadOnChange = true
      var message = message
      let known = try store.messages.find(message.remoteID, of: source.id, db)
      if let known { message.keep(unsaid, of: known.content) }
      let intake = try Intake(db, columns, source, judges: arrivals, at: now.milliseconds)
      try intake.store([message], isFirst: false)
      _ = try intake.finish()
      if let known, try Self.renew(known, at: now.milliseconds, db),
        let judge = try arrivals.judge(db, at: now.milliseconds)
      {
        try NoticeQueue(db, at: now.milliseconds).add([known.id.rawValue], by: judge, columns)
      }
      if let id = try known?.id ?? store.messages.find(message.remoteID, of: source.id, db)?.id {
        try Self.putOff(id, until: message.visibleFrom, known, at: now, db)
      }
      guard let stored = try store.messages.find(message.remoteID, of: source.id, db) else {
        throw StoreFailure.unexpected(path: path ?? "", reason: "the message is not there")
      }
      return stored
    }
  }

  /// Sets the number on a local source, outside of any poll; 0 clears it. The source as for `add`.
  package func setBadge(_ badge: Int, into local: ConfiguredSource?) throws(StoreFailure) {
    try write(.system) { db in
      let source = try store.sources.localSource(local, db)
      let update = try db.prepared("UPDATE polling SET badge = ?2 WHERE source_id = ?1")
      update.bind(1, source.id.rawValue)
      update.bind(2, badge == 0 ? nil : Int64(badge))
      try update.run()
    }
  }

  /// What comes later is snoozed until then: so the list of what is snoozed has it, and it can be put off like all there.
  private static func putOff(
    _ id: MessageID, until moment: Date?, _ known: Message?, at now: Date, _ db: Database
  ) throws {
    let writer = MarkWriter(db, by: .occasion, at: now.milliseconds)
    let ids = IDRanges([id.rawValue])
    // Of one that is pushed again before its time, the new time counts.
    if let old = known?.content.visibleFrom, old > now { try writer.set(.snoozed(until: nil), on: ids) }
    if let moment, moment > now { try writer.set(.snoozed(until: moment.milliseconds), on: ids) }
  }

  /// - Returns: whether it was read or dismissed, and is news again.
  private static func renew(_ known: Message, at now: Milliseconds, _ db: Database) throws -> Bool {
    let flags = try db.prepared("SELECT is_read OR dismissed_at IS NOT NULL FROM status WHERE message_id = ?")
    flags.bind(1, known.id.rawValue)
    let isDone = try flags.first { flags.bool(0) } ?? false
    guard isDone || !known.isUnread, let old = try MessageHead.find(known.id.rawValue, db) else {
      return false
    }
    let occasions = MarkWriter(db, by: .occasion, at: now)
    try occasions.set(.read(false), on: IDRanges([old.id]))
    try occasions.set(.dismissed(at: nil), on: IDRanges([old.id]))
    try db.prepared(
      "UPDATE status SET sort_time = max(sort_time, ?2), is_unseen = is_listed WHERE message_id = ?1"
    ).run(old.id, now)
    return true
  }
}

extension IncomingMessage {
  fileprivate mutating func keep(_ unsaid: Set<UnsaidField>, of known: IncomingMessage) {
    for field in unsaid {
      switch field {
      case .url: url = known.url
      case .priority: priority = known.priority
      case .tags: tags = known.tags
      case .group:
        guard let group = known.extras?.group else { continue }
        var extras = extras ?? MessageExtras()
        extras.group = group
        self.extras = extras
      }
    }
  }
}
