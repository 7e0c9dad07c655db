import Basics
import GRDB
import Messages
import Sync

/// Puts what other machines wrote onto the messages that are here. Marks are written by `MarkWriter`, where the write stands
/// over what is there.
struct Merging {
  private let db: Database
  private let now: Milliseconds
  private let writers: Writers

  init(_ db: Database, at now: Milliseconds) {
    (self.db, self.now) = (db, now)
    writers = Writers(db)
  }

  // MARK: - What an act wrote

  /// Writes of one value that are to be put onto messages together: most acts are about one message, like the act before.
  struct Batch {
    fileprivate var value: Act.Value = .none
    fileprivate var field = Act.Field.seen
    fileprivate var parts: [(act: Int64, messages: [Int64])] = []
    /// The rows of sources, and the sources here.
    private var sources: [WireUID: (row: Int64, source: Int64?)] = [:]

    mutating func source(of uid: WireUID, _ db: Database) throws -> (row: Int64, source: Int64?) {
      if let known = sources[uid] { return known }
      let row = try WireSources(db).row(of: uid)
      let found = (row, try WireSources(db).source(ofRow: row))
      sources[uid] = found
      return found
    }

    fileprivate mutating func add(_ messages: [Int64], of write: Waiting.Write) {
      (field, value) = (write.field, write.value)
      parts.append((write.act, messages))
    }

    /// When a message was dismissed is another moment for each act.
    fileprivate func accepts(_ write: Waiting.Write) -> Bool {
      parts.isEmpty || [.read, .starred].contains(field) && write.field == field && write.value == value
    }
  }

  /// - Parameters:
  ///   - act: of the journal.
  ///   - batch: of the acts before; ends with `finish`.
  func apply(_ group: Act.Group, act: Int64, _ batch: inout Batch) throws {
    let (row, source) = try batch.source(of: group.source, db)
    if group.field == .written {
      return try WrittenSources(db, at: now).merge(group, act: act, row: row)
    }
    if SourceCells.isOne(group.field) {
      return try SourceCells(db, at: now).merge(group.field, group.value, act: act, row: row)
    }
    let write = Waiting.Write(field: group.field, value: group.value, act: act)
    let (keys, waiting) = (WireKeys(db), Waiting(db, at: now))
    var messages: [Int64] = []
    if group.field.hasContent, !write.value.isContent { return }
    for target in group.targets {
      // Of a message that is here already, how it came is known.
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
      // Nobody wants the content of what isn't starred any more.
      if waits, [.starred, .content].contains(group.field), try waiting.isStarred(target, in: row) == false {
        try waiting.remove(.content, of: target, in: row)
      }
    }
    if messages.isEmpty { return }
    if !batch.accepts(write) { try finish(&batch) }
    batch.add(messages, of: write)
  }

  /// Puts what was gathered onto the messages.
  func finish(_ batch: inout Batch) throws {
    if batch.parts.isEmpty { return }
    try write(batch.field, batch.value, batch.parts.map { ($0.act, IDRanges($0.messages)) })
    batch.parts = []
  }

  /// What waits for messages that have come, or report something else than before.
  func join(_ messages: IDRanges, of source: Int64) throws {
    let rows = try WireSources(db).rows(of: source)
    guard !rows.isEmpty, try db.integer("SELECT 1 FROM waiting LIMIT 1") == 1 else { return }
    let (keys, waiting) = (WireKeys(db), Waiting(db, at: now))
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

  /// What waits for messages of a source that other machines call otherwise than was known.
  func join(row: Int64, of source: Int64) throws {
    let query = try db.prepared("SELECT DISTINCT key FROM waiting WHERE wire_source = ?")
    query.bind(1, row)
    var keys: [Int64] = []
    try query.forEach { keys.append(query.int(0)) }
    let messages = try keys.flatMap { try WireKeys(db).messages(of: UInt64(bitPattern: $0), in: source) }
    try join(IDRanges(messages.map(\.id)), of: source)
  }

  // MARK: - Marks

  private typealias Part = (act: Int64, messages: IDRanges)

  /// - Parameter parts: in the order of the acts, of one machine.
  private func write(_ field: Act.Field, _ value: Act.Value, _ parts: [Part]) throws {
    var parts = parts
    let copies = Copies(db)
    if try copies.exist() {
      for place in parts.indices { parts[place].messages = try copies.complete(parts[place].messages) }
    }
    // Of fields other than read and starred there is one part: see `Batch`.
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
    // Of a later version, or of sources.
    case _: break
    }
    try hold(writer.changes.all, field, of: act)
  }

