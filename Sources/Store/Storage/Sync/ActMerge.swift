import Basics
import GRDB
import Messages
import Sync

/// Applies values that other machines have written to the messages on this machine. A value is applied if its
/// write takes precedence over the write of the present value; `MarkWriter` then sets the mark.
struct ActMerge {
  private let db: Database
  private let now: Milliseconds
  private let writers: Writers

  init(_ db: Database, at now: Milliseconds) {
    (self.db, self.now) = (db, now)
    writers = Writers(db)
  }

  // MARK: - What an act wrote

  /// Writes of one value for one field, from consecutive acts, that are applied to messages together. Most
  /// acts concern one message, and often repeat the value of the act before.
  struct Batch {
    fileprivate var value: Act.Value = .none
    fileprivate var field = Act.Field.seen
    fileprivate var parts: [(act: Int64, messages: [Int64])] = []
    /// The row in `wire_source` and the source on this machine, if it is followed here, for each id of a
    /// source.
    private var sources: [WireUID: (row: Int64, source: Int64?)] = [:]

    mutating func source(of uid: WireUID, _ db: Database) throws -> (row: Int64, source: Int64?) {
      if let known = sources[uid] { return known }
      let row = try WireSources(db).row(of: uid)
      let found = (row, try WireSources(db).source(ofRow: row))
      sources[uid] = found
      return found
    }

    fileprivate mutating func add(_ messages: [Int64], of write: EarlyCells.Write) {
      (field, value) = (write.field, write.value)
      parts.append((write.act, messages))
    }

    /// Whether a write can be added to the batch. Marks other than read and starred are written one by one: for
    /// example, the time of a dismissal differs for each act.
    fileprivate func accepts(_ write: EarlyCells.Write) -> Bool {
      parts.isEmpty || [.read, .starred].contains(field) && write.field == field && write.value == value
    }
  }

  /// Applies one group of an act: a value for some messages, or for a source.
  ///
  /// - Parameters:
  ///   - act: the id of the act in the journal.
  ///   - batch: the collected writes of the preceding acts, which `finish` applies.
  func apply(_ group: Act.Group, act: Int64, _ batch: inout Batch) throws {
    let (row, source) = try batch.source(of: group.source, db)
    if group.field == .written {
      return try WrittenSources(db, at: now).merge(group, act: act, row: row)
    }
    if SourceCells.isOne(group.field) {
      return try SourceCells(db, at: now).merge(group.field, group.value, act: act, row: row)
    }
    let write = EarlyCells.Write(field: group.field, value: group.value, act: act)
    if [.answer, .ending].contains(group.field) {
      return try SharedQuestions(db, at: now).merge(write, of: group.targets, in: row, source)
    }
    let (keys, waiting) = (WireKeys(db), EarlyCells(db, at: now))
    var messages: [Int64] = []
    if group.field.hasContent, !write.value.isContent { return }
    for target in group.targets {
      // For an existing message, the way of its arrival is known.
      var found: [(id: Int64, occasion: CurrentOccasion)] = []
      if let source, group.field != .old { found = try keys.messages(of: target.key, in: source) }
      var waits = group.field != .content || found.isEmpty
      for message in found where !group.field.hasContent {
        if group.field.isOfOccasion {
          guard try MergeRule.fits(target.occasion, at: writers.writer(of: act).stamp, message.occasion)
          else { continue }
        }
        messages.append(message.id)
        waits = group.field.isOfOccasion && target.occasion != message.occasion.occasion && waits
      }
      if waits { try waiting.add(write, of: target, in: row) }
      // The content of messages that are no longer starred is not needed.
      if waits, [.starred, .content].contains(group.field), try waiting.isStarred(target, in: row) == false {
        try waiting.remove(.content, of: target, in: row)
      }
    }
    if messages.isEmpty { return }
    if !batch.accepts(write) { try finish(&batch) }
    batch.add(messages, of: write)
  }

  /// Applies the collected writes to the messages.
  func finish(_ batch: inout Batch) throws {
    if batch.parts.isEmpty { return }
    try write(batch.field, batch.value, batch.parts.map { ($0.act, IDRanges($0.messages)) })
    batch.parts = []
  }

