import Foundation
import GRDB
import Messages

/// Applies a poll's report on the state of messages at their service, in the poll's transaction.
struct UpstreamChanges {
  private let db: Database
  private let source: SourceID
  /// The beginning of the poll, and the time at which its result is stored.
  private let start: Milliseconds
  private let now: Milliseconds
  private let outgoing: Outgoing
  private let endings: Endings
  /// The messages that arrived with the poll, which need no look-up.
  private let arrived: [RemoteID: Int64]
  /// The judges that decide on notifications for messages that become unread again.
  private let judges: ArrivalJudges
  private let columns: Columns
  /// Whether there are acts of other machines that the service does not report yet. They take precedence over
  /// its report.
  private let isHeld: Bool

  init(
    _ db: Database, _ columns: Columns, of source: SourceID, start: Milliseconds, at now: Milliseconds,
    arrived: [RemoteID: Int64], judges: ArrivalJudges
  ) throws {
    (self.arrived, self.judges, self.columns) = (arrived, judges, columns)
    self.db = db
    self.source = source
    self.start = start
    self.now = now
    outgoing = Outgoing(db)
    endings = Endings(db, at: now)
    isHeld = try outgoing.holds(source, at: now)
  }

  /// The number of changed messages, and of those that became unread.
  typealias Changed = (all: Int, back: Int)

  func apply(_ state: UpstreamState) throws -> Changed {
    var changed = try apply(state.marks)
    if let open = state.open {
      let (read, again) = try apply(open: open, state)
      changed = (changed.all + read + again, changed.back + again)
    }
    if let last = state.readThrough { changed.all += try read(through: last) }
    return changed
  }

  /// Applies a publisher's reports that messages have ended or are open again. An ended message is marked as
  /// read, and the reader shows the time of its end.
  ///
  /// A message of a calendar or service that is open again gets the state that it had before it ended, for
  /// example after an issue was reopened, or an event that was missing is back. If the service also reports a
  /// later event (occasion), the message becomes unread. Any other message that is open again counts as new,
  /// for example an item of a native feed that is no longer done.
  ///
  /// - Returns: the number of messages that changed.
  func apply(_ endings: [(message: RemoteID, isOver: Bool)]) throws -> Int {
    let ended = try endings.contains { !$0.isOver } ? self.endings.all(of: source) : [:]
    // Only the last ending of a message is used. Most messages are open and were open, so they need no look-up.
    var last: [RemoteID: Bool] = [:]
    for (message, isOver) in endings {
      let id = message.fitting
      if isOver || ended[id] != nil || last[id] != nil { last[id] = isOver }
    }
    var (over, open, back): ([Int64], [Int64], [Int64]) = ([], [], [])
    for (remoteID, isOver) in last.sorted(by: { $0.key.text < $1.key.text }) {
      if isOver {
        // Only once: a message that is unread anyway was marked as unread since then.
        if let id = try arrived[remoteID] ?? message(remoteID), try self.endings.time(of: id) == nil {
          over.append(id)
        }
      } else if let (id, kind) = ended[remoteID] {
        if kind == .calendar || kind == .service { back.append(id) } else { open.append(id) }
      }
    }
    for id in open { try self.endings.remove(id) }
    try self.endings.add(over, isShown: true, replaces: false)
    try self.endings.show(over)
    return try renew(open) + restore(back) + set(.read(true), on: over).count
  }

