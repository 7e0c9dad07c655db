import Basics
import Foundation
import Messages
import Queries
import QuerySamples
import Synchronization
import TestBasics
import Testing

@testable import Storage

/// The counts of saved lists: they are updated with every change, and equal the result of a search.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct SavedListTests {
  private func list(_ name: String, _ query: String) -> SavedList { SavedList(name: name, query: query) }

  private func unread(_ store: Store) throws -> [Int?] { try store.savedLists.all().map(\.unread) }

  @Test func aListCountsWhatIsUnreadInIt() throws {
    let (store, source) = try Store.following(messages(1...4))
    try store.savedLists.apply(lists: [
      list("Titles", "title:\"title 2\" OR title:\"title 3\""), list("All", ""),
    ])
    #expect(try unread(store) == [nil, nil], "not counted yet")
    try store.countLists()
    #expect(try unread(store) == [2, 4])
    // From now on, each change is counted immediately.
    try store.acts.perform(.read([store.id("2", of: source)]), at: noon)
    #expect(try unread(store) == [1, 3])
    try store.acts.perform(.dismiss([store.id("3", of: source)]), at: noon)
    #expect(try unread(store) == [0, 2])
    _ = try store.acts.undo(at: noon)
    try store.poll(source, [message("5", "Title 2 again"), message("1", "now title 3", at: noon - 180)])
    #expect(try unread(store) == [3, 4])
    let id = try #require(store.savedLists.all().first?.id)
    #expect(try store.acts.perform(.readAll(InboxQuery(scope: .list(id))), at: noon) == 3)
    #expect(try unread(store) == [0, 1])
    try store.expectConsistent()
  }

  @Test func theListShowsWhatItsQueryFindsAndCanBeSearched() throws {
    let (store, source) = try Store.following(messages(1...30))
    try store.savedLists.apply(lists: [list("Ones", "title:1*")])
    let id = try #require(store.savedLists.all().first?.id)
    let titles = ["Title 19", "Title 18", "Title 17"]
    #expect(try Array(store.titles(InboxQuery(scope: .list(id))).prefix(3)) == titles)
    #expect(try store.titles(InboxQuery(scope: .list(id), search: "17 ")) == ["Title 17"])
    #expect(try store.titles(InboxQuery(scope: .list(id), search: "27 ")) == [])
    #expect(try store.titles(InboxQuery(scope: .list(id), order: .oldest)).first == "Title 1")
    try store.acts.perform(.read([store.id("19", of: source)]), at: noon)
    #expect(try store.titles(InboxQuery(scope: .list(id), isUnreadOnly: true)).first == "Title 18")
    #expect(try store.titles(InboxQuery(scope: .list(SavedListID(99)))) == [])
  }

  @Test func aListIsTheSameUnderAnotherNameAndCountedAnewWithAnotherQuery() throws {
    let (store, _) = try Store.following(messages(1...4))
    try store.savedLists.apply(lists: [list("a", "title:1"), list("b", "title:2")])
    try store.countLists()
    let ids = try store.savedLists.all().map(\.id)
    try store.savedLists.apply(lists: [list("c", "title:2"), list("a", "title:1")])
    #expect(try store.savedLists.all().map(\.id) == ids.reversed())
    #expect(try unread(store) == [1, 1])
    try store.savedLists.apply(lists: [list("a", "title:4 OR title:3")])
    #expect(try store.savedLists.all().map(\.id) == [ids[0]])
    #expect(try unread(store) == [nil])
    try store.countLists()
    #expect(try unread(store) == [2])
    try store.savedLists.apply(lists: [SavedList(name: "a", query: nil, mistaken: "a (b")])
    try store.countLists()
    let status = try #require(store.savedLists.all().first)
    #expect(status.unread == nil && status.list.mistaken == "a (b")
    #expect(try store.titles(InboxQuery(scope: .list(status.id))) == [])
    try store.savedLists.apply(lists: [])
    #expect(try store.savedLists.all().isEmpty)
    try store.expectConsistent()
  }

  @Test func nothingIsNotedWhereThereIsNoList() throws {
    let (store, source) = try Store.following(messages(1...4))
    try store.acts.perform(.star([store.id("2", of: source)]), at: noon)
    let rows = try store.read { db in
      try ["list_pending", "list_member", "list_due"].map {
        try db.integer("SELECT count(*) FROM \($0)") ?? 0
      }
    }
    #expect(rows == [0, 0, 0])
    #expect(try store.savedLists.judge(at: noon) == false)
  }

  @Test func messagesLeaveAndEnterByTime() throws {
    let clock = Clock(noon)
    let (store, source) = try Store.following()
    store.searchTimes { (clock.now, .gmt) }
    try store.poll(source, [message("new", at: noon - 60), message("old", at: noon - 80_000)])
    try store.savedLists.apply(lists: [list("Day", "newer:1d"), list("Later", "older:1d")])
    try store.countLists()
    #expect(try unread(store) == [2, 0])
    var next = try store.time.advance(to: noon)
    #expect(next?.milliseconds == (noon + 6400).milliseconds + 1)
    clock.now = noon + 6401
    next = try store.time.advance(to: clock.now)
    #expect(try unread(store) == [1, 1])
    #expect(next?.milliseconds == (noon + 86_340).milliseconds + 1)
    clock.now = noon + 90_000
    #expect(try store.time.advance(to: clock.now) == nil)
    #expect(try unread(store) == [0, 2])
    // The clock is set back.
    clock.now = noon + 6401
    try store.time.advance(to: clock.now)
    try store.countLists(at: clock.now)
    #expect(try unread(store) == [1, 1])
  }

  @Test func theDotOfAListIsThatOfItsMessages() throws {
    let (store, source) = try Store.following()
    try store.savedLists.apply(lists: [
      list("Ones", "title:1"), list("Twos", "title:2"), list("News", "is:new"),
    ])
    try store.countLists()
    try store.poll(source, [message("1", "1"), message("2", "2")])
    #expect(try store.savedLists.all().map(\.isUnseen) == [true, true, true])
    // Viewing a list does not clear the dot of a list that was not viewed.
    try store.acts.markSeen(.list(store.savedLists.all()[2].id))
    #expect(try unread(store) == [1, 1, 2])
    try store.acts.markSeen(.list(store.savedLists.all()[0].id))
    #expect(try store.savedLists.all().map(\.isUnseen) == [false, true, true])
    #expect(try unread(store) == [1, 1, 1])
    #expect(try store.status(source).isUnseen)
    try store.acts.markSeen(.source(source))
    #expect(try store.savedLists.all().map(\.isUnseen) == [false, false, false])
    #expect(try unread(store) == [1, 1, 0])
    try store.expectConsistent()
  }

  @Test func aCopyThatNobodyHasLookedAtMakesItsMessageNew() throws {
    let store = try Store.fresh()
    let ids = try store.follow(configured("a"), configured("b"))
    try store.pollNothing(ids[0], ids[1])
    var same = message("1")
    same.url = "https://example.org/1"
    try store.poll(ids[0], [same])
    try store.acts.markSeen(.all)
    try store.savedLists.apply(lists: [list("News", "is:new")])
    same.remoteID = RemoteID("2")
    try store.poll(ids[1], [same])
    try store.acts.perform(.read([store.id("1", of: ids[0])]), at: noon)
    try store.acts.perform(.unread([store.id("1", of: ids[0])]), at: noon)
    try store.countLists()
    for scope in [InboxQuery.Scope.source(ids[1]), .all] {
      try store.acts.markSeen(scope)
      let status = try #require(store.savedLists.all().first)
      #expect(
        try status.unread == store.lists.keys(InboxQuery(scope: .list(status.id)), limit: 10).count,
        "\(scope)")
    }
  }

  @Test func muchIsJudgedASliceAtATime() throws {
    let (store, source) = try Store.following()
    try store.savedLists.apply(lists: [list("Even", "title:even")])
    try store.countLists()
    let count = 3 * SavedLists.most
    try store.poll(source, (1...count).map { message("\($0)", $0 % 2 == 0 ? "even" : "odd") })
    #expect(try store.savedLists.all()[0].unread == SavedLists.most / 2, "one slice with the transaction")
    #expect(try store.savedLists.judge(at: noon))
    #expect(try store.savedLists.judge(at: noon) == false)
    #expect(try unread(store) == [count / 2])
    // Read messages are no longer counted, even if there are many.
    try store.acts.perform(.readAll(InboxQuery(scope: .source(source))), at: noon)
    #expect(try unread(store) == [0])
    _ = try store.acts.undo(at: noon)
    try store.countLists()
    #expect(try unread(store) == [count / 2])
    try store.expectConsistent()
  }

  @Test func aCountThatWasCutOffGoesOn() throws {
    let directory = try Directory()
    var store = try Store(path: directory.database, now: noon)
    let source = try store.follow(configured("news"))[0]
    try store.pollNothing(source)
    try store.poll(source, messages(1...(2 * SavedLists.most)))
    try store.savedLists.apply(lists: [list("All", "")])
    #expect(try store.savedLists.judge(at: noon))
    try store.close()
    store = try Store(path: directory.database, now: noon)
    #expect(try unread(store) == [nil])
    try store.savedLists.apply(lists: [list("All", "")])
    try store.countLists()
    #expect(try unread(store) == [2 * SavedLists.most])
  }

  // MARK: - The law

  /// Sources with the same messages, so that there may be duplicates.
  @Test(arguments: Array(1...10) + [68, 104])
  func whateverHappensTheCountsAreWhatTheEvaluatorSays(seed: Int) throws {
    var trial = try Trial(seed: seed)
    for step in 0..<90 {
      let done = try trial.step()
      try trial.store.time.advance(to: trial.clock.now)
      try trial.store.countLists(at: trial.clock.now)
      let comment: Comment = "seed \(seed), step \(step), \(done)"
      for status in try trial.store.savedLists.all() {
        let expected = try trial.expected(status)
        #expect(status.unread == expected.unread, "\(comment) \(status.list.query ?? "")")
        #expect(status.isUnseen == expected.isUnseen, "\(comment) \(status.list.query ?? "")")
        if status.unread != expected.unread { return }
      }
      if step % 15 == 14 { try trial.store.expectConsistent(comment) }
    }
  }

  final class Clock: Sendable {
    private let time: Mutex<Date>
    init(_ now: Date) { time = Mutex(now) }
    var now: Date {
      get { time.withLock(\.self) }
      set { time.withLock { $0 = newValue } }
    }
  }

  struct Trial {
    let directory: Directory
    var store: Store
    let clock: Clock
    let zone: ZoneClock
    var random: RandomQueries
    /// Whether messages of several sources may be the same one.
    let hasCopies: Bool
    var number = 0
    var settings: [ConfiguredSource] = []
    var lists: [SavedList] = []

    init(seed: Int) throws {
      random = RandomQueries(seed: seed)
      zone = RandomQueries.zones[seed % RandomQueries.zones.count]
      hasCopies = seed % 2 == 0
      clock = Clock(random.instant(zone).addingTimeInterval(400 * 86_400))
      directory = try Directory()
      store = try Store(path: directory.database, now: clock.now)
      try open()
      let joins = hasCopies
      settings = ["ci", "Build server", "東京"].map { name in
        configured(name) {
          $0.settings.joinsOthers = joins
          $0.channels = ["general", "ci"]
        }
      }
      try store.sources.register(settings, at: clock.now)
      for source in try store.sources.registered().sources(of: settings) { try poll(source.id, []) }
      for _ in 0..<4 { lists.append(list()) }
      try store.savedLists.apply(lists: lists)
    }

    mutating func open() throws {
      let (clock, zone) = (clock, zone)
      store = try Store(path: directory.database, now: clock.now)
      store.searchTimes { (clock.now, zone) }
      // Rules hide some messages, change others, and change tags and priorities.
      if number % 3 == 0 { store.judgeArrivals(with: RandomJudging(seed: number)) }
    }

    mutating func list() -> SavedList {
      number += 1
      let query: Query
      switch number % 4 {
      case 0: query = .all(of: [random.query(depth: 1), .test(.newer([random.span()]))])
      case 1: query = .any(of: [.test(.state([.new])), random.query(depth: 2)])
      case 2: query = .not(random.query(depth: 2))
      default: query = random.query()
      }
      return SavedList(name: "list \(number)", query: query.text)
    }

    private func poll(_ source: SourceID, _ messages: [IncomingMessage]) throws {
      try store.poll(source, messages, at: clock.now)
    }

    /// - Returns: a description of the step.
    mutating func step() throws -> String {
      let ids = try ids()
      let now = clock.now
      func picked(_ random: inout RandomQueries) -> [MessageID] {
        ids.filter { _ in random.chance(1, in: 6) }
      }
      switch Int.random(in: 0..<20, using: &random.random) {
      case 0...4:
        guard let source = try store.sources.statuses().map(\.source).randomElement(using: &random.random)
        else {
          return "nothing"
        }
        var sent: [IncomingMessage] = []
        for _ in 0..<Int.random(in: 1...6, using: &random.random) {
          var message = random.message(Int.random(in: 0..<25, using: &random.random), zone, now: clock.now)
          if random.chance(1, in: 2) {
            message.published = clock.now - random.one(of: [0.0, 3000, 90_000])
          }
          if hasCopies { message.url = "https://example.org/\(message.remoteID.text)" }
          sent.append(message)
        }
        try poll(source.id, sent)
        return "poll"
      case 5: return try act(.read(picked(&random)))
      case 6: return try act(.unread(picked(&random)))
      case 7: return try act(.star(picked(&random)))
      case 8: return try act(.dismiss(picked(&random)))
      case 9: return try act(.undismiss(picked(&random)))
      case 10: return try act(.snooze(picked(&random), until: now + random.one(of: [60, 4000, 100_000])))
      case 11:
        var query = InboxQuery()
        if let list = try store.savedLists.all().randomElement(using: &random.random), random.chance(1, in: 2)
        {
          query.scope = .list(list.id)
        }
        return try act(.readAll(query))
      case 12, 13:
        return "undo \(String(describing: try store.acts.undo(at: now)?.kind))"
      case 14:
        var scope = InboxQuery.Scope.all
        if let list = try store.savedLists.all().randomElement(using: &random.random), random.chance(1, in: 2)
        {
          scope = .list(list.id)
        }
        try store.acts.markSeen(scope)
        return "seen \(scope)"
      case 15, 16:
        clock.now = now + random.one(of: [1, 60, 3600, 40_000, 86_400, 900_000, -3600, -90_000])
        return "time"
      case 17:
        try store.close()
        try open()
        return "restart"
      case 18:
        if lists.count > 1, random.chance(1, in: 2) { lists.remove(at: 0) }
        if lists.count < 6 { lists.append(list()) }
        if random.chance(1, in: 3) { lists[0].name += "x" }
        try store.savedLists.apply(lists: lists)
        return "lists"
      default:
        var some = settings
        if random.chance(1, in: 2) { some.removeLast() }
        some[0].channels = random.chance(1, in: 2) ? ["general"] : ["general", "ci", "CI"]
        some[0].title = random.chance(1, in: 2) ? nil : random.one(of: ["ünï", "dev"])
        try store.sources.register(some, at: now)
        return "sources"
      }
    }

    private func act(_ act: UserAct) throws -> String {
      try store.acts.perform(act, at: clock.now)
      return "\(act)".prefix(40).description
    }

    private func ids() throws -> [MessageID] {
      try store.read { db in
        var ids: [MessageID] = []
        let query = try db.prepared(
          """
          SELECT t.message_id FROM status t JOIN source s ON s.id = t.source_id WHERE s.position IS NOT NULL ORDER BY t.message_id
          """)
        try query.forEach { ids.append(MessageID(query.int(0))) }
        return ids
      }
    }

    /// Returns the result of a search and, if messages are not joined, the evaluator's result for each message.
    func expected(_ status: SavedListStatus) throws -> (unread: Int, isUnseen: Bool) {
      let found = try store.lists.keys(
        InboxQuery(scope: .list(status.id), isUnreadOnly: true), limit: 100_000)
      let isUnseen = try store.read { db in
        try found.contains {
          try db.integer(
            "SELECT 1 FROM status WHERE message_id = ? AND is_unseen AND NOT is_read", $0.id.rawValue) == 1
        }
      }
      guard !hasCopies, case .success(let query) = Query.parse(status.list.query ?? "", .strict) else {
        return (found.count, isUnseen)
      }
      let tokenizer = try store.read { try SearchTokenizer($0) }
      let matcher = QueryMatcher(query, tokenizer: tokenizer, now: clock.now, zone: zone)
      let count = try ids().count { id in
        let message = try #require(try store.messages.find(id))
        let (_, facts) = try QueryPagesTests.Shelf.facts(of: message, store)
        return facts.states.rawValue != .max && facts.states.contains(.unread) && matcher.shows(facts)
      }
      #expect(count == found.count, "\(query)")
      return (count, isUnseen)
    }
  }
}

extension Store {
  /// Judges the lists, as the inbox does in the background.
  func countLists(at now: Date = noon) throws {
    while try savedLists.judge(at: now) {}
  }
}