  /// Applies the waiting writes to messages that have arrived, or that report a new event (another occasion).
  func join(_ messages: IDRanges, of source: Int64) throws {
    let rows = try WireSources(db).rows(of: source)
    guard !rows.isEmpty, try db.integer("SELECT 1 FROM early_cell LIMIT 1") == 1 else { return }
    let (keys, waiting) = (WireKeys(db), EarlyCells(db, at: now))
    for range in messages.ranges {
      for id in range {
        guard let name = try keys.name(of: id) else { continue }
        for row in rows {
          let writes = try waiting.remove(for: name, in: row)
          for write in writes { try self.write(write.field, write.value, [(write.act, IDRanges([id]))]) }
        }
      }
    }
  }

  /// Applies the waiting writes to messages of a source after it was found to be the one that other machines know under
  /// another id.
  func join(row: Int64, of source: Int64) throws {
    let query = try db.prepared("SELECT DISTINCT key FROM early_cell WHERE wire_source = ?")
    query.bind(1, row)
    var keys: [Int64] = []
    try query.forEach { keys.append(query.int(0)) }
    let messages = try keys.flatMap { try WireKeys(db).messages(of: UInt64(bitPattern: $0), in: source) }
    try join(IDRanges(messages.map(\.id)), of: source)
  }

  // MARK: - Marks

  private typealias Part = (act: Int64, messages: IDRanges)

  /// Writes a mark on messages if the acts have precedence.
  ///
  /// - Parameter parts: the messages of each act, in the order of the acts; all acts are of one machine.
  private func write(_ field: Act.Field, _ value: Act.Value, _ parts: [Part]) throws {
    var parts = parts
    let copies = Duplicates(db)
    if try copies.exist() {
      for place in parts.indices { parts[place].messages = try copies.complete(parts[place].messages) }
    }
    // Fields other than read and starred have only one part: see `Batch`.
    guard let (act, messages) = parts.first else { return }
    let writer = MarkWriter(db, by: .machine, at: now)
    switch (field, value) {
    case (.read, .integer(let value)):
      try read(value != 0, on: winners(.read, parts), writer)
    case (.starred, .integer(let value)):
      try writer.set(.starred(value != 0), on: winners(.starred, parts))
    case (.dismissed, .integer(let value)):
      let at = min(try writers.writer(of: act).stamp.milliseconds, now)
      try writer.set(.dismissed(at: value == 0 ? nil : at), on: winners(.dismissed, parts))
    case (.snoozed, .integer(let until)):
      try snooze(until, winners(.snoozed, parts), writer)
    case (.snoozed, .none):
      try snooze(nil, winners(.snoozed, parts), writer)
    case (.shown, .integer(let value)):
      let won = try winners(.hidden, parts)
      if value != 0 {
        try writer.set(.hidden(nil), on: won)
      } else {
        try judgeAgain(won)
      }
    case (.seen, _): try see(messages)
    case (.old, _): try writer.set(.read(true), on: unwritten(messages))
    // These are fields of a later version, or of sources.
    case _: break
    }
    try hold(writer.changes.all, field, of: act)
  }

  /// Ignores the service's reports until it agrees with another machine's act, which it may not know yet.
  private func hold(_ changes: [MarkChange], _ field: Act.Field, of act: Int64) throws {
    let own = changes.filter { $0.field.row.wire == field }
    guard !own.isEmpty, let device = try writers.device(of: act), device > 0 else { return }
    try Outgoing(db).add(own, of: device, at: now)
  }

  /// Returns the messages for which an act has precedence over the present writer of the mark, and sets that act as the
  /// writer.
  private func winners(_ field: Mark.Field, _ parts: [Part]) throws -> IDRanges {
    guard let column = field.row.by else { return IDRanges() }
    var all = parts.flatMap { $0.messages.ranges.joined() }
    var behind = try acts(behind: column, of: IDRanges(sorting: &all))
    let update = try db.prepared("UPDATE status SET \(column) = ?3 WHERE message_id BETWEEN ?1 AND ?2")
    all = []
    for (act, messages) in parts {
      // Most marks have no writer, so the new writer is looked up only if it affects the decision.
      var new: WrittenBy?
      var winners = IDRanges()
      for id in messages.ranges.joined() {
        if let old = behind[id] {
          let writer = try new ?? writers.writer(of: act)
          new = writer
          if try !MergeRule.stands(writer, over: writers.writer(of: old)) { continue }
        }
        behind[id] = act
        winners.append(id)
      }
      for range in winners.ranges {
        try update.run(range.lowerBound, range.upperBound, act)
        all += range
      }
    }
    return IDRanges(sorting: &all)
  }

