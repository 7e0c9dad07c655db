import GRDB
import Messages

/// One message that came by several sources: its first and the copies of it.
///
/// Each stays a message of its own source, in that source's list. Lists over several sources show the first alone, and
/// what the user does with one of them is done with all. `status.first_id` and `first_source` of a copy name its first;
/// `copy_tally` counts the listed copies for each pair of sources, so that a sum over sources can leave them out.
struct Copies {
  let db: Database

  init(_ db: Database) { self.db = db }

  /// Whether there are any. Where there are none, they cost nothing else.
  func exist() throws -> Bool {
    try db.integer("SELECT 1 FROM status WHERE first_id IS NOT NULL LIMIT 1") == 1
  }

  /// The copies of a message that isn't one itself.
  func heads(of first: Int64) throws -> [MessageHead] {
    let query = try db.prepared("\(MessageHead.select) WHERE t.first_id = ? ORDER BY t.message_id")
    query.bind(1, first)
    var heads: [MessageHead] = []
    try query.forEach { heads.append(MessageHead(query)) }
    return heads
  }

  /// The other sources that brought a message, in the order in which they did.
  func otherSources(of id: Int64) throws -> [SourceID] {
    let query = try db.prepared(
      """
      SELECT source_id FROM status
      WHERE is_followed AND message_id <> ?1 AND message_id IN (
        SELECT first_id FROM status WHERE message_id = ?1 AND first_id IS NOT NULL
        UNION ALL SELECT message_id FROM status
        WHERE first_id = coalesce((SELECT first_id FROM status WHERE message_id = ?1), ?1))
      ORDER BY message_id
      """)
    query.bind(1, id)
    var sources: [SourceID] = []
    try query.forEach { sources.append(SourceID(query.int(0))) }
    return sources
  }

  /// Gives the first of several copies the fullest text of all, and the links of the others.
  func complete(_ message: inout Message?, _ columns: Columns) throws {
    guard let id = message?.id.rawValue else { return }
    let query = try db.prepared(
      "\(Message.select) WHERE t.first_id = ? AND t.is_followed ORDER BY t.message_id LIMIT \(Self.mostCompleted)"
    )
    query.bind(1, id)
    var copies: [Message] = []
    try query.forEach { copies.append(Message(query, columns)) }
    for copy in copies {
      message?.content.complete(with: copy.content, of: copy.sourceName)
    }
  }

  /// The maximum number of copies of one message whose bodies and links are compared.
  private static let mostCompleted = 20

  /// The messages and all others that are the same.
  func complete(_ ids: IDRanges) throws -> IDRanges {
    guard try !ids.isEmpty && exist() else { return ids }
    let firsts = try db.prepared(
      "SELECT first_id FROM status WHERE message_id BETWEEN ? AND ? AND first_id IS NOT NULL")
    let copies = try db.prepared("SELECT message_id FROM status WHERE first_id BETWEEN ? AND ?")
    let withFirsts = try ids.union(IDRanges(Self.numbers(firsts, ids)))
    return try withFirsts.union(IDRanges(Self.numbers(copies, withFirsts)))
  }

  /// How many listed unread copies each source has of each other one's messages.
  func unreadBySource() throws -> [SourceID: [SourceID: Int]] {
    let query = try db.prepared("SELECT source_id, first_source, unread FROM copy_tally WHERE unread > 0")
    var unread: [SourceID: [SourceID: Int]] = [:]
    try query.forEach {
      unread[SourceID(query.int(0)), default: [:]][SourceID(query.int(1))] = Int(query.int(2))
    }
    return unread
  }

  /// Those that are stored.
  func stored(_ ids: IDRanges) throws -> IDRanges {
    let query = try db.prepared("SELECT message_id FROM status WHERE message_id BETWEEN ? AND ?")
    return try IDRanges(Self.numbers(query, ids))
  }

  /// How many messages these are to the user, who sees one where several are the same.
  func count(_ ids: IDRanges) throws -> Int {
    guard try !ids.isEmpty && exist() else { return ids.count }
    let query = try db.prepared(
      "SELECT first_id FROM status WHERE message_id BETWEEN ? AND ? AND first_id IS NOT NULL")
    // Those of one first that isn't among them are one as well.
    var outside: Set<Int64> = []
    var counted = ids.count
    for first in try Self.numbers(query, ids) {
      if ids.contains(first) || !outside.insert(first).inserted { counted -= 1 }
    }
    return counted
  }

  private static func numbers(_ query: Prepared, _ ids: IDRanges) throws -> [Int64] {
    var numbers: [Int64] = []
    for range in ids.ranges {
      query.bind(1, range.lowerBound)
      query.bind(2, range.upperBound)
      try query.forEach { numbers.append(query.int(0)) }
    }
    return numbers
  }

  // MARK: - Changes

