import GRDB
import Limits
import Marks
import Messages
import Queries

/// Brings one delivery of a source into the store, within the transaction of its poll.
///
/// Messages are matched by remote id, byte by byte. Ids are looked up and entered in their own order, so that a
/// delivery of any size reads every page of that index once; messages are written in the order of the delivery,
/// so that a later one has the greater id.
final class Intake {
  let db: Database
  let columns: Columns
  let source: Source
  let matchesContent: Bool
  let now: Milliseconds
  let index: SearchIndex
  let rows: MessageRows
  let links: LinkKeys
  let facets: FacetChanges
  /// nil: nothing is judged.
  let judge: (any ArrivalJudge)?
  let marks: RuleMarks
  let occasions: MarkWriter
  let noticeQueue: NoticeQueue
  let sourceNames: [String]
  var keys: [(key: Int64, message: Int64)] = []
  /// What they are for rules and for whoever is told.
  let arrival: Arrival
  var moments: [(message: Int64, at: Milliseconds)] = []
  /// Of messages that changed: other parts of the delivery still find them.
  var formerKeys: [(keys: [Int64], message: Int64)] = []
  /// Copies that became unread.
  var unreadAgain: [Int64] = []
  /// Messages that report a new occasion.
  var news: [Int64] = []
  var recorded = RecordedPoll()
  /// What is new, to be entered at the end.
  var identities: [(remoteID: String, message: Int64, hash: Int64)] = []
  /// Of a first poll.
  var newest = NewestArrivals()
  let firstID: Int64
  var nextID: Int64
  /// Whether anything of this source is stored.
  let hasSome: Bool
  /// Hashes of the ids in the parts so far, and link keys of what was new in them.
  var seen: Set<Int> = []
  var seenKeys: Set<Int64> = []
  /// Ids of this poll that were too long.
  var cutIDs: Set<RemoteID> = []

  /// - Parameter matchesContent: an id alone does not identify a message, because the server reset its ids:
  ///   what comes with the id of another one gets a row of its own.
  init(
    _ db: Database, _ columns: Columns, _ source: Source, matchesContent: Bool = false,
    judges: ArrivalJudges, serverTitle: String? = nil, as arrival: Arrival = .new, at now: Milliseconds
  ) throws {
    self.matchesContent = matchesContent
    self.arrival = arrival
    self.db = db
    self.columns = columns
    self.source = source
    self.now = now
    // What is shown depends on the time, so the store's clock is moved to now first.
    try StoreClock(db, columns, judges).advance(to: now)
    index = try SearchIndex(db)
    rows = try MessageRows(db, of: source.id.rawValue)
    links = LinkKeys(db)
    facets = FacetChanges(db, columns)
    judge = try judges.judge(db, at: now)
    marks = RuleMarks(db, at: now)
    occasions = MarkWriter(db, by: .occasion, at: now)
    noticeQueue = NoticeQueue(db, at: now)
    sourceNames = source.names(serverTitle: serverTitle)
    hasSome =
      try db.integer("SELECT EXISTS (SELECT 1 FROM identity WHERE source_id = ?)", source.id.rawValue) == 1
    firstID = (try db.integer("SELECT last_message FROM store") ?? 0) + 1
    nextID = firstID
  }

  private enum Match {
    /// The same remote id comes again later in the delivery, and that one counts.
    case superseded
    case new
    case unchanged
    case changed(Int64)
  }

  /// Stores the messages of a poll.
  func store(_ content: PollContent, isFirst: Bool) throws {
    guard let stream = content.stream else { return try store(content.messages, isFirst: isFirst) }
    while let part = try stream.next() { try store(part, isFirst: isFirst, isPart: true) }
  }