  /// Returns the acts behind one mark of messages, without messages whose mark has no writer.
  private func acts(behind column: String, of messages: IDRanges) throws -> [Int64: Int64] {
    let query = try db.prepared(
      "SELECT message_id, \(column) FROM status WHERE message_id BETWEEN ? AND ? AND \(column) IS NOT NULL")
    var acts: [Int64: Int64] = [:]
    for range in messages.ranges {
      query.bind(1, range.lowerBound)
      query.bind(2, range.upperBound)
      try query.forEach { acts[query.int(0)] = query.int(1) }
    }
    return acts
  }

  /// Marks messages as read or unread, except those on which the end of a snooze has precedence over the
  /// winning act.
  private func read(_ isRead: Bool, on messages: IDRanges, _ writer: MarkWriter) throws {
    let query = try db.prepared(
      """
      SELECT message_id, woken, snoozed_by, read_by FROM status
      WHERE message_id BETWEEN ? AND ? AND woken IS NOT NULL AND snoozed_by IS NOT NULL ORDER BY message_id
      """)
    var (woken, unread) = (IDRanges(), IDRanges())
    for range in messages.ranges {
      query.bind(1, range.lowerBound)
      query.bind(2, range.upperBound)
      try query.forEach {
        woken.append(query.int(0))
        let snooze = try writers.writer(of: query.int(2))
        guard let waking = MergeRule.waking(until: query.int(1), by: snooze, now: now),
          try MergeRule.stands(waking, over: writers.writer(of: query.int(3)))
        else { return }
        unread.append(query.int(0))
      }
    }
    let keep = try db.prepared("UPDATE status SET read_before = ?3 WHERE message_id BETWEEN ?1 AND ?2")
    for range in woken.ranges { try keep.run(range.lowerBound, range.upperBound, isRead ? 1 : 0) }
    try writer.set(.read(isRead), on: messages.subtracting(unread))
  }

  /// Snoozes messages, or ends their snoozes. First restores the read state of messages that an ended snooze had made
  /// unread.
  private func snooze(_ until: Milliseconds?, _ messages: IDRanges, _ writer: MarkWriter) throws {
    let query = try db.prepared(
      "SELECT message_id, read_before FROM status WHERE message_id BETWEEN ? AND ? AND read_before IS NOT NULL"
    )
    var before: [Bool: [Int64]] = [:]
    for range in messages.ranges {
      query.bind(1, range.lowerBound)
      query.bind(2, range.upperBound)
      try query.forEach { before[query.bool(1), default: []].append(query.int(0)) }
    }
    for (isRead, ids) in before { try writer.set(.read(isRead), on: IDRanges(ids)) }
    let forget = try db.prepared(
      "UPDATE status SET woken = NULL, read_before = NULL WHERE message_id BETWEEN ? AND ?")
    for range in messages.ranges { try forget.run(range.lowerBound, range.upperBound) }
    let changed = try writer.set(.snoozed(until: until), on: messages)
    if let until { try StoreClock(db, Columns()).show(changed, from: until, at: now) }
    try writer.wake(among: messages)
  }

  /// Lets the rules decide again whether they hide the messages.
  private func judgeAgain(_ messages: IDRanges) throws {
    let insert = try db.prepared("INSERT OR REPLACE INTO rule_due (message_id, at) VALUES (?, ?)")
    for range in messages.ranges {
      for id in range { try insert.run(id, now) }
    }
  }

  /// Marks messages as seen.
  private func see(_ messages: IDRanges) throws {
    let update = try db.prepared(
      "UPDATE status SET is_unseen = 0 WHERE message_id BETWEEN ? AND ? AND is_unseen")
    for range in messages.ranges { try update.run(range.lowerBound, range.upperBound) }
    if try SavedLists(db).exist() {
      for range in messages.ranges { try SavedLists(db).judgeLater(range) }
    }
  }

