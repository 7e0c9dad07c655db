import GRDB
import Messages

/// Shows and hides messages as time passes, according to their `visibleFrom` and `expires`, and ends their snoozes.
///
/// The store records the instant up to which it has done so. Whether time then moves forward or back, only messages
/// with one of these times in between can change, and an index of each time finds them.
struct StoreClock {
  let db: Database
  let columns: Columns
  /// The judges that decide on notifications of messages whose snooze ends, or `nil` for no notifications.
  let judges: ArrivalJudges?

  init(_ db: Database, _ columns: Columns, _ judges: ArrivalJudges? = nil) {
    self.db = db
    self.columns = columns
    self.judges = judges
  }

  /// Whether anything is due between the stored instant and `now`.
  func isDue(at now: Milliseconds) throws -> Bool {
    let (from, to) = try range(to: now)
    let sql = """
      SELECT EXISTS (SELECT 1 FROM status WHERE visible_from > ?1 AND visible_from <= ?2)
        OR EXISTS (SELECT 1 FROM status WHERE expires > ?1 AND expires <= ?2)
        OR EXISTS (SELECT 1 FROM status WHERE snoozed_until <= ?3)
      """
    return try db.integer(sql, from, to, now) == 1
  }

  /// Returns the first moment after `now` at which a message appears or disappears, or a feature may be switched.
  func next(after now: Milliseconds) throws -> Milliseconds? {
    let appears = try db.integer("SELECT min(visible_from) FROM status WHERE visible_from > ?", now)
    let goes = try db.integer("SELECT min(expires) FROM status WHERE expires > ?", now)
    let wakes = try db.integer("SELECT min(snoozed_until) FROM status WHERE snoozed_until > ?", now)
    let switches = try Features.next(after: now, db)
    return [appears, goes, wakes, switches].compactMap { $0 }.min()
  }

  /// The maximum number of messages that one transaction shows or removes; more if they have the same moment.
  static let most = 2000

  /// Shows and hides the messages that are due up to `now`, or only the first `most` of them.
  ///
  /// - Returns: whether more is due.
  @discardableResult
  func advance(to now: Milliseconds) throws -> Bool {
    let woken = try MarkWriter(db, by: .occasion, at: now).wake(limit: Self.most)
    if !woken.isEmpty, let judge = try judges?.judge(db, at: now) {
      try NoticeQueue(db, at: now).add(woken.ranges.flatMap(Array.init), by: judge, columns)
    }
    let clock = try self.now()
    let end = try endOfSlice(from: clock, to: now)
    let isWakingLeft = woken.count == Self.most
    if clock == end { return isWakingLeft }
    let (from, to) = (min(clock, end), max(clock, end))
    let query = try db.prepared(
      """
      SELECT message_id FROM status WHERE visible_from > ?1 AND visible_from <= ?2
      UNION SELECT message_id FROM status WHERE expires > ?1 AND expires <= ?2
      """)
    query.bind(1, from)
    query.bind(2, to)
    var due: [Int64] = []
    try query.forEach { due.append(query.int(0)) }
    try db.prepared("UPDATE store SET clock = ?").run(end)
    try show(due, at: end)
    return isWakingLeft || end != now
  }

  /// Returns the end of the next slice: the instant up to which about `most` messages are due, or `now` if
  /// fewer are due. `now` is before `clock` if the clock was set back.
  private func endOfSlice(from clock: Milliseconds, to now: Milliseconds) throws -> Milliseconds {
    let isForward = now >= clock
    // When time goes back, a moment is undone by the instant before it.
    let sql = """
      SELECT moment FROM (
        SELECT visible_from AS moment FROM status WHERE visible_from > ?1 AND visible_from <= ?2
        UNION ALL SELECT expires FROM status WHERE expires > ?1 AND expires <= ?2)
      ORDER BY moment \(isForward ? "ASC" : "DESC") LIMIT 1 OFFSET ?3
      """
    guard let moment = try db.integer(sql, min(clock, now), max(clock, now), Int64(Self.most)) else {
      return now
    }
    return isForward ? moment : moment - 1
  }

  /// Shows or hides stored messages after a source subscribed to other channels.
  func showAgain(inChannelsOf source: Int64) throws {
    let query = try db.prepared("SELECT message_id FROM status WHERE source_id = ? AND channel IS NOT NULL")
    query.bind(1, source)
    var ids: [Int64] = []
    try query.forEach { ids.append(query.int(0)) }
    try show(ids, at: try now())
  }

  /// Makes messages that would appear later visible from this moment on. A reminder whose snooze ends before its own
  /// time appears at the end of the snooze.
  func show(_ ids: IDRanges, from moment: Milliseconds, at now: Milliseconds) throws {
    let update = try db.prepared(
      "UPDATE status SET visible_from = ?3 WHERE message_id BETWEEN ?1 AND ?2 AND visible_from > ?3 RETURNING message_id"
    )
    var earlier: [Int64] = []
    for range in ids.ranges {
      update.bind(1, range.lowerBound)
      update.bind(2, range.upperBound)
      update.bind(3, moment)
      try update.forEach { earlier.append(update.int(0)) }
    }
    try show(earlier, at: now)
  }

  /// Returns the instant up to which messages were shown and hidden.
  func now() throws -> Milliseconds { try db.integer("SELECT clock FROM store") ?? 0 }

  private func range(to now: Milliseconds) throws -> (from: Milliseconds, to: Milliseconds) {
    let clock = try self.now()
    return (min(clock, now), max(clock, now))
  }

  /// Shows or hides messages, depending on their times and channels.
  ///
  /// - Parameter isNews: whether the messages that appear count as unseen.
  func show(_ ids: [Int64], at now: Milliseconds, isNews: Bool = true) throws {
    if ids.isEmpty { return }
    var channels: [Int64: ShownChannels] = [:]
    for row in try SourceRow.all(db, columns) {
      channels[row.source.id.rawValue] = row.source.settings.shownChannels
    }
    // A message that was never shown can also expire.
    if try SavedLists(db).exist() { try SavedLists(db).judgeLater(ids) }
    let update = try db.prepared("UPDATE status SET is_shown = ?2, is_unseen = ?3 WHERE message_id = ?1")
    for id in ids {
      guard let old = try MessageHead.find(id, db) else { continue }
      var new = old
      new.isShown = old.isShown(at: now, channels: channels[old.source] ?? .named([]))
      if new.isShown == old.isShown { continue }
      try update.run(id, new.isShown ? 1 : 0, isNews && new.isListedUnread ? 1 : 0)
    }
  }
}