  private func apply(_ marks: [UpstreamState.Mark]) throws -> Changed {
    if marks.isEmpty { return (0, 0) }
    // If a message has several marks, the last one is used.
    var wanted: [Int64: UpstreamMarks] = [:]
    wanted.reserveCapacity(marks.count)
    for mark in marks {
      guard let id = try arrived[mark.remoteID] ?? message(mark.remoteID) else { continue }
      var known = wanted[id] ?? UpstreamMarks()
      known.isRead = mark.marks.isRead ?? known.isRead
      known.isStarred = mark.marks.isStarred ?? known.isStarred
      known.isDone = mark.marks.isDone ?? known.isDone
      known.isSnoozed = mark.marks.isSnoozed ?? known.isSnoozed
      wanted[id] = known
    }
    // Usually there are no acts, and then no message must be checked for them.
    let hasActs = try outgoing.isEmpty(of: source) == false
    let readsDismissed = try outgoing.readsDismissed(of: source)
    var ids: [Mark: [Int64]] = [:]
    for (id, marks) in wanted {
      for (column, value, mark) in [
        ("read", marks.isRead, marks.isRead.map(Mark.read)),
        ("starred", marks.isStarred, marks.isStarred.map(Mark.starred)),
        ("done", marks.isDone, marks.isDone.map { .dismissed(at: $0 ? now : nil) }),
        ("snoozed", nil, marks.isSnoozed == false ? .snoozed(until: nil) : nil),
      ] {
        guard let mark else { continue }
        if isHeld { try outgoing.agree(column, value.map { $0 ? 1 : 0 }, of: id) }
        if hasActs, try column == "read" ? isReadFromHere(id) : outgoing.isNewer(column, of: id, than: start)
        {
          continue
        }
        // The dismissal itself marked it as read: if it is undone, the message gets its previous state.
        if mark == .read(true), readsDismissed, try isDismissedByPerson(id) { continue }
        ids[mark, default: []].append(id)
      }
    }
    var changed: Changed = (0, 0)
    for (mark, ids) in ids {
      let set = try set(mark, on: ids)
      changed.all += set.count
      guard mark == .read(false), !set.isEmpty else { continue }
      // Messages that have just arrived did not exist before.
      let new = Set(arrived.values)
      changed.back += ids.count { set.contains($0) && !new.contains($0) }
    }
    return changed
  }

  /// Whether an act on the read state or the dismissal of a message is newer than the service's report that
  /// it was read or is no longer listed: see `Outgoing.isNewer`. Dismissing a message here also marks it as
  /// read there, or deletes it.
  private func isReadFromHere(_ id: Int64) throws -> Bool {
    try outgoing.isNewer("read", of: id, than: start) || outgoing.isNewer("done", of: id, than: start)
  }

  private func isDismissedByPerson(_ id: Int64) throws -> Bool {
    let query = try db.prepared("SELECT 1 FROM status WHERE message_id = ? AND dismissed_at IS NOT NULL")
    query.bind(1, id)
    return try query.first { true } == true && MarkLog(db).isActed(id, on: .dismissed)
  }

  /// Marks messages up to a position in the service's list as read, since they were read elsewhere.
  private func read(through last: RemoteID) throws -> Int {
    let query = try db.prepared(
      """
      SELECT t.message_id, d.remote_id FROM status t INDEXED BY source_unread
      CROSS JOIN detail d ON d.message_id = t.message_id
      WHERE t.source_id = ? AND t.is_listed AND NOT t.is_read
      """)
    query.bind(1, source.rawValue)
    var ids: [Int64] = []
    try query.forEach { if !last.isBefore(RemoteID(query.text(1))) { ids.append(query.int(0)) } }
    if isHeld {
      for (id, remoteID) in try outgoing.heldRead(of: source) where !last.isBefore(remoteID) {
        try outgoing.agree("read", 1, of: id)
      }
    }
    return try set(.read(true), on: ids.filter { try !outgoing.isNewer("read", of: $0, than: start) }).count
  }

  private func set(_ mark: Mark, on ids: [Int64]) throws -> IDRanges {
    if ids.isEmpty { return IDRanges() }
    var changed = IDRanges()
    for part in try Stamps(db).parts(of: Duplicates(db).complete(IDRanges(ids)), at: start) {
      let journal = Journal(db)
      let act = try part.stamp.map { (id: try journal.nextIDOfOthers(), stamp: $0) }
      let set = try MarkWriter(db, by: .service, act: act?.id, at: now).set(mark, on: part.ids)
      // Nearly every response repeats what is known, and changes no mark.
      if set.isEmpty { continue }
      if let act { try journal.append(act.id, ofService: act.stamp, at: now) }
      changed = changed.union(set)
    }
    return changed
  }

  // MARK: - Absence

