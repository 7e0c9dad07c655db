import GRDB
import Messages

/// One message that several sources delivered: the original and its duplicates.
///
/// Each remains in its own source's list. Lists over several sources show only the original,
/// and an action of the user on one of them applies to all. `status.original_id` and `original_source` of a duplicate
/// contain its original. `duplicate_tally` counts the listed duplicates for each pair of sources, so that a sum over
/// sources can leave them out.
struct Duplicates {
  let db: Database

  init(_ db: Database) { self.db = db }

  /// Whether there are any duplicates. Without them, this check is the only cost.
  func exist() throws -> Bool {
    try db.integer("SELECT 1 FROM status WHERE original_id IS NOT NULL LIMIT 1") == 1
  }

  /// Returns the duplicates of an original.
  func heads(of first: Int64) throws -> [MessageHead] {
    let query = try db.prepared("\(MessageHead.select) WHERE t.original_id = ? ORDER BY t.message_id")
    query.bind(1, first)
    var heads: [MessageHead] = []
    try query.forEach { heads.append(MessageHead(query)) }
    return heads
  }

  /// Returns the other sources of a message, in the order of delivery.
  func otherSources(of id: Int64) throws -> [SourceID] {
    let query = try db.prepared(
      """
      SELECT source_id FROM status
      WHERE is_followed AND message_id <> ?1 AND message_id IN (
        SELECT original_id FROM status WHERE message_id = ?1 AND original_id IS NOT NULL
        UNION ALL SELECT message_id FROM status
        WHERE original_id = coalesce((SELECT original_id FROM status WHERE message_id = ?1), ?1))
      ORDER BY message_id
      """)
    query.bind(1, id)
    var sources: [SourceID] = []
    try query.forEach { sources.append(SourceID(query.int(0))) }
    return sources
  }

  /// Replaces an original's text by that of a duplicate if that is fuller, and adds the links of its
  /// duplicates.
  func complete(_ message: inout Message?, _ columns: Columns) throws {
    guard let id = message?.id.rawValue else { return }
    let query = try db.prepared(
      "\(Message.select) WHERE t.original_id = ? AND t.is_followed ORDER BY t.message_id LIMIT \(Self.mostCompleted)"
    )
    query.bind(1, id)
    var copies: [Message] = []
    try query.forEach { copies.append(Message(query, columns)) }
    for copy in copies {
      message?.content.complete(with: copy.content, of: copy.sourceName)
    }
  }

  /// The maximum number of duplicates of one message whose bodies and links are compared.
  private static let mostCompleted = 20

  /// Returns the messages and all their duplicates and originals.
  func complete(_ ids: IDRanges) throws -> IDRanges {
    guard try !ids.isEmpty && exist() else { return ids }
    let firsts = try db.prepared(
      "SELECT original_id FROM status WHERE message_id BETWEEN ? AND ? AND original_id IS NOT NULL")
    let copies = try db.prepared("SELECT message_id FROM status WHERE original_id BETWEEN ? AND ?")
    let withFirsts = try ids.union(IDRanges(Self.numbers(firsts, ids)))
    return try withFirsts.union(IDRanges(Self.numbers(copies, withFirsts)))
  }

  /// Returns the number of listed duplicates that these sources have of each other's messages.
  func total(among sources: Set<SourceID>) throws -> Int {
    var total = 0
    let query = try db.prepared(
      "SELECT source_id, original_source, total FROM duplicate_tally WHERE total > 0")
    try query.forEach {
      if sources.contains(SourceID(query.int(0))), sources.contains(SourceID(query.int(1))) {
        total += Int(query.int(2))
      }
    }
    return total
  }

  /// Returns the number of listed unread duplicates that each source has of each other source's messages.
  func unreadBySource() throws -> [SourceID: [SourceID: Int]] {
    let query = try db.prepared(
      "SELECT source_id, original_source, unread FROM duplicate_tally WHERE unread > 0")
    var unread: [SourceID: [SourceID: Int]] = [:]
    try query.forEach {
      unread[SourceID(query.int(0)), default: [:]][SourceID(query.int(1))] = Int(query.int(2))
    }
    return unread
  }

