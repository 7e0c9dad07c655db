import Basics
import GRDB
import Messages
import Queries
import Sync

/// Stores one delivery of a source, within the transaction of its poll.
///
/// Messages are matched by remote id, byte by byte; those of web feeds also by other facts (see `match`). Ids are
/// looked up and written in their own order, so that a delivery of any size reads every page of that index once.
/// Messages are written in the order of the delivery, so that a later one has the greater id.
final class Intake {
  let db: Database
  let columns: Columns
  let source: Source
  let matchesContent: Bool
  let reusedID: ReusedID?
  let now: Milliseconds
  let index: SearchIndex
  let rows: MessageRows
  let table: EntryTable
  let entryKeys: EntryKeys
  let facets: FacetChanges
  /// The judge, or `nil` if nothing is judged.
  let judge: (any ArrivalJudge)?
  let marks: RuleMarks
  let occasions: MarkWriter
  let noticeQueue: NoticeQueue
  let sourceNames: [String]
  /// The keys under which new messages are looked up, and those of stored ones that changed.
  var newKeys: [(key: Int64, message: Int64)] = []
  var keys: [(key: Int64, message: Int64)] = []
  /// Whether `enterNewKeys()` has already written keys of this delivery to the database.
  var hasEnteredKeys = false
  /// The kind of arrival, for rules and notifications.
  let arrival: Arrival
  /// The times at which the rules must judge messages again.
  var moments: [(message: Int64, at: Milliseconds)] = []
  /// The former keys of messages that changed, by which other parts of the delivery still find them.
  var formerKeys: [(keys: [Int64], message: Int64)] = []
  /// The messages that became unread again, which also makes their duplicates unread.
  var unreadAgain: [Int64] = []
  /// The messages that report a new event, for example a new comment.
  var news: [Int64] = []
  var recorded = RecordedPoll()
  /// The number of new messages, and the bytes of their text.
  private(set) var added = (messages: 0, bytes: 0)

  func count(new message: IncomingMessage) {
    added = (added.messages + 1, added.bytes + message.textBytes)
  }

  /// The ids that this delivery showed to be in doubt, since they arrived for different entries, until they
  /// are reported.
  var newlyDoubted: [RemoteID] = []
  private var otherNames: [SourceID: String] = [:]
  /// The ids of new messages, to be written at the end.
  var identities: [(remoteID: String, message: Int64, hash: Int64)] = []
  /// The newest messages of a first poll.
  var newest = NewestArrivals()
  /// The id of the first new message of this delivery, and that of the next one.
  let firstID: Int64
  var nextID: Int64
  /// Whether the source has delivered messages before, even if they are no longer kept.
  let hasSome: Bool
  /// The properties of the source's documents, updated by the parts of this delivery.
  var memory: SourceMemory
  /// Whether all stored messages of the source have `EntryFacts`; messages that earlier versions stored may lack them.
  var hasFacts: Bool
  private let memoryBefore: SourceMemory
  /// Whether the delivery contains entries of feeds.
  var hasEntries = false
  /// The id of the last entry so far to which the document gives an id. Once two of these ids differ,
  /// `memory.tellsApart` is set, and this is no longer updated.
  var ownID: RemoteID?
  /// The hashes of the ids in the parts of the delivery so far, and those of the pages and unique ids of new
  /// messages in them (`EntryReading.names`).
  var seen: Set<Int> = []
  var seenNames: Set<Int64> = []
  var reader = EntryReader()
  /// The hashes of the title and page of new messages, with the messages. If two are equal, title and page do
  /// not identify a message.
  var recurrences: [(key: Int64, message: Int64)] = []
  /// The number of messages in the parts before this one.
  private var delivered = 0
  /// The sources whose messages may be the originals of duplicates in this source, or `nil` before they are
  /// queried.
  private var knownCopySources: Set<Int64>?
  /// The ids of the source's stored notifications that switch features.
  let noticeIDs: Set<RemoteID>
  /// Whether marks of the source's messages are synchronised with other machines.
  let isSynced: Bool
  /// The new and changed messages, with the keys under which changes by other machines may wait for them.
  var named: [WireKeys.Naming] = []
  /// The ids of the messages that a first poll stored as read.
  var old: [String] = []
  /// The ids of `noticeIDs` that arrived as messages.
  var endedNotices: [RemoteID] = []
  /// The stamp of a push into a shared source, and its time.
  var push: Stamp?
  var received: Milliseconds?

