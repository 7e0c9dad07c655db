import GRDB
import Limits
import Messages
import Queries

/// Takes one delivery of a source into the store, within the transaction of its poll.
///
/// Messages are matched by remote id, byte by byte. Ids are looked up and entered in their own order, so that a
/// delivery of any size reads every page of that index once; messages are written in the order of the delivery,
/// so that a later one has the greater id.
struct Intake {
  private let db: Database
  private let columns: Columns
  private let source: Source
  private let matchesContent: Bool
  private let now: Milliseconds
  private let lists: ListChanges
  private let index: SearchIndex
  private let rows: MessageRows
  private var spans = SpanBounds()
  private let links: LinkKeys
  private let facets: FacetChanges
  /// nil: nothing is judged.
  private let judge: (any ArrivalJudge)?
  private let marks: RuleMarks
  private let tellings: Tellings
  private let sourceNames: [String]
  private var keys: [(key: Int64, message: Int64)] = []
  /// Copies that became unread.
  private var unreadAgain: [Int64] = []
  /// Messages that report a new occasion.
  private var news: [Int64] = []
  private var recorded = RecordedPoll()
  /// Ids of this poll that were too long.
  private var cutIDs: Set<RemoteID> = []
  /// Of extras as text, used again for each message.
  private var buffer: [UInt8] = []

  /// How many messages of a first poll arrive unread.
  static let unreadOnFirstPoll = 20

  /// - Parameter matchesContent: an id alone does not identify a message, because the server reset its ids:
  ///   what comes with the id of another one gets a row of its own.
  init(
    _ db: Database, _ columns: Columns, _ source: Source, matchesContent: Bool = false,
    judges: ArrivalJudges, serverTitle: String? = nil, at now: Milliseconds
  ) throws {
    self.matchesContent = matchesContent
    self.db = db
    self.columns = columns
    self.source = source
    self.now = now
    // What is shown depends on the time, so the store's clock is moved to now first.
    try StoreClock(db, columns, judges).advance(to: now)
    lists = try ListChanges(db)
    index = try SearchIndex(db)
    rows = try MessageRows(db)
    links = LinkKeys(db)
    facets = FacetChanges(db, columns)
    judge = try judges.judge(db, at: now)
    marks = RuleMarks(db, at: now)
    tellings = Tellings(db, at: now)
    sourceNames = source.names(serverTitle: serverTitle)
  }

  private enum Match {
    /// The same remote id comes again later in the delivery, and that one counts.
    case superseded
    case new
    case unchanged
    case changed(Int64)
  }

  /// - Parameter messages: oldest first.
  mutating func take(_ messages: [IncomingMessage], isFirst: Bool) throws -> RecordedPoll {
    var messages = messages
    fitIDs(&messages)
    if matchesContent { try setApart(&messages) }
    let order = RemoteIDOrder.positions(messages)
    var matches = [Match](repeating: .superseded, count: messages.count)
    var hashes = [Int64](repeating: 0, count: messages.count)
    let hasSome =
      try db.integer("SELECT EXISTS (SELECT 1 FROM identity WHERE source_id = ?)", source.id.rawValue) == 1
    let lookup = try db.prepared(
      "SELECT message_id, hash FROM identity WHERE source_id = ? AND remote_id = ?")
    for position in order {
      matches[position] = .new
      guard hasSome else { continue }
      lookup.bind(1, source.id.rawValue)
      try lookup.bind(2, messages[position].remoteID.text)
      let known = try lookup.first { (id: lookup.int(0), hash: lookup.int(1)) }
      // What is new is hashed when it is written: its extras are made into text once.
      guard let known else { continue }
      hashes[position] = ContentHash.of(messages[position], extras: extras(messages[position], hashed: true))
      matches[position] = known.hash == hashes[position] ? .unchanged : .changed(known.id)
    }
    let firsts = try firsts(messages, matches)
    let ids = try write(messages, matches, firsts, &hashes, isFirst: isFirst)
    let identify = try db.prepared(
      "INSERT INTO identity (source_id, remote_id, message_id, hash) VALUES (?, ?, ?, ?)", arena: TextArena())
    for position in order where ids[position] != 0 {
      identify.bind(1, source.id.rawValue)
      try identify.bind(2, messages[position].remoteID.text)
      identify.bind(3, ids[position])
      identify.bind(4, hashes[position])
      try identify.run()
    }
    try links.add(keys)
    try facets.finish()
    try lists.finish()
    try spans.save(db)
    if !unreadAgain.isEmpty {
      _ = try StatusChange.unreading.apply(
        to: Copies(db).complete(IDRanges(unreadAgain)), db, at: now, isActed: false)
    }
    if !news.isEmpty {
      _ = try StatusChange(.undismiss)?.apply(to: IDRanges(news), db, at: now, isActed: false)
      for id in news {
        try db.prepared("DELETE FROM resolved WHERE message_id = ?").run(id)
        // What the user did was meant for what stood there before.
        try db.prepared(
          "DELETE FROM outgoing WHERE message_id = ? AND carried IS NULL AND field IN ('read', 'done')"
        ).run(id)
      }
    }
    return recorded
  }