  /// Returns those of the ids that belong to stored messages.
  func stored(_ ids: IDRanges) throws -> IDRanges {
    let query = try db.prepared("SELECT message_id FROM status WHERE message_id BETWEEN ? AND ?")
    return try IDRanges(Self.numbers(query, ids))
  }

  /// Returns the number of messages as the user sees them, with duplicates counted once.
  func count(_ ids: IDRanges) throws -> Int {
    guard try !ids.isEmpty && exist() else { return ids.count }
    let query = try db.prepared(
      "SELECT original_id FROM status WHERE message_id BETWEEN ? AND ? AND original_id IS NOT NULL")
    // Duplicates of an original that isn't among them count as one message.
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

  /// Makes a new message a duplicate: it is read, starred, dismissed or snoozed like its original.
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

  /// Sets or removes the original of a duplicate.
  func set(_ id: Int64, first: MessageHead.First?) throws {
    let update = try db.prepared(
      "UPDATE status SET original_id = ?2, original_source = ?3 WHERE message_id = ?1")
    update.bind(1, id)
    update.bind(2, first?.id)
    update.bind(3, first?.source)
    try update.run()
  }

  /// The maximum number of originals that one transaction determines.
  static let most = 2000

  /// Determines a new original if the old one is no longer listed but one of its duplicates is, so that lists over all
  /// sources show one of them. Call it before a transaction ends; the triggers have recorded the affected originals. If
  /// there are very many, only a slice is handled, and the rest waits in `duplicate_pending`.
  func findFirsts() throws {
    let next = try db.prepared("SELECT original_id FROM duplicate_pending ORDER BY original_id LIMIT 1")
    let done = try db.prepared("DELETE FROM duplicate_pending WHERE original_id = ?")
    for _ in 0..<Self.most {
      guard let first = try next.first({ next.int(0) }) else { return }
      try findFirst(of: first)
      // Its new original now waits, and needs nothing.
      try done.run(first)
    }
  }

  /// Whether originals wait to be determined.
  func isPending() throws -> Bool { try db.integer("SELECT 1 FROM duplicate_pending LIMIT 1") == 1 }

  private func findFirst(of first: Int64) throws {
    let others = try heads(of: first)
    if others.isEmpty { return }
    let old = try MessageHead.find(first, db)
    let isLeaving = try old.map { try standsByItself($0.source) } ?? false
    if let old, !isLeaving, try isShown(old) { return }
    // If none is shown, the original stays the same while it exists.
    let isFirstNeeded = old == nil || isLeaving
    guard let next = try others.first(where: isShown) ?? (isFirstNeeded ? others.first : nil) else { return }
    for other in others {
      try set(other.id, first: other.id == next.id ? nil : .init(id: next.id, source: next.source))
    }
    if old != nil, !isLeaving { try set(first, first: .init(id: next.id, source: next.source)) }
  }

  /// Whether the settings specify that the source's messages are never merged with those of others (see
  /// `SourceSettings.joinsOthers`). For a source without a row, it returns `false`.
  private func standsByItself(_ source: Int64) throws -> Bool {
    try db.integer("SELECT 1 FROM source WHERE id = ? AND options ->> '$.dedupe' = 0", source) == 1
  }

  private func isShown(_ head: MessageHead) throws -> Bool {
    try head.isListed && db.integer("SELECT is_followed FROM status WHERE message_id = ?", head.id) == 1
  }

  /// Separates a source's messages from their duplicates in other sources. Call it after the source's settings are
  /// stored.
  func separate(source: SourceID) throws {
    guard try exist() else { return }
    try db.prepared(
      "INSERT OR IGNORE INTO duplicate_pending SELECT DISTINCT original_id FROM status WHERE original_source = ? AND original_id IS NOT NULL"
    ).run(source.rawValue)
    try db.prepared(
      "UPDATE status SET original_id = NULL, original_source = NULL WHERE source_id = ? AND original_id IS NOT NULL"
    ).run(source.rawValue)
  }
}

extension IncomingMessage {
  /// Takes over the text of a duplicate if it is fuller, and the duplicate's link if it differs.
  ///
  /// - Parameter name: the duplicate's source, which is the name of the link.
  fileprivate mutating func complete(with copy: IncomingMessage, of name: String) {
    // Characters are counted, since the user sees those.
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