  /// Applies the service's list of open messages: messages that are no longer listed were read or have ended, and
  /// messages that are listed again get their previous state.
  ///
  /// - Returns: the number of messages that it marked as read, and of those that are unread again.
  private func apply(open: Set<RemoteID>, _ state: UpstreamState) throws -> (read: Int, again: Int) {
    var known: Set<RemoteID> = []
    var gone: [(remoteID: RemoteID, message: Int64)] = []
    let query = try db.prepared("SELECT remote_id, message_id FROM upstream_open WHERE source_id = ?")
    query.bind(1, source.rawValue)
    try query.forEach {
      let remoteID = RemoteID(query.text(0))
      if open.contains(remoteID) {
        known.insert(remoteID)
      } else if state.isComplete, !state.unreadable.contains(remoteID) {
        gone.append((remoteID, query.int(1)))
      }
    }
    let insert = try db.prepared(
      "INSERT OR REPLACE INTO upstream_open (source_id, remote_id, message_id) VALUES (?, ?, ?)")
    var back: [Int64] = []
    for remoteID in open.subtracting(known).subtracting(state.unreadable) {
      guard let id = try message(remoteID) else { continue }
      if state.absence == .read { try agree(isOpen: true, id) }
      // The response is older than the acts that the service got from here.
      if state.absence == .read, try isReadFromHere(id) { continue }
      insert.bind(1, source.rawValue)
      try insert.bind(2, remoteID.fitting.text)
      insert.bind(3, id)
      try insert.run()
      back.append(id)
    }
    // An element that is listed may still be about something that has ended.
    if state.absence == .read { back = try back.filter { try endings.time(of: $0) == nil } }
    let restored = try restore(back)
    let remove = try db.prepared("DELETE FROM upstream_open WHERE source_id = ? AND remote_id = ?")
    var (ended, read): ([Int64], [Int64]) = ([], [])
    for (remoteID, message) in gone {
      if state.absence == .read { try agree(isOpen: false, message) }
      let isNewer = try isReadFromHere(message)
      if state.absence == .read, isNewer { continue }
      remove.bind(1, source.rawValue)
      try remove.bind(2, remoteID.fitting.text)
      try remove.run()
      ended.append(message)
      if !isNewer { read.append(message) }
    }
    // The end of a message says more than that it was read since.
    if state.absence == .read { ended = try ended.filter { try endings.time(of: $0) == nil } }
    try endings.add(ended, isShown: state.absence == .resolved, replaces: true)
    return (try set(.read(true), on: read).count, restored)
  }

  /// Records that another machine's act has reached the service, if the service's report agrees with the act.
  private func agree(isOpen: Bool, _ message: Int64) throws {
    guard isHeld else { return }
    for column in ["read", "done"] { try outgoing.agree(column, isOpen ? 0 : 1, of: message) }
  }

  /// Restores the state that messages had before they ended, since they are open again. Notifications that
  /// were already sent are not sent again.
  ///
  /// - Returns: the number of messages that became unread.
  private func restore(_ ids: [Int64]) throws -> Int {
    try endings.restore(ids) { try set(.read(false), on: $0) }.count
  }

  /// Makes messages count as new again: unread, unseen, not dismissed, on top, and with a notification.
  ///
  /// - Returns: the number of messages that became unread.
  private func renew(_ ids: [Int64]) throws -> Int {
    if ids.isEmpty { return 0 }
    let all = try Duplicates(db).complete(IDRanges(ids))
    let writer = MarkWriter(db, by: .occasion, at: now)
    let changed = try writer.set(.read(false), on: all)
    try writer.set(.dismissed(at: nil), on: all)
    let see = try db.prepared(
      "UPDATE status SET is_unseen = 1, sort_time = max(sort_time, ?2) WHERE message_id = ?1 AND is_listed")
    for id in ids { try see.run(id, now) }
    if let judge = try judges.judge(db, at: now) { try NoticeQueue(db, at: now).add(ids, by: judge, columns) }
    return ids.count { changed.contains($0) }
  }

  private func message(_ remoteID: RemoteID) throws -> Int64? {
    // Ids of deleted messages are kept.
    let lookup = try db.prepared(
      """
      SELECT i.message_id FROM identity i CROSS JOIN message m ON m.id = i.message_id
      WHERE i.source_id = ? AND i.remote_id = ?
      """)
    lookup.bind(1, source.rawValue)
    try lookup.bind(2, remoteID.fitting.text)
    return try lookup.first { lookup.int(0) }
  }
}