  /// What other sources brought before, by the positions of the new messages that are the same.
  private func firsts(_ messages: [IncomingMessage], _ matches: [Match]) throws -> [Int: Int64] {
    guard source.isDeduplicated else { return [:] }
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
    var firsts: [Int: Int64] = [:]
    for index in keys.indices {
      let (key, position) = keys[index]
      // Several messages of this delivery have it: it does not tell which they are.
      if index > 0, keys[index - 1].key == key { continue }
      if index + 1 < keys.count, keys[index + 1].key == key { continue }
      guard firsts[position] == nil else { continue }
      firsts[position] = try links.first(key, besides: source.id.rawValue, of: others)
    }
    return firsts
  }

  /// Takes away the messages that came again as notices, which are never displayed.
  func withdraw(_ notices: [FeatureNotice]) throws {
    let lookup = try db.prepared("SELECT message_id FROM identity WHERE source_id = ? AND remote_id = ?")
    let forget = try db.prepared("UPDATE identity SET hash = 0 WHERE source_id = ? AND remote_id = ?")
    for notice in notices {
      lookup.bind(1, source.id.rawValue)
      try lookup.bind(2, notice.remoteID.text)
      guard let id = try lookup.first({ lookup.int(0) }), let old = try MessageHead.find(id, db) else {
        continue
      }
      var new = old
      new.isShown = false
      try db.prepared(
        "UPDATE message SET is_shown = 0, expires = min(coalesce(expires, ?2), ?2) WHERE id = ?1"
      )
      .run(id, now)
      // No content has this hash: if it comes as a message again, it is shown again.
      forget.bind(1, source.id.rawValue)
      try forget.bind(2, notice.remoteID.text)
      try forget.run()
      try lists.move(old, new)
    }
    try lists.finish()
  }

  private mutating func fitIDs(_ messages: inout [IncomingMessage]) {
    let tooLong = messages.indices.filter { messages[$0].remoteID.text.utf8.count > Limits.remoteIDBytes }
    // All messages are copied to change one: nearly no delivery needs that.
    guard !tooLong.isEmpty else { return }
    for position in tooLong {
      messages[position].remoteID = messages[position].remoteID.fitting
      cutIDs.insert(messages[position].remoteID)
    }
  }

  /// Gives another id to those whose own is that of a stored message with other content.
  private mutating func setApart(_ messages: inout [IncomingMessage]) throws {
    let lookup = try db.prepared("SELECT hash FROM identity WHERE source_id = ? AND remote_id = ?")
    for position in messages.indices {
      let id = messages[position].remoteID
      lookup.bind(1, source.id.rawValue)
      try lookup.bind(2, id.text)
      guard let known = try lookup.first({ lookup.int(0) }) else { continue }
      let hash = ContentHash.of(messages[position], extras: extras(messages[position], hashed: true))
      if hash == known { continue }
      messages[position].remoteID = RemoteID(id.text + "|" + String(UInt64(bitPattern: hash), radix: 16))
    }
  }

