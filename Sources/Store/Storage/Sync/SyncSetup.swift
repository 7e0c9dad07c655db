import GRDB
import Messages
import Sync

/// Creates the acts for changes that were made before the database began to synchronise.
struct SyncSetup {
  private let db: Database
  private let now: Milliseconds

  init(_ db: Database, at now: Milliseconds) { (self.db, self.now) = (db, now) }

  /// The stamp of marks whose time is no longer known, which is lower than every known one.
  private static let unknown = Stamp(rawValue: 1 << 44)

  // MARK: - Names

  /// The number of messages to which one transaction gives keys.
  static let most = 20_000

  /// Gives the next messages the keys by which other machines know them.
  ///
  /// - Returns: the last one, or `nil` if there are no more.
  func name(after last: Int64, of sources: Set<Int64>) throws -> Int64? {
    let query = try db.prepared(
      "\(Self.messages) WHERE t.message_id > ? ORDER BY t.message_id LIMIT \(Self.most)")
    query.bind(1, last)
    return try name(query, of: sources)
  }

  /// Gives the sources of the present settings the ids by which other machines know them, and keys to the messages of
  /// those that had no id before.
  func name(_ rows: [SourceRow]) throws {
    for source in try WireSources(db).align(rows) {
      for condition in ["t.is_listed", "NOT t.is_listed"] {
        let query = try db.prepared("\(Self.messages) WHERE t.source_id = ? AND \(condition)")
        query.bind(1, source)
        _ = try name(query, of: [source])
      }
    }
    if try SyncedMachine.isSet(db) { try WireSources(db).link(at: now) }
  }

  /// The beginning of the queries for messages that get keys.
  private static let messages = """
    SELECT t.message_id, t.source_id, d.remote_id, d.extras ->> '$.occasion', i.hash,
      s.is_unread_on_change, coalesce(s.options ->> '$.shared', 0),
      d.extras ->> '$.occasion' IS NOT NULL
        AND (SELECT kind FROM message m WHERE m.id = t.message_id) = '\(MessageKind.feed.rawValue)'
    FROM status t CROSS JOIN detail d ON d.message_id = t.message_id
      LEFT JOIN identity i ON i.source_id = t.source_id AND i.remote_id = d.remote_id
      LEFT JOIN source s ON s.id = t.source_id
    """

  private func name(_ query: Prepared, of sources: Set<Int64>) throws -> Int64? {
    var end: Int64?
    var named: [Int64: [WireKeys.Naming]] = [:]
    var pushed: [Int64: [(remoteID: String, message: Int64)]] = [:]
    try query.forEach {
      end = query.int(0)
      guard sources.contains(query.int(1)) else { return }
      if query.bool(6) {
        pushed[query.int(1), default: []].append((query.text(2), query.int(0)))
      } else {
        let occasion = WireKeys.occasion(
          query.optionalText(3), isArticle: query.bool(7), hash: query.bool(5) ? query.optionalInt(4) : nil)
        named[query.int(1), default: []].append(
          WireKeys.Naming(remoteID: query.text(2), message: query.int(0), occasion: occasion))
      }
    }
    for (source, messages) in pushed {
      let pushes = SharedPushes(db, at: now)
      let row = try SourceRow.find(SourceID(source), db, Columns())
      for message in messages {
        try pushes.sendStored(message.message, in: row.source)
        let occasion = CurrentOccasion(try pushes.occasion(of: message.remoteID, in: source))
        named[source, default: []].append(
          WireKeys.Naming(remoteID: message.remoteID, message: message.message, occasion: occasion))
      }
    }
    for (source, messages) in named {
      try WireKeys(db).add(messages, to: source)
      var ids = messages.map(\.message)
      try ActMerge(db, at: now).join(IDRanges(sorting: &ids), of: source)
    }
    return end
  }

  // MARK: - Acts

  /// Adds the acts to send: those of the journal behind present marks, then acts for other marks, and for
  /// messages that were stored as read.
  func writeActs() throws {
    try writeJournal()
    try writeForgotten()
    try writeOld()
    try SourceCells(db, at: now).send(setUp: SourceRow.all(db, Columns()), stamp: Self.unknown)
  }