  /// - Parameter matchesContent: whether an id alone does not identify a message, because the server reset its ids.
  ///   Other content with a known id then gets a separate row.
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
    // Visibility depends on the time, so the store's clock is first moved to now.
    try StoreClock(db, columns, judges).advance(to: now)
    index = try SearchIndex(db)
    rows = try MessageRows(db, of: source.id.rawValue)
    table = EntryTable(db, of: source.id)
    entryKeys = EntryKeys(db)
    (memory, hasFacts) = try table.memory()
    memoryBefore = memory
    facets = FacetChanges(db, columns)
    judge = try judges.judge(db, at: now)
    marks = RuleMarks(db, at: now)
    occasions = MarkWriter(db, by: .occasion, at: now)
    noticeQueue = NoticeQueue(db, at: now)
    sourceNames = source.names(serverTitle: serverTitle)
    hasSome =
      try db.integer("SELECT EXISTS (SELECT 1 FROM identity WHERE source_id = ?)", source.id.rawValue) == 1
    noticeIDs = try Features(db, columns).noticeIDs(of: source.id)
    isSynced = try !WireSources(db).rows(of: source.id.rawValue).isEmpty
    firstID = (try db.integer("SELECT last_message FROM store") ?? 0) + 1
    nextID = firstID
  }

  /// Stores the messages of a poll.
  ///
  /// - Parameter isSurveyed: whether a stream is read twice, so that all its messages are matched before the
  ///   first one is stored. Otherwise throws `MessageStreamFailure.needsSurvey` if the stored messages can be
  ///   found only so.
  func store(_ content: PollContent, isFirst: Bool, isSurveyed: Bool) throws {
    guard let stream = content.stream else { return try store(content.messages, isFirst: isFirst) }
    guard isSurveyed else {
      while let part = try stream.next() {
        try store(part, match(part, isPart: true), isFirst: isFirst)
        delivered += part.count
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

  /// Reads a stream to its end, only to match its messages.
  private func survey(_ stream: any MessageStream) throws -> Matching {
    var messages: [SurveyedMessage] = []
    let others = try copySources()
    while let part = try stream.next() {
      let start = messages.count
      for message in part { messages.append(try SurveyedMessage(message, &reader)) }
      if others.isEmpty { continue }
      // The bodies of the other messages are not needed.
      let keys = messages[start...].map {
        EntryFacts.shared(page: $0.reading.facts.page, worldwideID: $0.reading.worldwideID)
      }
      let known = try entryKeys.known(keys.joined().sorted())
      for index in part.indices where keys[index].contains(where: known.contains) {
        messages[start + index].comparedBody = part[index].body
      }
    }
    return try match(messages, isPart: false)
  }

  /// Stores all messages of a delivery.
  ///
  /// - Parameter messages: the messages, oldest first.
  func store(_ messages: [IncomingMessage], isFirst: Bool) throws {
    try store(messages, match(messages, isPart: false), isFirst: isFirst)
  }

  /// Stores messages as they were matched.
  ///
  /// - Parameter start: the position of the first message in the matching.
  private func store(
    _ messages: [IncomingMessage], _ matching: Matching, from start: Int = 0, isFirst: Bool
  ) throws {
    if !noticeIDs.isEmpty { endedNotices += messages.map(\.remoteID).filter(noticeIDs.contains) }
    for index in messages.indices {
      let position = start + index
      let remoteID = matching.ids[position]
      try report(messages, index, matching, position)
      switch matching.matches[position] {
      case .superseded, .unchanged: continue
      case .changed(let id):
        recordVerdict(.changed, at: position)
        try update(id, messages[index], as: remoteID, hash: matching.hashes[position])
      case .joined(let id):
        try store(messages[index], joined: id, as: remoteID, hash: matching.hashes[position], at: position)
      case .again(let id) where id != 0:
        recordVerdict(.again, at: position)
        var message = messages[index]
        message.reportPublication()
        try update(id, message, as: remoteID, hash: matching.hashes[position])
      case .new, .again:
        let first = matching.firsts[position]
        var message = messages[index]
        recordVerdict(first.map { .copy(of: $0.source) } ?? .new, at: position)
        if case .again = matching.matches[position] {
          recordVerdict(.again, at: position)
          message.reportPublication()
        }
        let made = try new(
          message, as: remoteID, nextID, hash: matching.hashes[position], first: first?.message,
          matching.readings[position])
        if case .again = matching.matches[position] { made.comesAgain = true }
        nextID += 1
        try enterText(of: made.message, made.id)
        guard isFirst else {
          try insert(made, isRead: false)
          continue
        }
        let head = MessageHead(made.message, of: source, id: made.id, at: now)
        if let next = newest.add(made, head) { try insert(next, isRead: true) }
      }
    }
  }

  /// Reports why a message of the delivery is not new, or becomes unread again.
  private func report(
    _ messages: [IncomingMessage], _ index: Int, _ matching: Matching, _ position: Int
  ) throws {
    if let evidence = matching.evidence[position] {
      recorded.identity.add(.joined, evidence.rawValue, title: messages[index].title)
    }
    if let first = matching.firsts[position] {
      recorded.identity.add(.copies, try name(of: first.source), title: messages[index].title)
    }
    if case .again = matching.matches[position] {
      let how: IdentityReport.Return = messages[index].kind == .feed ? .publication : .occasion
      recorded.identity.add(.again, how.rawValue, title: messages[index].title)
    }
    // One of them is the example for all.
    if let id = newlyDoubted.first, messages[index].remoteID.fitting == id {
      reportDoubted(messages[index].title)
    }
  }

  /// Reports the ids that arrived for several messages.
  private func reportDoubted(_ title: String) {
    guard let id = newlyDoubted.first else { return }
    recorded.identity.add(.repeatedIDs, id.text, count: newlyDoubted.count, title: title)
    newlyDoubted = []
  }

  private func name(of other: SourceID) throws -> String {
    if let known = otherNames[other] { return known }
    let query = try db.prepared("SELECT name FROM source WHERE id = ?")
    query.bind(1, other.rawValue)
    let name = try query.first { query.text(0) } ?? ""
    otherNames[other] = name
    return name
  }

  /// Records the verdict on a message of the delivery; for a very large one only the first are kept.
  func recordVerdict(_ verdict: EntryVerdict, at position: Int) {
    if recorded.verdicts.count < Self.mostVerdicts { recorded.verdicts[delivered + position] = verdict }
  }

  private static let mostVerdicts = 1000

  /// Returns the sources whose messages may be the originals of duplicates in this source.
  func copySources() throws -> Set<Int64> {
    if let knownCopySources { return knownCopySources }
    let found = source.settings.isDeduplicated ? try CopyFinder.others(than: source, db) : []
    knownCopySources = found
    return found
  }

  /// Stores messages that another machine starred, and that aren't on this machine.
  func store(starred contents: [ContentIntake.Content]) throws {
    let messages = contents.map(\.message)
    let matching = try match(messages, isPart: false)
    for position in messages.indices {
      switch matching.matches[position] {
      case .superseded, .unchanged, .changed: continue
      case .joined(let id):
        try store(
          messages[position], joined: id, as: matching.ids[position], hash: matching.hashes[position],
          at: position)
      case .again(let id) where id != 0: continue
      case .new, .again:
        let new = try new(
          messages[position], as: matching.ids[position], nextID, hash: matching.hashes[position],
          first: matching.firsts[position]?.message, matching.readings[position])
        if case .again = matching.matches[position] { new.comesAgain = true }
        nextID += 1
        try enterText(of: new.message, new.id)
        // The user has seen it on the machine where it was starred.
        try insert(new, isRead: !contents[position].isUnread, isUnseen: false)
      }
    }
  }

  /// Writes the collected rows; call it once, after the last `store`.
  ///
  /// - Parameter body: called before writes of other machines are applied to the messages.
  func finish(_ body: () throws -> Void = {}) throws -> RecordedPoll {
    for new in newest.removeAll() { try insert(new, isRead: false) }
    reportDoubted("")
    try rows.flush()
    if nextID > firstID { try db.prepared("UPDATE store SET last_message = ?").run(nextID - 1) }
    try identify()
    // The comparison is with the other messages before this delivery.
    try enterNewKeys()
    try entryKeys.replace(formerKeys.flatMap { former in former.keys.map { ($0, former.message) } }, by: keys)
    if hasEntries { memory.lastDocument = now.second }
    if memory != memoryBefore { try table.save(memory) }
    try facets.finish()
    try RowInsertion(db, into: "rule_due", ["message_id", "at"]).insert(moments.sorted { $0 < $1 }) {
      $1.bind($2, $0.message)
      $1.bind($2 + 1, $0.at)
    }
    if !unreadAgain.isEmpty {
      try occasions.set(.read(false), on: Duplicates(db).complete(IDRanges(unreadAgain)))
    }
    if !news.isEmpty {
      try occasions.set(.dismissed(at: nil), on: IDRanges(news))
      for id in news {
        try db.prepared("DELETE FROM ending WHERE message_id = ?").run(id)
        // The user's acts were meant for the previous content.
        try db.prepared(
          "DELETE FROM outgoing WHERE message_id = ? AND carried IS NULL AND field IN ('read', 'done')"
        ).run(id)
      }
    }
    try body()
    if !named.isEmpty {
      try WireKeys(db).add(named, to: source.id.rawValue)
      try ActMerge(db, at: now).join(IDRanges(named.map(\.message)), of: source.id.rawValue)
    }
    recorded.ids.sort { $0.rawValue < $1.rawValue }
    return recorded
  }

  /// The numbers of the messages that did not exist before this delivery, keyed by id.
  var arrived: [RemoteID: Int64] {
    Dictionary(identities.map { (RemoteID($0.remoteID), $0.message) }) { $1 }
  }

  /// Writes the ids of the whole delivery in one sorted pass, so that each page of their index is written once.
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