  /// Makes a new message a copy: it is read, starred and put away as its first is.
  func join(_ id: Int64, to first: Int64, at now: Milliseconds) throws {
    let query = try db.prepared(
      """
      SELECT f.source_id, f.is_read, f.is_starred, f.dismissed_at, f.snoozed_until,
        f.is_read <> c.is_read OR f.is_starred <> c.is_starred OR f.dismissed_at IS NOT c.dismissed_at
          OR f.snoozed_until IS NOT c.snoozed_until
      FROM status f CROSS JOIN status c WHERE f.message_id = ?2 AND c.message_id = ?1
      """)
    query.bind(1, id)
    query.bind(2, first)
    let found = try query.first {
      (
        source: query.int(0), differs: query.bool(5),
        marks: [
          Mark.read(query.bool(1)), .starred(query.bool(2)), .dismissed(at: query.optionalInt(3)),
          .snoozed(until: query.optionalInt(4)),
        ]
      )
    }
    guard let found else { return }
    try set(id, first: MessageHead.First(id: first, source: found.source))
    if !found.differs { return }
    let writer = MarkWriter(db, by: .occasion, at: now)
    for mark in found.marks { try writer.set(mark, on: IDRanges([id])) }
    guard try SyncedMachine.isSet(db) else { return }
    let columns = Mark.Field.allCases.compactMap(\.row.by) + ["woken", "read_before"]
    let list = columns.joined(separator: ", ")
    try db.prepared(
      "UPDATE status SET (\(list)) = (SELECT \(list) FROM status WHERE message_id = ?2) WHERE message_id = ?1"
    ).run(id, first)
  }

  /// Names a copy's first, or none.
  func set(_ id: Int64, first: MessageHead.First?) throws {
    let update = try db.prepared("UPDATE status SET first_id = ?2, first_source = ?3 WHERE message_id = ?1")
    update.bind(1, id)
    update.bind(2, first?.id)
    update.bind(3, first?.source)
    try update.run()
  }

  /// How many firsts one transaction finds.
  static let most = 2000

  /// Where a first is not listed any more, or one of its copies is: sees to it that they have one that lists over all sources
  /// show. To be called before a transaction ends; the triggers have remembered which. Of very many a slice: the rest waits in
  /// `copy_pending`.
  func findFirsts() throws {
    let next = try db.prepared("SELECT first_id FROM copy_pending ORDER BY first_id LIMIT 1")
    let done = try db.prepared("DELETE FROM copy_pending WHERE first_id = ?")
    for _ in 0..<Self.most {
      guard let first = try next.first({ next.int(0) }) else { return }
      try findFirst(of: first)
      // Its new first waits now, and needs nothing.
      try done.run(first)
    }
  }

  func isPending() throws -> Bool { try db.integer("SELECT 1 FROM copy_pending LIMIT 1") == 1 }

  private func findFirst(of first: Int64) throws {
    let others = try heads(of: first)
    if others.isEmpty { return }
    let old = try MessageHead.find(first, db)
    let isLeaving = try old.map { try standsByItself($0.source) } ?? false
    if let old, !isLeaving, try isShown(old) { return }
    // Where none is shown, the first stays the first while it is there.
    let isFirstNeeded = old == nil || isLeaving
    guard let next = try others.first(where: isShown) ?? (isFirstNeeded ? others.first : nil) else { return }
    for other in others {
      try set(other.id, first: other.id == next.id ? nil : .init(id: next.id, source: next.source))
    }
    if old != nil, !isLeaving { try set(first, first: .init(id: next.id, source: next.source)) }
  }

  /// As `SourceSettings.joinsOthers` says; a source whose row is gone changes nothing.
  private func standsByItself(_ source: Int64) throws -> Bool {
    try db.integer("SELECT 1 FROM source WHERE id = ? AND options ->> '$.dedupe' = 0", source) == 1
  }

  private func isShown(_ head: MessageHead) throws -> Bool {
    try head.isListed && db.integer("SELECT is_followed FROM status WHERE message_id = ?", head.id) == 1
  }

  /// A source's messages stand by themselves from now on, once its settings are stored.
  func separate(source: SourceID) throws {
    guard try exist() else { return }
    try db.prepared(
      "INSERT OR IGNORE INTO copy_pending SELECT DISTINCT first_id FROM status WHERE first_source = ? AND first_id IS NOT NULL"
    ).run(source.rawValue)
    try db.prepared(
      "UPDATE status SET first_id = NULL, first_source = NULL WHERE source_id = ? AND first_id IS NOT NULL"
    ).run(source.rawValue)
  }
}

extension IncomingMessage {
  /// Takes the text of a copy if it is fuller, and the copy's link if it is another one.
  ///
  /// - Parameter name: the copy's source, which is the name of the link.
  fileprivate mutating func complete(with copy: IncomingMessage, of name: String) {
    // Characters are counted, since those are seen.
    if copy.body.unicodeScalars.count > body.unicodeScalars.count {
      (body, html) = (copy.body, copy.html)
      if extras?.format != copy.extras?.format {
        extras = extras ?? MessageExtras()
        extras?.format = copy.extras?.format
      }
    }
    guard let link = copy.url, link != url, extras?.actions.contains(where: { $0.url == link }) != true else {
      return
    }
    extras = extras ?? MessageExtras()
    extras?.actions.append(MessageAction(label: name, url: link))
  }
}