  private func writeJournal() throws {
    let query = try db.prepared(
      """
      SELECT id, at FROM journal WHERE device = \(Writers.here) AND seq IS NULL AND stamp IS NULL AND undone IS NULL
        AND undoes IS NULL AND edit IS NULL ORDER BY id
      """)
    var acts: [(id: Int64, at: Milliseconds)] = []
    try query.forEach { acts.append((query.int(0), query.int(1))) }
    // They are handled from the last to the first, since the later one has precedence.
    for act in acts.reversed() {
      try db.prepared("UPDATE journal SET stamp = ?2 WHERE id = ?1").run(
        act.id, Stamp(milliseconds: act.at).rawValue)
    }
    var standing: [(id: Int64, changes: [MarkChange])] = []
    for act in acts.reversed() {
      let changes = try MarkLog(db).changes(of: act.id).compactMap { try stand(act.id, behind: $0) }
      if !changes.isEmpty { standing.append((act.id, changes)) }
    }
    for (id, changes) in standing.reversed() { try OwnActs(db).add(setUp: id, changes) }
  }

  /// Records an act as the one behind a mark of the messages that still have the mark's value from this act.
  /// Call it for the last act first: messages with a later act behind the mark are left out.
  ///
  /// - Returns: the change on these messages, or `nil` if there are none.
  private func stand(_ act: Int64, behind change: MarkChange) throws -> MarkChange? {
    guard let column = change.field.row.by else { return nil }
    let query = try db.prepared(
      """
      SELECT message_id FROM status WHERE message_id BETWEEN ?1 AND ?2 AND \(column) IS NULL
        AND \(change.field.row.column) IS ?3 ORDER BY message_id
      """)
    let update = try db.prepared("UPDATE status SET \(column) = ?3 WHERE message_id BETWEEN ?1 AND ?2")
    try change.new.bind(query, at: 3)
    var ids = IDRanges()
    for range in change.messages.ranges {
      query.bind(1, range.lowerBound)
      query.bind(2, range.upperBound)
      try query.forEach { ids.append(query.int(0)) }
    }
    for range in ids.ranges { try update.run(range.lowerBound, range.upperBound, act) }
    return ids.isEmpty ? nil : MarkChange(ids, old: change.old, new: change.new)
  }

  /// Adds acts for marks whose acts the journal no longer contains.
  private func writeForgotten() throws {
    for field in Mark.Field.allCases where field.row.by != nil {
      let changes = try MarkLog(db).changes(of: 0).filter { $0.field == field }
      if changes.isEmpty { continue }
      let id = try Journal(db).append(
        sent: nil, UserAct.Kind.read.rawValue, stamp: Self.unknown, at: now)
      let standing = try changes.compactMap { try stand(id, behind: $0) }
      if standing.isEmpty { try Journal(db).discard(id) } else { try OwnActs(db).add(setUp: id, standing) }
    }
  }

  /// Sends the ids of messages that count as old in the first delivery of their source: those that are read although no
  /// user read them, and those that are no longer kept. A service itself reports which messages are read.
  private func writeOld() throws {
    for row in try SourceRow.all(db, Columns()) where !row.source.kind.row.isService {
      let source = row.source.id.rawValue
      guard try WireSources(db).uid(of: source) != nil,
        try db.integer("SELECT is_filled FROM polling WHERE source_id = ?", source) == 1
      else { continue }
      var old: [String] = []
      for condition in ["is_listed", "NOT is_listed"] {
        let query = try db.prepared(
          """
          SELECT d.remote_id FROM status t CROSS JOIN detail d ON d.message_id = t.message_id
          WHERE t.source_id = ? AND \(condition) AND t.is_read AND t.read_by IS NULL
          """)
        query.bind(1, source)
        try query.forEach { old.append(query.text(0)) }
      }
      let gone = try db.prepared(
        "SELECT remote_id FROM identity WHERE source_id = ? AND message_id <= 0 AND hash <> 0")
      gone.bind(1, source)
      try gone.forEach { old.append(gone.text(0)) }
      try WireSources(db).fill(source)
      try OwnActs(db).addFirstDelivery(of: source, old: old, at: now)
    }
  }
}
