import Basics
import Foundation
import GRDB
import Messages
import Queries
import Synchronization
import TestBasics
import Testing

@testable import Storage

/// A poll whose messages are made while they are stored has the same result as one with all messages at once.
@Suite struct StreamTests {
  private final class Parts: MessageStream {
    private let parts: [[IncomingMessage]]
    private let stop: MessageStreamFailure?
    private let taken = Mutex(0)
    private let isEnded = Mutex(false)

    private let readings = Mutex(1)
    private let failure: FetchFailure?

    /// - Parameters:
    ///   - stop: thrown after the last part.
    ///   - failure: the failure of the whole poll.
    init(
      _ parts: [[IncomingMessage]], stop: MessageStreamFailure? = nil, failure: FetchFailure? = nil
    ) {
      self.parts = parts
      self.stop = stop
      self.failure = failure
    }

    func next() throws(MessageStreamFailure) -> [IncomingMessage]? {
      let place = taken.withLock { taken in
        defer { taken += 1 }
        return taken
      }
      if place < parts.count { return parts[place] }
      if let stop { throw stop }
      return nil
    }

    func restart() {
      taken.withLock { $0 = 0 }
      readings.withLock { $0 += 1 }
    }

    var readingCount: Int { readings.withLock { $0 } }
    var problems: [FormatProblem] { [FormatProblem(at: "7", message: "of a part")] }

    var hasEnded: Bool { isEnded.withLock { $0 } }
    func end() { isEnded.withLock { $0 = true } }

    func whole() throws(MessageStreamFailure) -> PollOutcome {
      if let failure { return .failed(failure, PollHints()) }
      return .content(PollContent(messages: parts.flatMap { $0 }, title: "whole"), PollHints())
    }
  }

  @discardableResult
  private func poll(
    _ store: Store, _ source: SourceID, _ stream: Parts, at now: Date = noon
  ) throws -> RecordedPoll {
    try store.poll(source, [], at: now) { $0.stream = stream }
  }

  /// Returns every row of every table, except for those about the course of the poll, and for facets, which are
  /// numbered in any order.
  private func rows(_ store: Store) throws -> [String] {
    try store.read { db in
      let tables = try String.fetchAll(
        db,
        sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'search%' ORDER BY name")
      return try tables.filter { !["attempt", "facet", "facet_name"].contains($0) }.flatMap { table in
        try Row.fetchAll(db, sql: "SELECT * FROM \(table)").map { "\(table) \($0)" }.sorted()
      }
    }
  }

  @Test func partsAreStoredAsOnePoll() throws {
    let (store, source) = try Store.following()
    let stream = Parts([messages(1...3), [], messages(4...9), messages(10...10)])
    let recorded = try poll(store, source, stream)
    #expect(recorded.new == 10)
    #expect(recorded.ids.count == 10)
    #expect(try store.snapshot().total == 10)
    #expect(try store.titles(search: "10") == ["Title 10"])
    #expect(
      try store.polls.attempts(of: source, limit: 1)[0].problems == [
        FormatProblem(at: "7", message: "of a part")
      ])
    #expect(stream.hasEnded)
    try store.expectConsistent()
  }

  @Test func theNewestTwentyOfAFirstPollAreFoundOverAllParts() throws {
    for order in [Array(1...60), Array((1...60).reversed()), [60] + Array(1...59)] {
      let store = try Store.fresh()
      let source = try store.follow(configured("news"))[0]
      let all = order.map { message("\($0)", at: noon + Double($0 - 60) * 60) }
      try poll(store, source, Parts([Array(all[..<7]), Array(all[7..<31]), Array(all[31...])]))
      let unread = try store.snapshot().rows.filter(\.isUnread).map(\.title)
      #expect(unread == (41...60).reversed().map { "Title \($0)" })
      #expect(try store.titles(search: "60").count == 1)
      try store.expectConsistent()
    }
  }

  /// If times are in any order, the newest ones are known late; that does not change the stored result.
  @Test func timesInAnyOrderAreStoredAsIfARuleHadBeenAsked() throws {
    func store(_ times: [Int], asksRules: Bool) throws -> Store {
      let store = try Store.fresh()
      if asksRules { store.judgeArrivals(with: try RuleTests.ByRules(("none", "title:nothing", [.star]))) }
      let source = try store.follow(configured("news"))[0]
      let all = times.enumerated().map { place, time in
        var new = message("\(place)", at: noon - Double(time) * 60)
        new.body = String(repeating: "word ", count: 100)
        if place % 50 == 0 { new.title = String(repeating: "long ", count: 500) }
        if place % 70 == 0 { new.visibleFrom = noon + 60 }
        return new
      }
      try poll(store, source, Parts([Array(all[..<700]), Array(all[700...])]))
      try store.expectConsistent()
      return store
    }
    let times = (0..<2000).map { $0 % 10 }
    let mixed = try store(times, asksRules: false)
    #expect(try rows(mixed) == rows(store(times, asksRules: true)))
    #expect(try mixed.snapshot().rows.filter(\.isUnread).count == 20)
  }

