import GRDB
import Messages
import Sync

/// Writes marks of messages; no other code does. Lists and most counts follow automatically. Counts of `is_read` are
/// updated here, since a whole list may become read in one step.
///
/// It records its changes with the previous values.
final class MarkWriter {
  private let db: Database
  private let author: MarkAuthor
  /// The act behind the changes, or `nil` without synchronisation.
  private let act: Int64?
  private let now: Milliseconds
  private(set) var changes = MarkChanges()
  /// Whether it changes a mark of a message more than once, as the undo of several acts does.
  var writesAgain = false
  /// The last act that was looked up, and whether it is an undo: neighbouring messages usually have the same act behind
  /// their marks.
  private var lastFormer = (act: MarkChange.nobody, isUndo: false)

  init(_ db: Database, by author: MarkAuthor, act: Int64? = nil, at now: Milliseconds) {
    (self.db, self.author, self.act, self.now) = (db, author, act, now)
  }

  /// Sets a mark on messages.
  ///
  /// Messages that must not be dismissed are neither dismissed nor snoozed. The user can snooze messages that are
  /// listed or already snoozed, and a rule does not change the end of a snooze.
  ///
  /// - Returns: the messages that had another value.
  @discardableResult
  func set(_ mark: Mark, on ids: IDRanges) throws -> IDRanges {
    if ids.isEmpty { return ids }
    if author == .person {
      try wake(among: ids)
      if case .snoozed = mark { try keepRead(ofWoken: ids) }
    }
    let condition: String
    switch mark {
    case .read: condition = "is_read <> ?3"
    case .starred: condition = "is_starred <> ?3"
    case .dismissed(nil): condition = "dismissed_at IS NOT ?3"
    case .dismissed: condition = "dismissed_at IS NULL AND is_dismissable AND ?3 IS NOT NULL"
    case .snoozed(nil): condition = "snoozed_until IS NOT ?3"
    case .snoozed:
      condition =
        "is_dismissable AND snoozed_until IS NOT ?3 AND "
        + snoozable
    case .hidden: condition = "hidden_by IS NOT ?3"
    case .tags(let tags): return try set(tags, on: ids)
    case .priority(let priority): return try set(priority: priority, on: ids)
    }
    return try write(mark, on: ids, where: condition)
  }

  /// The SQL condition for messages that the author can snooze.
  private var snoozable: String {
    switch author {
    case .person: "(is_listed OR snoozed_until IS NOT NULL AND dismissed_at IS NULL)"
    case .machine: "1"
    case .rule, .service, .occasion: "snoozed_until IS NULL"
    }
  }

  /// Sets a mark on the messages that meet a condition.
  ///
  /// - Parameters:
  ///   - compared: the fifth parameter of the condition.
  ///   - oldBy: the undone act as later acts know it, for an undo. It is the eighth parameter of the condition.
  ///   - former: the undone act, which is the ninth parameter of the condition.
  ///   - newBy: the act whose value an undo restores.
  private func write(
    _ mark: Mark, on ids: IDRanges, where condition: String, compared: Mark? = nil, oldBy: Int64? = nil,
    of former: Int64? = nil, newBy: Int64? = nil
  ) throws -> IDRanges {
    let field = mark.field
    let find = try db.prepared(
      """
      SELECT message_id, \(field.row.by ?? "NULL"), \(field.columns) FROM status
      WHERE message_id BETWEEN ?1 AND ?2 AND \(condition) ORDER BY message_id
      """)
    // If a snooze has ended, `read_before` is the state without that end.
    let hasWoken =
      try field == .read && db.integer("SELECT 1 FROM status WHERE woken IS NOT NULL LIMIT 1") == 1
    let update = try db.prepared(
      """
      UPDATE status SET \(mark.assignment)\(behind(field))\(hasWoken ? ", read_before = iif(woken IS NULL, NULL, ?3)" : "")
      WHERE message_id BETWEEN ?1 AND ?2 AND \(condition)
      """)
    for statement in [find, update] {
      try mark.bind(statement, at: 3)
      try compared?.bind(statement, at: 5)
      statement.bind(7, act)
      statement.bind(8, oldBy)
      statement.bind(9, former)
    }
    var changed = IDRanges()
    var counts = UnreadChanges()
    for range in ids.ranges {
      find.bind(1, range.lowerBound)
      find.bind(2, range.upperBound)
      let last = changed.ranges.last
      try find.forEach {
        changed.append(find.int(0))
        let oldBy = try oldBy ?? behind(field, find.optionalInt(1), of: find.int(0))
        let old = Mark(field, find, at: 2)
        add(find.int(0), MarkChange(IDRanges(), old: old, new: mark, oldBy: oldBy, newBy: newBy))
        if case .read(let isRead) = mark, find.bool(2) != isRead { counts.add(find, at: 3) }
      }
      if changed.ranges.last == last { continue }
      update.bind(1, range.lowerBound)
      update.bind(2, range.upperBound)
      try update.run()
    }
    if case .read(let isRead) = mark { try counts.write(db, isRead: isRead, changed) }
    return changed
  }

