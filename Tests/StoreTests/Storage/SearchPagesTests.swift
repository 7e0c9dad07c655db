import Basics
import Foundation
import Messages
import Queries
import QuerySamples
import Synchronization
import TestBasics
import Testing

@testable import Storage

/// In whichever way a search runs, it finds the messages that the evaluator matches, and no others.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct QueryPagesTests {
  /// A store with random messages, of which some are read, starred, snoozed, dismissed or hidden.
  struct Shelf {
    let store: Store
    let now: Date
    let zone: ZoneClock
    var facts: [(key: ListKey, facts: Facts)] = []

    init(seed: Int, messages: Int) throws {
      var random = RandomQueries(seed: seed)
      zone = RandomQueries.zones[seed % RandomQueries.zones.count]
      let zone = zone
      now = random.instant(zone).addingTimeInterval(400 * 86_400)
      store = try Store.inMemory(now: now)
      let (now, store) = (now, store)
      store.searchTimes { (now, zone) }
      store.judgeArrivals(with: RandomJudging(seed: seed))
      let folder = try #require(Folder("dev/Swift"))
      let settings = [
        configured("ci") { $0.settings.joinsOthers = false },
        configured("Build server", kind: .native) {
          $0.settings.joinsOthers = false
          $0.folder = folder
          $0.channels = ["general"] + RandomQueries.names
        },
        configured("東京") {
          $0.settings.joinsOthers = false
          $0.title = "ünï"
          $0.channels = ["general", "ci"]
        },
      ]
      let sources = try store.sources.register(settings, at: now).map(\.id)
      for source in sources {
        try store.pollNothing(source)
        let sent = (0..<messages).map { number in random.message(number, zone, now: now) }
        try store.poll(source, sent, at: now)
      }
      let ids = try store.read { db in
        var ids: [MessageID] = []
        let query = try db.prepared("SELECT id FROM message ORDER BY id")
        try query.forEach { ids.append(MessageID(query.int(0))) }
        return ids
      }
      try store.acts.perform(.read(ids.filter { _ in random.chance(1, in: 2) }), at: now)
      try store.acts.perform(.star(ids.filter { _ in random.chance(1, in: 5) }), at: now)
      try store.acts.perform(.dismiss(ids.filter { _ in random.chance(1, in: 8) }), at: now)
      try store.acts.perform(
        .snooze(ids.filter { _ in random.chance(1, in: 12) }, until: now.addingTimeInterval(9000)), at: now)
      try store.acts.markSeen(.source(sources[0]))
      try store.expectConsistent("seed \(seed)")
      for id in ids { facts.append(try Self.facts(of: #require(try store.messages.find(id)), store)) }
      facts.sort { $0.key > $1.key }
    }

    /// The store's result, computed in another way.
    static func facts(of message: Message, _ store: Store) throws -> (ListKey, Facts) {
      var facts = Facts(message.content)
      facts.id = message.id
      if message.isUnread { facts.states.insert(.unread) }
      if message.isStarred { facts.states.insert(.starred) }
      if message.isDismissed { facts.states.insert(.dismissed) }
      if message.snoozedUntil != nil { facts.states.insert(.snoozed) }
      if try store.rules.hider(of: message.id) != nil { facts.states.insert(.hidden) }
      facts.rules = try store.rules.touches(of: message.id).map(\.rule)
      return try store.read { db in
        let head = try #require(try MessageHead.find(message.id.rawValue, db))
        let source = try SourceRow.find(message.source, db, Columns()).source
        facts.sourceNames = [source.name] + [source.title].compactMap(\.self)
        facts.folder = source.folder?.path
        if source.kind.rawValue != message.content.kind.rawValue { facts.kinds.append(source.kind.rawValue) }
        facts.time = Date(milliseconds: head.key.sortTime)
        let clock = try StoreClock(db, Columns()).now()
        if let expires = head.expires, expires <= clock { facts.states.insert(.expired) }
        if try db.integer(
          "SELECT 1 FROM status WHERE message_id = ? AND is_unseen AND NOT is_read", message.id.rawValue) == 1
        {
          facts.states.insert(.new)
        }
        // A message that is not visible yet, or that is for others, isn't found even by `in:all`.
        var shown = head
        shown.expires = nil
        if !shown.isShown(at: clock, channels: source.settings.shownChannels) {
          facts.states = Facts.States(rawValue: .max)
        }
        return (head.key, facts)
      }
    }
  }

  private func pages(
    _ query: Query, _ shelf: Shelf, size: Int, _ change: (inout InboxQuery) -> Void = { _ in }
  )
    throws -> [ListKey]
  {
    var wanted = InboxQuery(search: query.text)
    wanted.isStrict = true
    change(&wanted)
    var found: [ListKey] = []
    while true {
      let page = try shelf.store.lists.keys(wanted, after: found.last, limit: size)
      found += page
      if page.count < size { return found }
    }
  }

  private func expected(_ query: Query, _ shelf: Shelf, by matches: (Facts) -> Bool) -> [ListKey] {
    let lifted = query.liftedStates
    return shelf.facts.filter { _, facts in
      facts.states.rawValue != .max && facts.states.intersection(.outOfInbox).isSubset(of: lifted)
        && matches(facts)
    }.map(\.key)
  }

  @Test(arguments: 1...6)
  func aSearchFindsWhatTheEvaluatorsSay(seed: Int) throws {
    let shelf = try Shelf(seed: seed, messages: 40)
    let tokenizer = try shelf.store.read { try SearchTokenizer($0) }
    let naive = NaiveEvaluator(now: shelf.now, zone: shelf.zone) { tokenizer.tokens(of: $0).words }
    func isRight(_ query: Query) throws -> Bool {
      let matcher = QueryMatcher(query, tokenizer: tokenizer, now: shelf.now, zone: shelf.zone)
      let wanted = expected(query, shelf, by: matcher.matches)
      // The ways are: candidates, few candidates or a walk, only a walk, and slices.
      for few in [2000, 9, 0] {
        shelf.store.searches.bounds.withLock { $0.few = few }
        if try pages(query, shelf, size: 7) != wanted { return false }
      }
      shelf.store.searches.bounds.withLock { $0 = SearchBounds(few: 9, work: SearchWork(left: 400)) }
      var wholly = InboxQuery(search: query.text)
      wholly.isStrict = true
      var slice = try shelf.store.lists.hits(wholly, limit: 1000)
      while slice.lookedTo != nil { slice = try shelf.store.lists.hits(wholly, limit: 1000) }
      shelf.store.searches.bounds.withLock { $0 = SearchBounds() }
      return slice.found == wanted && wanted == expected(query, shelf) { naive.matches(query, $0) }
    }
    for number in 0..<120 {
      var random = RandomQueries(seed: seed * 1000 + number)
      let query = random.query()
      if try isRight(query) { continue }
      let small = try query.shrunk { !(try isRight($0)) }
      let matcher = QueryMatcher(small, tokenizer: tokenizer, now: shelf.now, zone: shelf.zone)
      let (found, wanted) = (try pages(small, shelf, size: 7), expected(small, shelf, by: matcher.matches))
      let wrong = Set(found).symmetricDifference(wanted)
      let facts: Facts? = shelf.facts.first { wrong.contains($0.key) }?.facts
      Issue.record(
        "seed \(seed), \(number): \(small.text.debugDescription) finds \(found.count) of \(wanted.count), such as \(String(describing: facts))"
      )
      return
    }
  }

  @Test(arguments: 11...13)
  func aQueryAndItsNegationSplitTheList(seed: Int) throws {
    let shelf = try Shelf(seed: seed, messages: 40)
    for number in 0..<60 {
      var random = RandomQueries(seed: seed * 1000 + number)
      // Both match the same hidden messages.
      let query = Query.all(of: [.test(.everywhere), random.query()])
      let whole = try pages(.test(.everywhere), shelf, size: 50)
      let yes = try pages(query, shelf, size: 7)
      let no = try pages(.all(of: [.test(.everywhere), .not(query)]), shelf, size: 9)
      #expect((yes + no).sorted(by: >) == whole, "\(query.text)")
    }
  }

  @Test(arguments: 21...23)
  func everyScopeAndDirectionShowsTheSame(seed: Int) throws {
    let shelf = try Shelf(seed: seed, messages: 40)
    let scopes: [InboxQuery.Scope] = try [
      .all, .starred, .source(SourceID(2)), .folder(#require(Folder("dev"))),
    ]
    for number in 0..<40 {
      var random = RandomQueries(seed: seed * 1000 + number)
      let query = random.query()
      let all = try pages(query, shelf, size: 50)
      let facts = Dictionary(uniqueKeysWithValues: shelf.facts.map { ($0.key, $0.facts) })
      for scope in scopes {
        let found = try pages(query, shelf, size: 7) { $0.scope = scope }
        let wanted = all.filter { key in
          switch scope {
          case .all: true
          case .starred: facts[key]?.states.contains(.starred) == true
          case .source, .folder: facts[key]?.folder != nil
          case .snoozed, .dismissed, .hidden, .waiting, .list: false
          }
        }
        #expect(found == wanted, "\(query.text) in \(scope)")
        let unread = try pages(query, shelf, size: 7) { ($0.scope, $0.isUnreadOnly) = (scope, true) }
        #expect(
          unread == wanted.filter { facts[$0]?.states.contains(.unread) == true }, "\(query.text) in \(scope)"
        )
        var oldest = InboxQuery(scope: scope, search: query.text, order: .oldest)
        oldest.isStrict = true
        let reversed = try shelf.store.lists.keys(oldest, limit: 1000)
        #expect(reversed == wanted.sorted(by: oldest.isBefore), "\(query.text) in \(scope), the oldest first")
      }
    }
  }
}

extension RandomQueries {
  /// A message that a source may send.
  mutating func message(_ number: Int, _ zone: ZoneClock, now: Date) -> IncomingMessage {
    var message = IncomingMessage(
      remoteID: RemoteID(chance(1, in: 8) ? one(of: Self.ids) + "#\(number)" : "\(number)"),
      kind: one(of: MessageKind.allCases), title: text(), body: text())
    if chance(1, in: 2) { message.author = text() }
    if chance(1, in: 2) { message.tags = some { $0.one(of: Self.names) } }
    if chance(1, in: 2) { message.language = one(of: Self.names) }
    if chance(1, in: 4) { message.channel = one(of: Self.names) }
    if chance(3, in: 4) { message.url = one(of: Self.links) }
    if chance(1, in: 3) { message.html = "<p>a</p>" }
    message.priority = Priority(one(of: [1, 2, 3, 3, 3, 3, 4, 5]))
    var extras = MessageExtras()
    if chance(1, in: 4) { extras.actions = [MessageAction(label: "a", url: "https://example.org/")] }
    if chance(1, in: 4) { extras.poster = "https://example.org/a.png" }
    if chance(1, in: 4) { extras.enclosures = [Enclosure(url: "https://example.org/a.mp3")] }
    message.extras = extras.isEmpty ? nil : extras
    if chance(4, in: 5) { message.published = instant(zone) }
    if chance(1, in: 10) { message.rank = .pinned }
    if chance(1, in: 10) { message.visibleFrom = now.addingTimeInterval(one(of: [-50, 50])) }
    if chance(1, in: 6) { message.expires = now.addingTimeInterval(one(of: [-5, 500])) }
    return message
  }
}

/// Hides some messages, and touches others.
struct RandomJudging: ArrivalJudging {
  var seed: Int

  func judge(_ tokenizer: any QueryTokenizer, at now: Date) -> any ArrivalJudge {
    Judge(random: RandomQueries(seed: seed))
  }

  private final class Judge: ArrivalJudge {
    var random: RandomQueries
    init(random: RandomQueries) { self.random = random }

    func verdict(on facts: @autoclosure () -> Facts, _ arrival: Arrival) -> Verdict {
      var verdict = Verdict()
      if random.chance(1, in: 3) {
        verdict.rules = Array(Set(random.some { $0.one(of: RandomQueries.names) })).sorted()
      }
      if random.chance(1, in: 8) { verdict.hiddenBy = "noise" }
      if random.chance(1, in: 8) { verdict.tags = random.some { $0.one(of: RandomQueries.names) } }
      if random.chance(1, in: 8) { verdict.priority = Priority(random.one(of: [1, 3, 5])) }
      return verdict
    }
  }
}