  /// - Returns: The id of each message that is new, 0 for the others.
  private mutating func write(
    _ messages: [IncomingMessage], _ matches: [Match], _ firsts: [Int: Int64], _ hashes: inout [Int64],
    isFirst: Bool
  ) throws -> [Int64] {
    var ids = [Int64](repeating: 0, count: messages.count)
    let first = (try db.integer("SELECT last_message FROM store") ?? 0) + 1
    var next = first
    let unread = isFirst ? newest(messages, matches) : nil
    for position in messages.indices {
      switch matches[position] {
      case .superseded, .unchanged:
        continue
      case .changed(let id):
        try update(id, messages[position], hash: hashes[position])
      case .new:
        let isRead = unread.map { !$0.contains(position) } ?? false
        hashes[position] = try insert(
          messages[position], id: next, isRead: isRead, copyOf: firsts[position],
          isFirstPoll: isFirst)
        ids[position] = next
        next += 1
      }
    }
    if next > first { try db.prepared("UPDATE store SET last_message = ?").run(next - 1) }
    return ids
  }

  /// - Returns: the hash of its content.
  private mutating func insert(
    _ sent: IncomingMessage, id: Int64, isRead: Bool, copyOf first: Int64?, isFirstPoll: Bool
  ) throws -> Int64 {
    // A change in the part that was cut counts too.
    let hash = ContentHash.of(sent, extras: extras(sent, hashed: true))
    var message = sent.cutToFit(hasCutID: cutIDs.contains(sent.remoteID)) ?? sent
    var head = MessageHead(message, id: id, source: source.id.rawValue, received: now)
    head.isShown = head.isShown(at: now, channels: source.settings.shownChannels)
    // A message that is not visible yet stays unread until it is.
    head.isRead = isRead && head.isShown
    let verdict = verdict(on: message, head, isFirstPoll ? .firstPoll : .new)
    if let verdict {
      message.take(verdict)
      head.priority = message.priority
    }
    try rows.insert(message, head, received: now, extras: extras(message))
    if let verdict {
      try marks.apply(verdict, to: id, isNew: true)
      if !verdict.runs.isEmpty { recorded.hasRuns = true }
      head = try MessageHead.find(id, db) ?? head
    }
    try index.insert(id, title: message.title, body: message.body, author: message.author)
    try facets.add(message, id)
    if message.isTranslated { try rows.remember(translated: id) }
    if let first {
      try Copies(db).join(id, to: first)
      head = try MessageHead.find(id, db) ?? head
    }
    note(message, id)
    // A copy of what is there isn't news.
    if let verdict, first == nil { try tellings.arm(verdict, id, visibleFrom: head.visibleFrom) }
    try lists.move(nil, head, isArrival: first == nil)
    spans.include(head.key)
    if first != nil {
      recorded.copies += 1
    } else if head.isListed {
      recorded.new += 1
      recorded.ids.append(head.key.id)
    } else {
      recorded.hidden += 1
    }
    return hash
  }

  /// nil: the rules change nothing.
  private func verdict(
    on message: IncomingMessage, _ head: MessageHead, _ arrival: Arrival
  ) -> Verdict? {
    guard let judge, !judge.ignores(message, sourceNames: sourceNames, arrival) else { return nil }
    var facts = RuleMarks.facts(message, head, of: source, names: sourceNames)
    if arrival != .changed { facts.states.insert(.new) }
    let verdict = judge.verdict(on: facts, arrival)
    return arrival != .changed && verdict == Verdict() ? nil : verdict
  }