  /// Stores the next messages of the delivery.
  ///
  /// - Parameters:
  ///   - messages: oldest first.
  ///   - isPart: others come before or after them. Throws `MessageStreamFailure.needsWhole` where only all of them
  ///     together tell what they are.
  func store(_ messages: [IncomingMessage], isFirst: Bool, isPart: Bool = false) throws {
    var messages = messages
    fitIDs(&messages)
    if matchesContent {
      if isPart { throw MessageStreamFailure.needsWhole }
      try setApart(&messages)
    }
    // Of two with one id the later counts. In the order of the ids each page of their index is read once.
    let order = Dictionary(messages.indices.map { (messages[$0].remoteID, $0) }) { $1 }
      .sorted { $0.key.text < $1.key.text }.map(\.value)
    if isPart { try checkParts(messages, order) }
    var matches = [Match](repeating: .superseded, count: messages.count)
    var hashes = [Int64](repeating: 0, count: messages.count)
    let lookup = try db.prepared(
      "SELECT message_id, hash, occasion FROM identity WHERE source_id = ? AND remote_id = ?")
    for position in order {
      matches[position] = .new
      guard hasSome else { continue }
      lookup.bind(1, source.id.rawValue)
      try lookup.bind(2, messages[position].remoteID.text)
      let known = try lookup.first {
        (id: lookup.int(0), hash: lookup.int(1), occasion: lookup.optionalInt(2))
      }
      // What is new is hashed when it is written: its extras are made into text once.
      guard let known else { continue }
      hashes[position] = ContentHash.of(
        messages[position], extras: try extras(messages[position], hashed: true))
      if known.id == 0 {
        let isNews = isNews(messages[position], known.occasion, isChanged: known.hash != hashes[position])
        try notKept(messages[position].remoteID, isNews: isNews)
        matches[position] = isNews ? .new : .unchanged
      } else {
        matches[position] = known.hash == hashes[position] ? .unchanged : .changed(known.id)
      }
    }
    let firsts = try firsts(messages, matches, isPart: isPart)
    for position in messages.indices {
      switch matches[position] {
      case .superseded, .unchanged: continue
      case .changed(let id): try update(id, messages[position], hash: hashes[position])
      case .new:
        let new = try new(messages[position], nextID, first: firsts[position])
        nextID += 1
        try enterText(of: new)
        guard isFirst else {
          try insert(new, isRead: false)
          continue
        }
        let head = MessageHead(new.message, of: source, id: new.id, at: now)
        if let next = newest.add(new, head) { try insert(next, isRead: true) }
      }
    }
  }

  /// Whether what is not kept any more comes again because something happened again: a thread, an alert, a check.
  private func isNews(_ message: IncomingMessage, _ known: Int64?, isChanged: Bool) -> Bool {
    guard let occasion = message.extras?.occasion else { return false }
    return known.map { $0 != ContentHash.of(occasion) } ?? isChanged
  }

  /// What is not kept any more is still in the feed, or is news.
  private func notKept(_ id: RemoteID, isNews: Bool) throws {
    let change = try db.prepared(
      isNews
        ? "DELETE FROM identity WHERE source_id = ?1 AND remote_id = ?2 AND ?3 IS NOT NULL"
        : """
        UPDATE identity SET last_listed = ?3
        WHERE source_id = ?1 AND remote_id = ?2 AND last_listed NOT BETWEEN ?3 - \(Self.week) AND ?3
        """)
    change.bind(1, source.id.rawValue)
    try change.bind(2, id.text)
    change.bind(3, now)
    try change.run()
  }

  private static let week: Milliseconds = 7 * 86_400_000

  /// Writes what was collected; call it once, after the last `store`.
  func finish() throws -> RecordedPoll {
    for new in newest.removeAll() { try insert(new, isRead: false) }
    try rows.flush()
    if nextID > firstID { try db.prepared("UPDATE store SET last_message = ?").run(nextID - 1) }
    try identify()
    for (keys, id) in formerKeys { try links.remove(keys, id) }
    try links.add(keys)
    try facets.finish()
    try RowInsertion(db, into: "moment", ["message_id", "at"]).insert(moments.sorted { $0 < $1 }) {
      $1.bind($2, $0.message)
      $1.bind($2 + 1, $0.at)
    }
    if !unreadAgain.isEmpty {
      try occasions.set(.read(false), on: Copies(db).complete(IDRanges(unreadAgain)))
    }
    if !news.isEmpty {
      try occasions.set(.dismissed(at: nil), on: IDRanges(news))
      for id in news {
        try db.prepared("DELETE FROM resolved WHERE message_id = ?").run(id)
        // What the user did was meant for what stood there before.
        try db.prepared(
          "DELETE FROM outgoing WHERE message_id = ? AND carried IS NULL AND field IN ('read', 'done')"
        ).run(id)
      }
    }
    recorded.ids.sort { $0.rawValue < $1.rawValue }
    return recorded
  }

