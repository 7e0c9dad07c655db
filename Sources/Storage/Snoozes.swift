import GRDB
import Messages

/// Snoozed messages: removed from lists and counts until their time, then back, unread and on top.
struct Snoozes {
  private let db: Database

  init(_ db: Database) { self.db = db }

  /// What cannot be dismissed cannot be snoozed either.
  ///
  /// - Returns: those that were listed, and are not any more, and those that wait for another time now.
  func hide(_ ids: IDRanges, until: Milliseconds) throws -> IDRanges {
    try change(ids.ranges.flatMap { Array($0) }) { id, head in
      guard try head.isListed || isSnoozed(id), head.isDismissable else { return false }
      try db.prepared("UPDATE status SET snoozed_until = ?, is_acted = 1 WHERE message_id = ?").run(until, id)
      return true
    }
  }

  private func isSnoozed(_ id: Int64) throws -> Bool {
    try db.integer(
      "SELECT 1 FROM status WHERE message_id = ? AND snoozed_until IS NOT NULL AND NOT is_dismissed", id) == 1
  }

  /// Undoes a snooze before its end: the message is where it was, as it was.
  func restore(_ ids: IDRanges) throws -> IDRanges {
    try change(ids.ranges.flatMap { Array($0) }) { id, _ in
      try db.prepared(
        "UPDATE status SET snoozed_until = NULL WHERE message_id = ? AND snoozed_until IS NOT NULL"
      )
      .run(id)
      return db.changesCount > 0
    }
  }

  /// Brings back what was snoozed until now.
  ///
  /// - Returns: those messages.
  func wake(at now: Milliseconds) throws -> [Int64] {
    let query = try db.prepared("SELECT message_id, snoozed_until FROM status WHERE snoozed_until <= ?")
    query.bind(1, now)
    var moments: [Int64: Milliseconds] = [:]
    try query.forEach { moments[query.int(0)] = query.int(1) }
    if moments.isEmpty { return [] }
    let ids = moments.keys.sorted()
    _ = try change(ids) { id, head in
      try db.prepared("UPDATE status SET snoozed_until = NULL, is_read = 0 WHERE message_id = ?").run(id)
      let time = max(head.key.sortTime, moments[id] ?? now)
      try db.prepared("UPDATE message SET sort_time = ? WHERE id = ?").run(time, id)
      return true
    }
    return ids
  }

  /// Changes each of the messages, and updates lists, counts, dots and the search's bounds.
  private func change(_ ids: [Int64], _ body: (Int64, MessageHead) throws -> Bool) throws -> IDRanges {
    let lists = try ListChanges(db)
    var spans = SpanBounds()
    var changed = IDRanges()
    for id in ids {
      guard let old = try MessageHead.find(id, db), try body(id, old), let new = try MessageHead.find(id, db)
      else {
        continue
      }
      changed.append(id)
      try lists.move(old, new, isArrival: true)
      spans.include(new.key)
    }
    try lists.finish()
    try spans.save(db)
    return changed
  }
}