  /// Returns the messages whose read state has no writer.
  private func unwritten(_ messages: IDRanges) throws -> IDRanges {
    let query = try db.prepared(
      "SELECT message_id FROM status WHERE message_id BETWEEN ? AND ? AND read_by IS NULL ORDER BY message_id"
    )
    var found = IDRanges()
    for range in messages.ranges {
      query.bind(1, range.lowerBound)
      query.bind(2, range.upperBound)
      try query.forEach { found.append(query.int(0)) }
    }
    return found
  }

  // MARK: - Messages that go or report something else

  /// Stores the writes about a message that is being deleted, for the case that the message arrives again.
  static func forget(_ message: Int64, _ db: Database) throws {
    guard try SyncedMachine.isSet(db), try WireKeys(db).name(of: message) != nil else { return }
    // This happens while its acts can still refer to it.
    try OwnActs(db).encode()
    try ActMerge(db, at: db.integer("SELECT clock FROM store") ?? 0).keep(message, isGoing: true)
    try WireKeys(db).remove(message)
    try Outgoing(db).forget(heldOf: message)
  }

  /// Stores the writes behind the marks of a message that is being deleted, or that reports a new event
  /// (another occasion).
  ///
  /// - Parameter isGoing: whether the message is being deleted; otherwise only writes about its former event
  ///   are stored.
  /// - Returns: the stored writes.
  @discardableResult
  func keep(_ message: Int64, isGoing: Bool) throws -> [EarlyCells.Write] {
    guard let name = try WireKeys(db).name(of: message),
      let row = try WireSources(db).rows(of: name.source).first
    else { return [] }
    let rows = Mark.Field.allCases.map(\.row).filter { $0.isOfOccasion || isGoing }
    let marks = rows.compactMap { row in
      row.by.flatMap { by in row.wire.map { (field: $0, columns: "\(by), \(row.written)") } }
    }
    let query = try db.prepared(
      "SELECT \(marks.map(\.columns).joined(separator: ", ")) FROM status WHERE message_id = ?")
    query.bind(1, message)
    var writes: [EarlyCells.Write] = []
    try query.forEach {
      for (place, (field, _)) in marks.enumerated() {
        guard let act = query.optionalInt(Int32(place * 2)) else { continue }
        let value = query.optionalInt(Int32(place * 2 + 1)).map(Act.Value.integer) ?? .none
        writes.append(EarlyCells.Write(field: field, value: value, act: act))
      }
    }
    let (waiting, sources) = (EarlyCells(db, at: now), try WireSources(db).rows(of: name.source))
    for write in writes {
      // Writes about one occasion remain with that occasion, even if the message had none.
      if try sources.contains(where: { try waiting.has(write, of: name.target.key, in: $0) }) { continue }
      try waiting.add(write, of: name.target, in: row)
    }
    return writes
  }

  /// Resets the marks of a message that reports a new event (another occasion).
  func beginOccasion(of message: Int64) throws {
    let writes = try keep(message, isGoing: false)
    let writer = MarkWriter(db, by: .occasion, at: now)
    for write in writes {
      switch write.field {
      case .dismissed: try writer.set(.dismissed(at: nil), on: IDRanges([message]))
      case .snoozed: try writer.set(.snoozed(until: nil), on: IDRanges([message]))
      default: break
      }
    }
    let cleared =
      Mark.Field.allCases.map(\.row).filter(\.isOfOccasion).compactMap(\.by) + ["woken", "read_before"]
    try db.prepared(
      "UPDATE status SET \(cleared.map { "\($0) = NULL" }.joined(separator: ", ")) WHERE message_id = ?"
    ).run(message)
  }
}

extension Act.Field {
  /// Whether the values of this field are messages.
  fileprivate var hasContent: Bool { self == .push || self == .content }
}

extension Act.Value {
  /// Whether the value can be a message: bytes within the size limit.
  fileprivate var isContent: Bool {
    if case .bytes(let bytes) = self { bytes.count <= Limits.contentBytes } else { false }
  }
}