  /// Until a service agrees with what another machine did, it isn't heard: it may not know that yet.
  private func hold(_ changes: [MarkChange], _ field: Act.Field, of act: Int64) throws {
    let own = changes.filter { $0.field.row.wire == field }
    guard !own.isEmpty, let device = try writers.device(of: act), device > 0 else { return }
    try Outgoing(db).add(own, of: device, at: now)
  }

  /// The messages where an act stands over who wrote that mark before, which it stands behind from now on.
  private func winners(_ field: Mark.Field, _ parts: [Part]) throws -> IDRanges {
    guard let column = field.row.by else { return IDRanges() }
    var all = parts.flatMap { $0.messages.ranges.joined() }
    var behind = try acts(behind: column, of: IDRanges(sorting: &all))
    let update = try db.prepared("UPDATE status SET \(column) = ?3 WHERE message_id BETWEEN ?1 AND ?2")
    all = []
    for (act, messages) in parts {
      // Most marks have nobody behind them: who wrote the new ones is asked where it decides.
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

  /// The acts that stand behind one mark of messages; those with nobody behind them are left out.
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

  /// The end of a snooze may stand over the act that won.
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

  /// What a snooze that was over had made unread is again as it was.
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

  /// Rules say anew whether they hide it.
  private func judgeAgain(_ messages: IDRanges) throws {
    let insert = try db.prepared("INSERT OR REPLACE INTO moment (message_id, at) VALUES (?, ?)")
    for range in messages.ranges {
      for id in range { try insert.run(id, now) }
    }
  }

  private func see(_ messages: IDRanges) throws {
    let update = try db.prepared(
      "UPDATE status SET is_unseen = 0 WHERE message_id BETWEEN ? AND ? AND is_unseen")
    for range in messages.ranges { try update.run(range.lowerBound, range.upperBound) }
    if try SavedLists(db).exist() {
      for range in messages.ranges { try SavedLists(db).judgeLater(range) }
    }
  }

  /// The messages of which nobody wrote whether they are read.
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

  /// A message goes: what was written of it waits for its return.
  static func forget(_ message: Int64, _ db: Database) throws {
    guard try SyncedMachine.isSet(db), try WireKeys(db).name(of: message) != nil else { return }
    // While its acts can still name it.
    try OwnActs(db).encode()
    try Merging(db, at: db.integer("SELECT clock FROM store") ?? 0).keep(message, isGoing: true)
    try WireKeys(db).remove(message)
    try Outgoing(db).forget(heldOf: message)
  }

  /// What stands behind the marks of a message waits from now on: it goes, or reports something else.
  ///
  /// - Parameter isGoing: else only what is of its occasion.
  /// - Returns: what was written.
  @discardableResult
  func keep(_ message: Int64, isGoing: Bool) throws -> [Waiting.Write] {
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
    var writes: [Waiting.Write] = []
    try query.forEach {
      for (place, (field, _)) in marks.enumerated() {
        guard let act = query.optionalInt(Int32(place * 2)) else { continue }
        let value = query.optionalInt(Int32(place * 2 + 1)).map(Act.Value.integer) ?? .none
        writes.append(Waiting.Write(field: field, value: value, act: act))
      }
    }
    let (waiting, sources) = (Waiting(db, at: now), try WireSources(db).rows(of: name.source))
    for write in writes {
      // What was written of one occasion stays of that one, also where the message had none.
      if try sources.contains(where: { try waiting.has(write, of: name.target.key, in: $0) }) { continue }
      try waiting.add(write, of: name.target, in: row)
    }
    return writes
  }

  /// A message reports something else: marks of its occasion begin anew.
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
  /// Whether its value is a message.
  fileprivate var hasContent: Bool { self == .push || self == .content }
}

extension Act.Value {
  /// Whether it may be a message.
  fileprivate var isContent: Bool {
    if case .bytes(let bytes) = self { bytes.count <= Limits.contentBytes } else { false }
  }
}