  /// The messages that were not there before.
  var arrived: [RemoteID: Int64] {
    Dictionary(identities.map { (RemoteID($0.remoteID), $0.message) }) { $1 }
  }

  /// The ids of the whole delivery in one sorted pass, so that each page of their index is written once.
  private func identify() throws {
    let insertion = RowInsertion(
      db, into: "identity", ["source_id", "remote_id", "message_id", "hash"])
    try insertion.insert(identities.sorted { $0.remoteID < $1.remoteID }) { identity, insert, first in
      insert.bind(first, source.id.rawValue)
      try insert.bind(first + 1, identity.remoteID)
      insert.bind(first + 2, identity.message)
      insert.bind(first + 3, identity.hash)
    }
  }

  /// Of two messages with one id the later one counts, so neither may be in another part.
  private func checkParts(_ messages: [IncomingMessage], _ order: [Int]) throws {
    for position in order where !seen.insert(messages[position].remoteID.text.hashValue).inserted {
      throw MessageStreamFailure.needsWhole
    }
  }

  /// What other sources brought before, by the positions of the new messages that are the same.
  private func firsts(
    _ messages: [IncomingMessage], _ matches: [Match], isPart: Bool
  ) throws -> [Int: Int64] {
    guard source.settings.isDeduplicated else { return [:] }
    let others = try links.otherSources(than: source)
    if others.isEmpty { return [:] }
    var keys: [(key: Int64, position: Int)] = []
    for position in messages.indices {
      guard case .new = matches[position] else { continue }
      let message = messages[position]
      for key in LinkKey.all(url: message.url, remoteID: message.remoteID.text) {
        keys.append((key, position))
      }
    }
    keys.sort { ($0.key, $0.position) < ($1.key, $1.position) }
    if isPart {
      for (key, _) in keys where seenKeys.contains(key) { throw MessageStreamFailure.needsWhole }
      for (key, _) in keys { seenKeys.insert(key) }
    }
    let known = try links.known(keys.map(\.key))
    if known.isEmpty { return [:] }
    var firsts: [Int: Int64] = [:]
    for index in keys.indices {
      let (key, position) = keys[index]
      guard known.contains(key) else { continue }
      // Several messages of this delivery have it: it does not tell which they are.
      if index > 0, keys[index - 1].key == key { continue }
      if index + 1 < keys.count, keys[index + 1].key == key { continue }
      guard firsts[position] == nil else { continue }
      firsts[position] = try links.first(key, besides: source.id.rawValue, of: others)
    }
    return firsts
  }

  private func fitIDs(_ messages: inout [IncomingMessage]) {
    let tooLong = messages.indices.filter { messages[$0].remoteID.text.utf8.count > Limits.remoteIDBytes }
    // All messages are copied to change one: nearly no delivery needs that.
    guard !tooLong.isEmpty else { return }
    for position in tooLong {
      messages[position].remoteID = messages[position].remoteID.fitting
      cutIDs.insert(messages[position].remoteID)
    }
  }

  /// Gives another id to those whose own is that of a stored message with other content.
  private func setApart(_ messages: inout [IncomingMessage]) throws {
    let lookup = try db.prepared("SELECT hash FROM identity WHERE source_id = ? AND remote_id = ?")
    for position in messages.indices {
      let id = messages[position].remoteID
      lookup.bind(1, source.id.rawValue)
      try lookup.bind(2, id.text)
      guard let known = try lookup.first({ lookup.int(0) }) else { continue }
      let hash = ContentHash.of(messages[position], extras: try extras(messages[position], hashed: true))
      if hash == known { continue }
      messages[position].remoteID = RemoteID(id.text + "|" + String(UInt64(bitPattern: hash), radix: 16))
    }
  }
}
