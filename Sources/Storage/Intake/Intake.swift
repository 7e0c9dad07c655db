import GRDB
import Limits
import Marks
import Messages
import Queries
import Sync

/// Brings one delivery of a source into the store, within the transaction of its poll.
///
/// Messages are matched by remote id, byte by byte; of web feeds also by what else tells them apart (see `match`). Ids are
/// looked up and entered in their own order, so that a delivery of any size reads every page of that index once; messages
/// are written in the order of the delivery, so that a later one has the greater id.
final class Intake {
  let db: Database
  let columns: Columns
  let source: Source
  let matchesContent: Bool
  let reusedID: ReusedID?
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
  /// Whether an id of this source has come for several messages, so that the others of each id are looked up too.
  var repeatsIDs: Bool
  /// Hashes of the ids in the parts so far, and link keys of what was new in them.
  var seen: Set<Int> = []
  var seenKeys: Set<Int64> = []
  /// Ids of the source's notices, and those of them that came as messages.
  let noticeIDs: Set<RemoteID>
  /// Whether other machines hear of its marks.
  let isSynced: Bool
  /// Messages for which something may wait that other machines wrote, with what they are called.
  var named: [(remoteID: String, message: Int64, occasion: UInt64)] = []
  /// The ids of those that a first poll brought as read.
  var old: [String] = []
  var endedNotices: [RemoteID] = []
  /// Of a push into a shared source, and when it was done.
  var push: Stamp?
  var received: Milliseconds?

  /// - Parameter matchesContent: an id alone does not identify a message, because the server reset its ids:
  ///   what comes with the id of another one gets a row of its own.
  init(
    _ db: Database, _ columns: Columns, _ source: Source, matchesContent: Bool = false,
    reusedID: ReusedID? = nil, judges: ArrivalJudges, serverTitle: String? = nil, as arrival: Arrival = .new,
    at now: Milliseconds
  ) throws {
    self.matchesContent = matchesContent
    self.reusedID = reusedID
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
    repeatsIDs =
      try db.integer("SELECT repeats_ids FROM polling WHERE source_id = ?", source.id.rawValue) == 1
    noticeIDs = try Features(db, columns).noticeIDs(of: source.id)
    isSynced = try !WireSources(db).rows(of: source.id.rawValue).isEmpty
    firstID = (try db.integer("SELECT last_message FROM store") ?? 0) + 1
    nextID = firstID
  }

  /// Stores the messages of a poll.
  ///
  /// - Parameter isSurveyed: those of a stream are read twice: all are matched before the first one is stored. Else throws
  ///   `MessageStreamFailure.needsSurvey` where only that tells which they are.
  func store(_ content: PollContent, isFirst: Bool, isSurveyed: Bool) throws {
    guard let stream = content.stream else { return try store(content.messages, isFirst: isFirst) }
    guard isSurveyed else {
      while let part = try stream.next() {
        try store(part, match(part, isPart: true), isFirst: isFirst)
      }
      return
    }
    let matching = try survey(stream)
    try stream.restart()
    var start = 0
    while let part = try stream.next() {
      try store(part, matching, from: start, isFirst: isFirst)
      start += part.count
    }
  }

  private func survey(_ stream: any MessageStream) throws -> Matching {
    var messages: [SurveyedMessage] = []
    while let part = try stream.next() {
      for message in part { messages.append(try SurveyedMessage(message)) }
    }
    return try match(messages, isPart: false)
  }

  /// Stores all messages of a delivery.
  ///
  /// - Parameter messages: oldest first.
  func store(_ messages: [IncomingMessage], isFirst: Bool) throws {
    try store(messages, match(messages, isPart: false), isFirst: isFirst)
  }

  /// - Parameter start: the position of the first message in the matching.
  private func store(
    _ messages: [IncomingMessage], _ matching: Matching, from start: Int = 0, isFirst: Bool
  ) throws {
    if !noticeIDs.isEmpty { endedNotices += messages.map(\.remoteID).filter(noticeIDs.contains) }
    for index in messages.indices {
      let position = start + index
      let remoteID = matching.ids[position]
      switch matching.matches[position] {
      case .superseded, .unchanged: continue
      case .changed(let id): try update(id, messages[index], as: remoteID, hash: matching.hashes[position])
      case .joined:
        if let join = matching.joins[position] { try store(messages[index], as: remoteID, join) }
      case .new:
        let new = try new(messages[index], as: remoteID, nextID, first: matching.firsts[position])
        nextID += 1
        let message = new.message
        try enterText(of: message, new.id)
        guard isFirst else {
          try insert(new, isRead: false)
          continue
        }
        let head = MessageHead(message, of: source, id: new.id, at: now)
        if let next = newest.add(new, head) { try insert(next, isRead: true) }
      }
    }
  }

  /// Stores messages that another machine sent, and that aren't here, as read.
  func storeAsRead(_ messages: [IncomingMessage]) throws {
    let matching = try match(messages, isPart: false)
    for position in messages.indices {
      switch matching.matches[position] {
      case .superseded, .unchanged, .changed: continue
      case .joined:
        if let join = matching.joins[position] {
          try store(messages[position], as: matching.ids[position], join)
        }
      case .new:
        let new = try new(
          messages[position], as: matching.ids[position], nextID, first: matching.firsts[position])
        nextID += 1
        try enterText(of: new.message, new.id)
        try insert(new, isRead: true)
      }
    }
  }

  /// Writes what was collected; call it once, after the last `store`.
  ///
  /// - Parameter body: called before what other machines wrote of the messages is joined.
  func finish(_ body: () throws -> Void = {}) throws -> RecordedPoll {
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
    try body()
    if !named.isEmpty {
      try WireKeys(db).add(named, to: source.id.rawValue)
      try Merging(db, at: now).join(IDRanges(named.map(\.message)), of: source.id.rawValue)
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
}