  private mutating func update(_ id: Int64, _ sent: IncomingMessage, hash: Int64) throws {
    var message = sent.cutToFit(hasCutID: cutIDs.contains(sent.remoteID)) ?? sent
    guard let old = try MessageHead.find(id, db), let received = try rows.received(id) else { return }
    var new = MessageHead(message, id: id, source: old.source, received: received)
    new.isShown = new.isShown(at: now, channels: source.settings.shownChannels)
    let isNewOccasion = try isNewOccasion(message, id)
    if isNewOccasion { news.append(id) }
    new.isRead = old.isRead && !source.isUnreadOnChange && !isNewOccasion
    new.isStarred = old.isStarred
    new.isDismissed = old.isDismissed
    new.first = old.first
    let verdict = verdict(on: message, new, .changed)
    if let verdict {
      message.take(verdict)
      new.priority = message.priority
    }
    // The place that it got when it became unread again.
    if message.kind == .local { new.key.sortTime = max(new.key.sortTime, old.key.sortTime) }
    try index.remove(id)
    try links.remove(id)
    try facets.remove(id)
    try rows.update(message, new, extras: extras(message))
    try facets.add(message, id)
    note(message, id)
    try index.insert(id, title: message.title, body: message.body, author: message.author)
    if message.isTranslated { try rows.remember(translated: id) }
    try db.prepared("UPDATE article SET is_current = 0 WHERE message_id = ?").run(id)
    if new.isRead != old.isRead {
      try db.prepared("UPDATE status SET is_read = 0 WHERE message_id = ?").run(id)
      unreadAgain.append(id)
    }
    if let verdict {
      try marks.apply(verdict, to: id, isNew: false, isUnreadAgain: new.isRead != old.isRead)
      if !verdict.runs.isEmpty { recorded.hasRuns = true }
      if let marked = try MessageHead.find(id, db) {
        (new.isRead, new.isStarred, new.isDismissed) = (marked.isRead, marked.isStarred, marked.isDismissed)
      }
      // What is still unread was told of when it came, unless a rule says so only now.
      let isNews = new.isRead != old.isRead
      if isNews || verdict.isTold == true {
        try tellings.arm(verdict, id, visibleFrom: new.visibleFrom, again: isNews)
      }
    }
    let update = try db.prepared("UPDATE identity SET hash = ? WHERE source_id = ? AND remote_id = ?")
    update.bind(1, hash)
    update.bind(2, source.id.rawValue)
    try update.bind(3, message.remoteID.text)
    try update.run()
    try lists.move(old, new, isArrival: !old.isShown)
    spans.include(new.key)
    recorded.updated += 1
  }

  /// Whether a stored message comes again with another occasion: then it is news.
  private func isNewOccasion(_ message: IncomingMessage, _ id: Int64) throws -> Bool {
    guard let occasion = message.extras?.occasion else { return false }
    let query = try db.prepared("SELECT extras ->> '$.occasion' FROM detail WHERE message_id = ?")
    query.bind(1, id)
    let known = try query.first { query.optionalText(0) } ?? nil
    return known != occasion
  }

  private mutating func note(_ message: IncomingMessage, _ id: Int64) {
    guard source.isDeduplicated else { return }
    for key in LinkKey.all(url: message.url, remoteID: message.remoteID.text) { keys.append((key, id)) }
  }

  /// The positions of the newest of what is new and shown.
  private func newest(_ messages: [IncomingMessage], _ matches: [Match]) -> Set<Int> {
    var newest: [(key: ListKey, position: Int)] = []
    for position in messages.indices {
      guard case .new = matches[position] else { continue }
      // Ids will follow the positions.
      let head = MessageHead(
        messages[position], id: Int64(position), source: source.id.rawValue, received: now)
      guard head.isShown(at: now, channels: source.settings.shownChannels) else { continue }
      if newest.count == Self.unreadOnFirstPoll, let least = newest.last, head.key < least.key { continue }
      let place = newest.firstIndex { $0.key < head.key } ?? newest.count
      newest.insert((head.key, position), at: place)
      if newest.count > Self.unreadOnFirstPoll { newest.removeLast() }
    }
    return Set(newest.map(\.position))
  }

  private mutating func extras(_ message: IncomingMessage, hashed: Bool = false) -> [UInt8]? {
    guard let extras = message.extras, !extras.isEmpty else { return nil }
    ExtrasText.write(extras, into: &buffer, hashed: hashed)
    return buffer
  }
}

extension IncomingMessage {
  fileprivate var isTranslated: Bool { extras?.translations.isEmpty == false }
}