  private func add(_ id: Int64, _ change: MarkChange) {
    if writesAgain { changes.appendAgain(id, change) } else { changes.append(id, change) }
  }

  /// Returns the act behind a mark, as an undo of this change needs it: `nobody` if there is none, and
  /// instead of an undo the act whose value that undo restored. Returns `nil` if the change cannot be undone.
  private func behind(_ field: Mark.Field, _ former: Int64?, of id: Int64) throws -> Int64? {
    guard act != nil, author == .person || author == .rule else { return nil }
    guard let former else { return MarkChange.nobody }
    if former != lastFormer.act { lastFormer = (former, try MarkLog(db).isUndo(former)) }
    return lastFormer.isUndo ? try MarkLog(db).meaning(ofUndo: former, field, on: id) : former
  }

  /// Returns the SQL that stores the act behind the mark, or an empty string if that act stays. An event in
  /// time, which has no act, removes it.
  private func behind(_ field: Mark.Field) -> String {
    guard let column = field.row.by else { return "" }
    return author == .occasion || act != nil ? ", \(column) = ?7" : ""
  }

  private func set(_ tags: [String], on ids: IDRanges) throws -> IDRanges {
    let query = try db.prepared("SELECT tags FROM detail WHERE message_id = ?")
    let columns = Columns()
    return try change(ids) { id in
      query.bind(1, id)
      let found: [String]? = try query.first {
        query.optionalText(0).flatMap(columns.strings.value) ?? []
      }
      guard let old = found, old != tags else { return false }
      try setTags(tags, of: id)
      add(id, MarkChange(IDRanges(), old: .tags(old), new: .tags(tags)))
      return true
    }
  }

  private func set(priority: Int64, on ids: IDRanges) throws -> IDRanges {
    try change(ids) { id in
      let found = try db.integer("SELECT priority FROM status WHERE message_id = ?", id)
      guard let old = found, old != priority else { return false }
      try setPriority(priority, of: id)
      add(id, MarkChange(IDRanges(), old: .priority(old), new: .priority(priority)))
      return true
    }
  }

  /// Calls `body` for each message, which changes the message if necessary. Returns the messages for which
  /// `body` returned `true`.
  private func change(_ ids: IDRanges, _ body: (Int64) throws -> Bool) throws -> IDRanges {
    var changed = IDRanges()
    for range in ids.ranges {
      for id in range where try body(id) { changed.append(id) }
    }
    return changed
  }

  private func setTags(_ tags: [String], of id: Int64) throws {
    try FacetChanges(db, Columns()).change(id) {
      let update = try db.prepared("UPDATE detail SET tags = ?2 WHERE message_id = ?1")
      update.bind(1, id)
      try update.bind(2, tags.isEmpty ? nil : try StoredJSON.text(tags))
      try update.run()
    }
  }

  private func setPriority(_ priority: Int64, of id: Int64) throws {
    try FacetChanges(db, Columns()).change(id) {
      try db.prepared("UPDATE status SET priority = ?2 WHERE message_id = ?1").run(id, priority)
    }
  }

  // MARK: - Snoozes that are over

