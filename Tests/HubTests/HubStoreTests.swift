import Foundation
import Hub
import Synchronization
import TestBasics
import Testing

extension HubStoring {
  /// Publishes the items of the JSON.
  func publish(
    _ json: String, at now: Date = HubPremises.start, idempotency: PublishOrder.Idempotency? = nil,
    token: Int? = nil, to feed: FeedName = HubPremises.ops
  ) async throws -> PublishAnswer {
    let reading = try PublicationReader(now: now).json(Data(json.utf8))
    return try await publish(
      PublishOrder(
        feed: feed, publications: reading.publications, token: token, idempotency: idempotency), now: now)
  }

  func one(_ json: String, at now: Date = HubPremises.start) async throws -> PublishResult {
    try #require(try await publish(json, at: now).results.first)
  }

  func page(since: Int64 = 0, limit: Int = 100, at now: Date = HubPremises.start) async throws -> HubPage {
    try await page(of: HubPremises.ops, since: since, limit: limit, now: now)
  }
}

/// Properties of every store.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct HubStoreTests {
  private let start = HubPremises.start

  @Test(arguments: StoreKind.allCases) func itemsAreInTheOrderOfTheirChanges(_ kind: StoreKind) async throws {
    let premises = try HubPremises(kind)
    let hub = try premises.hub()
    #expect(try await hub.one(#"{"title": "A", "key": "a"}"#).id == 1)
    let several = try await hub.publish(#"[{"title": "B"}, {"title": "C", "key": "c"}, {"title": "B"}]"#)
    #expect(several.results.map(\.id) == [2, 3, 4])
    #expect(several.results.map(\.key) == ["#2", "c", "#4"])
    let changed = try await hub.one(#"{"title": "A2", "key": "a"}"#)
    #expect(changed.id == 5 && changed.state == .updated)
    let page = try await hub.page()
    #expect(page.items.map { $0.prefix(8) } == ["{\"id\":2,", "{\"id\":3,", "{\"id\":4,", "{\"id\":5,"])
    #expect(page.lastID == 5 && !page.hasMore)
    #expect(page.items[3].contains(#""key":"a","title":"A2""#))
    // A reader between the two gets the change there.
    let later = try await hub.page(since: 3, limit: 1)
    #expect(later.items.count == 1 && later.hasMore && later.items[0].hasPrefix("{\"id\":4,"))
  }

  @Test(arguments: StoreKind.allCases) func theSameAgainChangesNothing(_ kind: StoreKind) async throws {
    let premises = try HubPremises(kind)
    let hub = try premises.hub()
    let first = try await hub.one(#"{"title": "A", "key": "a", "expires": "2026-01-01T00:00:00Z"}"#)
    let again = try await hub.one(
      #"{"title": "A", "key": "a", "expires": "2026-01-01T00:00:00Z"}"#, at: start.addingTimeInterval(60))
    #expect(again.state == .unchanged && again.id == first.id)
    // A span changes the end.
    _ = try await hub.one(#"{"title": "A", "key": "a", "expires": "2h"}"#)
    let moved = try await hub.one(
      #"{"title": "A", "key": "a", "expires": "2h"}"#, at: start.addingTimeInterval(60))
    #expect(moved.state == .updated && moved.id == 3)
  }

  @Test(arguments: StoreKind.allCases) func anEditKeepsItsTimeAndNewsHasAnother(_ kind: StoreKind)
    async throws
  {
    let premises = try HubPremises(kind)
    let hub = try premises.hub()
    _ = try await hub.one(#"{"title": "A", "key": "a"}"#)
    let later = start.addingTimeInterval(60)
    _ = try await hub.one(#"{"title": "B", "key": "a"}"#, at: later)
    #expect(try await hub.page().items[0].contains("\"time\":\"2025-11-26T23:33:20Z\""))
    _ = try await hub.one(#"{"title": "C", "key": "a", "news": true}"#, at: later)
    #expect(try await hub.page().items[0].contains("\"time\":\"2025-11-26T23:34:20Z\""))
  }

  @Test(arguments: StoreKind.allCases) func aRepeatedRequestHasTheFirstAnswer(_ kind: StoreKind) async throws
  {
    let premises = try HubPremises(kind)
    let hub = try premises.hub()
    let key = PublishOrder.Idempotency(key: "1", hash: [1])
    let first = try await hub.publish(#"{"title": "A"}"#, idempotency: key, token: 3)
    let again = try await hub.publish(#"{"title": "A"}"#, idempotency: key, token: 3)
    #expect(again.isReplayed && again.results == first.results)
    await #expect(throws: HubFailure.idempotencyMismatch) {
      try await hub.publish(
        #"{"title": "B"}"#, idempotency: PublishOrder.Idempotency(key: "1", hash: [2]), token: 3)
    }
    // The same key of another token is a different key; after 96 hours it is forgotten.
    #expect(try await hub.publish(#"{"title": "A"}"#, idempotency: key, token: 4).results[0].id == 2)
    let later = start.addingTimeInterval(96 * 3600 + 1)
    #expect(try await !hub.publish(#"{"title": "A"}"#, at: later, idempotency: key, token: 3).isReplayed)
  }

  @Test(arguments: StoreKind.allCases) func aScheduledItemAppearsOnceAndNotEarlier(_ kind: StoreKind)
    async throws
  {
    let premises = try HubPremises(kind)
    let hub = try premises.hub()
    let result = try await hub.one(#"{"title": "A", "key": "a", "not_before": "2h"}"#)
    #expect(result.state == .scheduled && result.id == nil && result.due == start.addingTimeInterval(7200))
    _ = try await hub.one(#"{"title": "B", "not_before": "1h"}"#)
    _ = try await hub.advance(now: start.addingTimeInterval(3599.9))
    #expect(try await hub.page().items == [])
    let due = start.addingTimeInterval(7200)
    _ = try await hub.advance(now: due)
    _ = try await hub.advance(now: due)
    let page = try await hub.page(at: due)
    #expect(page.items.count == 2 && page.items[0].contains("\"#1\"") && page.items[1].contains("\"a\""))
  }

  @Test(arguments: StoreKind.allCases) func aScheduledItemIsReplacedOrWithdrawn(_ kind: StoreKind)
    async throws
  {
    let premises = try HubPremises(kind)
    let hub = try premises.hub()
    _ = try await hub.one(#"{"title": "A", "key": "a", "not_before": "2h"}"#)
    _ = try await hub.one(#"{"title": "Now", "key": "a"}"#)
    _ = try await hub.one(#"{"title": "B", "key": "b", "not_before": "2h"}"#)
    let withdrawn = try await hub.withdraw("b", from: HubPremises.ops, token: nil, address: nil, now: start)
    #expect(withdrawn.state == .withdrawn && withdrawn.id == nil)
    _ = try await hub.advance(now: start.addingTimeInterval(7200))
    #expect(try await hub.page().items.count == 1)
  }

  @Test(arguments: StoreKind.allCases) func onlyWhoMayHaveItLearnsOfAnEnd(_ kind: StoreKind) async throws {
    let premises = try HubPremises(kind)
    let hub = try premises.hub()
    _ = try await hub.one(#"{"title": "A", "key": "a"}"#)
    _ = try await hub.one(#"{"title": "B", "expires": "1h"}"#)
    let withdrawn = try await hub.withdraw("a", from: HubPremises.ops, token: nil, address: nil, now: start)
    #expect(withdrawn.id == 3)
    let reader = try await hub.page(since: 1)
    #expect(reader.items.count == 2 && reader.items[1].contains("\"expires\":\"2025-11-26T23:33:20Z\""))
    // A reader who has none of it, and one who comes late.
    _ = try await hub.one(#"{"title": "C", "key": "c"}"#)
    _ = try await hub.withdraw("c", from: HubPremises.ops, token: nil, address: nil, now: start)
    #expect(try await hub.page(since: 3).items == [])
    #expect(try await hub.page(since: 3).lastID == 5)
    #expect(try await hub.page(at: start.addingTimeInterval(3600)).items == [])
    await #expect(throws: HubFailure.notFound) {
      try await hub.withdraw("a", from: HubPremises.ops, token: nil, address: nil, now: start)
    }
    // An item that is published again exists again.
    #expect(try await hub.one(#"{"title": "A", "key": "a"}"#).state == .updated)
  }

  @Test(arguments: StoreKind.allCases) func theSweepKeepsWhatReadersMustLearn(_ kind: StoreKind) async throws
  {
    let premises = try HubPremises(kind)
    let hub = try premises.hub()
    _ = try await hub.one(#"{"title": "Never changed", "expires": "1h"}"#)
    _ = try await hub.one(#"{"title": "A", "key": "a"}"#)
    _ = try await hub.withdraw("a", from: HubPremises.ops, token: nil, address: nil, now: start)
    _ = try await hub.one(#"{"title": "The last one", "expires": "1h"}"#)
    let later = start.addingTimeInterval(3600)
    #expect(try await hub.sweep(now: later) == SweepCounts(ended: 2, deleted: 1))
    #expect(try premises.open().feeds()[0].items == 2)
    // The greatest id is kept: a smaller one would be a new beginning for readers.
    #expect(try await hub.page(at: later).lastID == 4)
    #expect(try await hub.sweep(now: start.addingTimeInterval(91 * 86_400)).deleted == 1)
    #expect(try await hub.feeds()[0].lastID == 4)
  }

  /// An item without an end does not stay for ever, unless its feed allows it.
  @Test(arguments: StoreKind.allCases) func anItemWithoutAnEndHasThatOfItsFeed(_ kind: StoreKind) async throws
  {
    let premises = try HubPremises(kind)
    let hub = try premises.hub()
    func day(_ number: Double) -> Date { start.addingTimeInterval(number * 86_400) }
    func titles(_ since: Int64 = 0, at now: Date) async throws -> [String] {
      try await hub.page(since: since, at: now).items.compactMap { item in
        ["Old", "Changed", "With an end", "Last"].first { item.contains("\"\($0)\"") }
      }
    }
    _ = try await hub.one(#"{"title": "Old", "key": "old"}"#)
    _ = try await hub.one(#"{"title": "Once", "key": "changed"}"#)
    _ = try await hub.one(#"{"title": "With an end", "expires": "60d"}"#)
    _ = try await hub.one(#"{"title": "Changed", "key": "changed"}"#, at: day(10))
    _ = try await hub.one(#"{"title": "Last"}"#, at: day(10))
    #expect(try await hub.sweep(now: day(29.9)) == SweepCounts(ended: 0, deleted: 0))
    #expect(try await hub.sweep(now: day(30)) == SweepCounts(ended: 1, deleted: 1))
    #expect(try await titles(at: day(30)) == ["With an end", "Changed", "Last"])
    // Its days begin with the last change, and a reader who was away still gets it.
    #expect(try await hub.sweep(now: day(40)) == SweepCounts(ended: 2, deleted: 0))
    #expect(try await titles(at: day(40)) == ["With an end"])
    #expect(try await titles(2, at: day(40)) == ["With an end", "Changed"])
    // A publisher who repeats it restores it.
    let again = try await hub.one(#"{"title": "Changed", "key": "changed"}"#, at: day(41))
    #expect(again.state == .updated)
    #expect(try await titles(at: day(41)) == ["With an end", "Changed"])
    try premises.open().change(feed: HubPremises.ops, expiresDays: nil)
    #expect(try premises.open().feeds()[0].expiresDays == nil)
    _ = try await hub.sweep(now: day(4000))
    #expect(try await titles(at: day(4000)) == ["Changed"])
    let other = try #require(FeedName("other"))
    #expect(throws: HubStoreFailure.missing(feed: other)) {
      try premises.open().change(feed: other, expiresDays: 1)
    }
  }

  @Test(arguments: StoreKind.allCases) func manyAtOnceAreStoredOnceEachInTheirOrder(_ kind: StoreKind)
    async throws
  {
    let premises = try HubPremises(kind)
    let hub = try premises.hub()
    let ids = try await withThrowingTaskGroup(of: [Int64].self) { group in
      for publisher in 0..<8 {
        group.addTask {
          var ids: [Int64] = []
          for number in 0..<40 {
            if let id = try await hub.one("{\"title\": \"\(publisher)/\(number)\"}").id { ids.append(id) }
          }
          return ids
        }
      }
      return try await group.reduce(into: [Int64]()) { all, some in
        // For each publisher, its own ids increase.
        #expect(some == some.sorted() && some.count == 40)
        all += some
      }
    }
    #expect(ids.sorted() == Array(1...320))
    #expect(try await hub.page(limit: 1000).items.count == 320)
  }

  @Test(arguments: StoreKind.allCases) func aRequestThatTheDatabaseRefusesFailsAlone(_ kind: StoreKind)
    async throws
  {
    let premises = try HubPremises(kind)
    let hub = try premises.hub()
    try await premises.refuse("bad")
    let outcomes = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<20 {
        group.addTask {
          (try? await hub.one("[{\"title\": \"good\"}, {\"title\": \"\(number == 7 ? "bad" : "good")\"}]"))
            != nil
        }
      }
      return await group.reduce(into: [Bool]()) { $0.append($1) }
    }
    #expect(outcomes.count { $0 } == 19)
    #expect(try await hub.page(limit: 1000).items.count == 38)
  }

  @Test(arguments: StoreKind.allCases) func observersHearOfNewIdsBeforeThePublisher(_ kind: StoreKind)
    async throws
  {
    let premises = try HubPremises(kind)
    let hub = try premises.hub()
    let heard = Heard()
    hub.observe { heard.add($0) }
    _ = try await hub.one(#"{"title": "A", "key": "a"}"#)
    #expect(heard.last == 1)
    _ = try await hub.one(#"{"title": "A", "key": "a"}"#)
    #expect(heard.count == 1)
  }

  @Test(arguments: StoreKind.allCases) func anotherProcessIsNoticed(_ kind: StoreKind) async throws {
    let premises = try HubPremises(kind)
    let hub = try premises.hub()
    while try await hub.advance(now: start) {}
    _ = try await hub.one(#"{"title": "A"}"#)
    // The store's own writes are nothing new. The listener of a database may just have begun, which is.
    if kind == .file { #expect(try await !hub.advance(now: start)) }
    let text = try premises.open().addToken(
      "a", reads: [HubPremises.ops], publishes: [], expires: nil, now: start)
    while try await !hub.advance(now: start) {}
    let token = try #require(HubToken(text))
    let access = try #require(try await hub.access(token: token.number))
    #expect(token.matches(access.hash) && access.reads == [HubPremises.ops] && access.publishes == [])
    for name in ["hub.db", "hub.db-wal"] {
      guard let folder = premises.folder else { break }
      let bytes = try Data(contentsOf: URL(filePath: "\(folder.path)/\(name)"))
      #expect(bytes.range(of: Data(text.utf8)) == nil, "\(name) has the token")
    }
  }

  @Test(arguments: StoreKind.allCases) func aMissingFeedIsNotFound(_ kind: StoreKind) async throws {
    let premises = try HubPremises(kind)
    let hub = try premises.hub()
    let other = try #require(FeedName("other"))
    await #expect(throws: HubFailure.notFound) { try await hub.publish(#"{"title": "A"}"#, to: other) }
    await #expect(throws: HubFailure.notFound) {
      try await hub.page(of: other, since: 0, limit: 1, now: start)
    }
  }
}

/// The ids that an observer received.
private final class Heard: Sendable {
  private let all = Mutex<[[FeedName: Int64]]>([])

  func add(_ ids: [FeedName: Int64]) { all.withLock { $0.append(ids) } }
  var count: Int { all.withLock { $0.count } }
  var last: Int64? { all.withLock { $0.last?[HubPremises.ops] } }
}