  @Test func anIdThatComesInTwoPartsIsReadAgain() throws {
    let (store, source) = try Store.following()
    var (old, new) = (message("1", "old"), message("1", "new"))
    (old.kind, new.kind) = (.native, .native)
    let stream = Parts([[old, message("2")], [new]])
    try poll(store, source, stream)
    #expect(try store.titles() == ["new", "Title 2"])
    // The stream is read up to the second part, to match all parts, and to store them.
    #expect(stream.readingCount == 3)
    #expect(try store.status(source).title != "whole")
    try store.expectConsistent()
  }

  @Test(arguments: [1, 3]) func aStreamThatEndsEarlyLeavesNoTrace(parts: Int) throws {
    let (store, source) = try Store.following(messages(1...5))
    let before = try rows(store)
    let stream = Parts((0..<parts).map { messages(10 * $0 + 3...10 * $0 + 9) }, stop: .ended)
    #expect(throws: StoreFailure.poll(.ended)) { try poll(store, source, stream) }
    #expect(try rows(store) == before)
    #expect(stream.hasEnded)
    #expect(try store.titles(search: "23") == [])
  }

  @Test func aStreamThatNeedsTheWholeIsTakenBackFirst() throws {
    let (store, source) = try Store.following()
    let recorded = try poll(store, source, Parts([messages(1...5)], stop: .needsWhole))
    #expect(recorded.new == 5)
    #expect(try store.snapshot().total == 5)
    try store.expectConsistent()
  }

  @Test func aWholeThatFailsIsAFailureInTheTimeline() throws {
    let (store, source) = try Store.following(messages(1...5))
    let before = try rows(store)
    let failure = FetchFailure.notAFeed(found: "JSON without a list", alternates: [])
    let recorded = try poll(store, source, Parts([messages(6...9)], stop: .needsWhole, failure: failure))
    #expect(recorded == RecordedPoll())
    #expect(try rows(store) == before)
    #expect(try store.polls.attempts(of: source, limit: 1).first?.result == .failed(failure))
  }

  /// A notice that comes again as a message no longer switches anything.
  @Test func messagesOfAStreamReplaceNotices() throws {
    let (store, source) = try Store.following()
    let notice = FeatureNotice(remoteID: RemoteID("3"), names: ["dark"], isEnabled: true)
    try store.poll(source, []) { $0.features = [notice] }
    #expect(try store.features.all(at: noon).map(\.name) == ["dark"])
    try poll(store, source, Parts([messages(1...5)]))
    #expect(try store.features.all(at: noon).isEmpty)
  }

  /// Random deliveries with repeated ids, changed and unchanged messages, and links that other sources have too.
  @Test(arguments: 0..<40) func randomDeliveriesLeaveTheSame(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let stores = try [Store.fresh(), Store.fresh()]
    let sources = try stores.map { try $0.follow(configured("a"), configured("b")) }
    for round in 0..<6 {
      let count = Int.random(in: 1...60, using: &random)
      let pool = Int.random(in: 0..<4, using: &random) == 0 ? 40 : 4000
      let delivery = (0..<count).map { _ in
        let number = Int.random(in: 0..<pool, using: &random)
        var message = message(
          "\(number)", "T \(number) \(Int.random(in: 0..<3, using: &random))",
          at: noon + Double(Int.random(in: 0..<500, using: &random)))
        if Bool.random(using: &random) { message.url = "https://example.org/\(number % 50)" }
        return message
      }
      var parts: [[IncomingMessage]] = []
      var rest = delivery[...]
      while !rest.isEmpty {
        let size = Int.random(in: 1...20, using: &random)
        parts.append(Array(rest.prefix(size)))
        rest = rest.dropFirst(size)
      }
      let which = Int.random(in: 0..<2, using: &random)
      let now = noon + 1000 + Double(round) * 60
      let whole = try stores[0].poll(sources[0][which], delivery, at: now)
      let streamed = try poll(stores[1], sources[1][which], Parts(parts), at: now)
      #expect(
        whole.new == streamed.new && whole.updated == streamed.updated && whole.copies == streamed.copies)
      #expect(whole.ids == streamed.ids)
    }
    let left = try stores.map { Set(try rows($0).filter { !$0.hasPrefix("polling") }) }
    #expect(left[0].symmetricDifference(left[1]).sorted() == [])
    for store in stores { try store.expectConsistent() }
  }
}