  /// Moves messages whose snooze has ended back into the lists: unread, unseen and on top.
  ///
  /// - Parameter limit: the maximum number.
  /// - Returns: the messages whose snooze was ended.
  func wake(limit: Int = .max) throws -> IDRanges {
    let query = try db.prepared(
      "SELECT message_id FROM status WHERE snoozed_until <= ? ORDER BY snoozed_until LIMIT ?")
    query.bind(1, now)
    query.bind(2, limit)
    var ids: [Int64] = []
    try query.forEach { ids.append(query.int(0)) }
    return try wake(ids)
  }

  /// Ends the snoozes of these messages that are over but still stored, so that an act of the user applies to
  /// the visible state.
  func wake(among ids: IDRanges) throws {
    let query = try db.prepared("SELECT message_id FROM status WHERE snoozed_until <= ?")
    query.bind(1, now)
    var due: [Int64] = []
    try query.forEach { if ids.contains(query.int(0)) { due.append(query.int(0)) } }
    _ = try wake(due)
  }

  /// Ends snoozes: the messages become unread. A message that was read after the end of its snooze stays
  /// read.
  private func wake(_ ids: [Int64]) throws -> IDRanges {
    let update = try db.prepared(
      """
      UPDATE status SET sort_time = max(sort_time, snoozed_until), snoozed_until = NULL,
        woken = iif(snoozed_by IS NULL, NULL, snoozed_until), read_before = iif(snoozed_by IS NULL, NULL, is_read),
        is_read = is_read AND ?2,
        is_unseen = NOT (is_read AND ?2) AND is_shown AND dismissed_at IS NULL AND hidden_by IS NULL
      WHERE message_id = ?1
      """)
    for id in ids { try update.run(id, isReadSince(id) ? 1 : 0) }
    return IDRanges(ids)
  }

  /// Whether a message was read after its snooze ended.
  private func isReadSince(_ id: Int64) throws -> Bool {
    let query = try db.prepared(
      "SELECT snoozed_until, snoozed_by, read_by FROM status WHERE message_id = ? AND read_by IS NOT NULL")
    query.bind(1, id)
    let found = try query.first { (query.int(0), query.optionalInt(1), query.int(2)) }
    guard let (moment, snooze, read) = found, let snooze else { return false }
    let writers = Writers(db)
    let waking = try MergeRule.waking(until: moment, by: writers.writer(of: snooze), now: now)
    return try waking.map { try !MergeRule.stands($0, over: writers.writer(of: read)) } ?? false
  }

  /// Records whether each message is still unread since the end of its snooze, before another snooze replaces
  /// the ended one.
  private func keepRead(ofWoken ids: IDRanges) throws {
    for isRead in [false, true] {
      _ = try write(
        .read(isRead), on: ids,
        where: "woken IS NOT NULL AND is_read = ?3 AND is_dismissable AND \(snoozable)")
    }
  }

  // MARK: - Undo

  /// Reverts changes if the messages still have the new value.
  ///
  /// - Parameter act: the act that made the changes, with synchronisation; then only marks that are still from that act
  ///   are reverted.
  /// - Returns: the messages that got the old value.
  func restore(_ inverses: [MarkChange], of act: Int64?) throws -> IDRanges {
    var restored = IDRanges()
    for change in inverses {
      try wake(among: change.messages)
      let ids: IDRanges
      switch (change.old, change.new) {
      case (.tags, .tags(let tags)):
        let query = try db.prepared("SELECT tags FROM detail WHERE message_id = ?")
        ids = try restore(change) { id in
          query.bind(1, id)
          let found: String?? = try query.first { query.optionalText(0) }
          guard let found else { return nil }
          return .tags(found.flatMap(Columns().strings.value) ?? [])
        } write: {
          try setTags(tags, of: $0)
        }
      case (.priority, .priority(let priority)):
        ids = try restore(change) { id in
          try db.integer("SELECT priority FROM status WHERE message_id = ?", id).map(Mark.priority)
        } write: {
          try setPriority(priority, of: $0)
        }
      // A hidden message must be hidden by the same rule; the time doesn't matter.
      case (let old, let new):
        let field = new.field
        guard let act, let column = field.row.by else {
          ids = try write(new, on: change.messages, where: "\(field.row.column) IS ?5", compared: old)
          break
        }
        let meaning = change.oldBy ?? act
        func revert(where stands: String, on ids: IDRanges) throws -> IDRanges {
          try write(
            new, on: ids, where: "\(field.compared) IS ?5 AND \(stands)", compared: old, oldBy: meaning,
            of: act,
            newBy: change.newBy)
        }
        // The log doesn't contain the marks yet that this act has already restored.
        let again = changes.all.filter { writesAgain && $0.field == field && $0.newBy == meaning }
          .reduce(IDRanges()) { $0.union($1.messages) }
        ids = try revert(where: MarkLog.stands(column, field), on: change.messages)
          .union(revert(where: "\(column) = ?7", on: change.among(again).messages))
      }
      restored = restored.union(ids)
    }
    return restored
  }

  /// Reverts changes that rules made, except on messages whose mark was changed since, or was set by the
  /// user.
  func giveBack(_ changes: [MarkChange]) throws {
    let log = MarkLog(db)
    for change in changes {
      guard let id = change.messages.ranges.first?.lowerBound, try !log.isActed(id, on: change.field) else {
        continue
      }
      if change.field == .hidden {
        _ = try write(
          change.old, on: change.messages, where: "(hidden_by IS NULL OR hidden_by = ?5)",
          compared: change.new)
      } else {
        _ = try restore([change.inverse], of: nil)
      }
    }
  }

  private func restore(
    _ change: MarkChange, _ value: (Int64) throws -> Mark?, write: (Int64) throws -> Void
  ) throws -> IDRanges {
    try self.change(change.messages) { id in
      guard try value(id) == change.old else { return false }
      try write(id)
      add(id, MarkChange(IDRanges(), old: change.old, new: change.new))
      return true
    }
  }
}

extension Mark.Field {
  /// The SQL on `status` for the synchronised value, even if the end of a snooze now shows another one.
  fileprivate var compared: String { self == .read ? row.written : row.column }

  /// The columns that `Mark.init` reads.
  fileprivate var columns: String {
    switch self {
    case .read: "is_read, source_id, is_listed, original_id, original_source"
    case .hidden: "hidden_by, hidden_at"
    case .starred, .dismissed, .snoozed, .tags, .priority: row.column
    }
  }
}

extension Mark {
  /// Reads `columns` of a row.
  init(_ field: Field, _ row: Prepared, at place: Int32) {
    self =
      switch field {
      case .read: .read(row.bool(place))
      case .starred: .starred(row.bool(place))
      case .dismissed: .dismissed(at: row.optionalInt(place))
      case .snoozed: .snoozed(until: row.optionalInt(place))
      case .hidden:
        .hidden(row.optionalText(place).map { Hiding(rule: $0, at: row.optionalInt(place + 1) ?? 0) })
      case .tags: .tags(row.optionalText(place).flatMap(Columns().strings.value) ?? [])
      case .priority: .priority(row.int(place))
      }
  }

  /// The SQL that assigns the value to the columns of `status`. Messages that lists hide count as seen, and
  /// so do those that become unread again.
  fileprivate var assignment: String {
    switch self {
    case .read(true): "is_read = ?3"
    case .read(false): "is_read = ?3, is_unseen = 0"
    case .dismissed: "dismissed_at = ?3, is_unseen = is_unseen AND ?3 IS NULL"
    case .snoozed:
      "snoozed_until = ?3, woken = NULL, read_before = NULL, is_unseen = is_unseen AND ?3 IS NULL"
    case .hidden: "hidden_by = ?3, hidden_at = ?4, is_unseen = is_unseen AND ?3 IS NULL"
    case .starred: "is_starred = ?3"
    case .tags: "tags = ?3"
    case .priority: "priority = ?3"
    }
  }

  /// Binds the values of `assignment`. If the mark is only compared, the second value has no effect.
  func bind(_ statement: Prepared, at place: Int32) throws {
    switch self {
    case .read(let value), .starred(let value): statement.bind(place, value)
    case .dismissed(let time), .snoozed(let time): statement.bind(place, time)
    case .hidden(let hiding):
      try statement.bind(place, hiding?.rule)
      statement.bind(place + 1, hiding?.at)
    case .tags(let tags): try statement.bind(place, StoredJSON.text(tags))
    case .priority(let priority): statement.bind(place, priority)
    }
  }
}
