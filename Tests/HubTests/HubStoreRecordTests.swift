import Basics
import Foundation
import Hub
import PostgreSQL
import PostgreSQLStandIn
import TestBasics
import Testing

/// Every store's data on its items for feed readers, administrators and monitors, the order of deliveries of webhooks,
/// and the changes of commands.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct HubStoreRecordTests {
  private let start = HubPremises.start

  // MARK: Deliveries

  private func deliver(
    _ hub: any HubStoring, _ json: String, _ succession: Publication.Succession = .newest, id: String? = nil
  ) async throws -> PublishResult {
    var publication = Publication(key: "k", body: json, expires: nil)
    publication.succession = succession
    let idempotency = id.map { PublishOrder.Idempotency(key: $0, hash: publication.hash) }
    let order = PublishOrder(
      feed: HubPremises.ops, publications: [publication], token: -4, idempotency: idempotency)
    return try #require(try await hub.publish(order, now: start).results.first)
  }

  @Test(arguments: StoreKind.allCases)
  func ofDeliveriesTheLatestStaysInAnyOrder(_ kind: StoreKind) async throws {
    let premises = try HubPremises(kind)
    let hub = try premises.hub()
    let fires = #"{"title":"Disk","time":"2026-11-20T09:00:00Z"}"#
    #expect(try await deliver(hub, fires).state == .stored)
    #expect(try await deliver(hub, fires).state == .unchanged)
    #expect(try await deliver(hub, #"{"title":"Older","time":"2026-11-20T08:00:00Z"}"#).state == .unchanged)
    let again = #"{"title":"Again","time":"2026-11-20T10:00:00Z"}"#
    #expect(try await deliver(hub, again).state == .updated)
    #expect(try await hub.page().items.first?.contains(#""news":true"#) == true)
    // The delivery is compared, not its result.
    #expect(try await deliver(hub, again).id == 2)
    #expect(
      try await deliver(hub, #"{"title":"Over","time":"2026-11-20T10:00:00Z","done":true}"#).state == .updated
    )
    #expect(try await deliver(hub, again).state == .unchanged)
    #expect(try await hub.page().items.first?.contains(#""title":"Over""#) == true)
  }

  @Test(arguments: StoreKind.allCases)
  func aSuccessIsStoredOnlyAfterAFailure(_ kind: StoreKind) async throws {
    let premises = try HubPremises(kind)
    let hub = try premises.hub()
    let success = #"{"title":"Good","time":"2026-11-20T09:00:00Z","done":true}"#
    let none = try await deliver(hub, success, .end)
    #expect(none.id == nil && none.key == "k" && none.state == .unchanged)
    #expect(try await deliver(hub, #"{"title":"Bad","time":"2026-11-20T08:00:00Z"}"#).id == 1)
    #expect(try await deliver(hub, success, .end).state == .updated)
    #expect(
      try await deliver(hub, #"{"title":"Better","time":"2026-11-20T10:00:00Z","done":true}"#, .end).state
        == .unchanged)
  }

  /// The webhook's number belongs to no token.
  @Test(arguments: StoreKind.allCases) func aWebhookHasReceiptsOfItsOwn(_ kind: StoreKind) async throws {
    let premises = try HubPremises(kind)
    let hub = try premises.hub()
    let first = try await deliver(hub, #"{"title":"A"}"#, id: "1")
    #expect(try await deliver(hub, #"{"title":"A"}"#, id: "1") == first)
    await #expect(throws: HubFailure.idempotencyMismatch) {
      try await deliver(hub, #"{"title":"B"}"#, id: "1")
    }
    let act = try #require(try await hub.audit(since: 0, limit: 100).last)
    #expect(act.token == -4 && act.tokenName == nil && act.feed == "ops")
  }

  @Test(arguments: StoreKind.allCases)
  func theSameAgainEndsWhatWasScheduledForItsKey(_ kind: StoreKind) async throws {
    let premises = try HubPremises(kind)
    let hub = try premises.hub()
    _ = try await hub.one(#"{"title": "A", "key": "a"}"#)
    _ = try await hub.one(#"{"title": "Later", "key": "a", "not_before": "1h"}"#)
    #expect(try await hub.scheduled(now: start).count == 1)
    #expect(try await hub.one(#"{"title": "A", "key": "a"}"#).state == .unchanged)
    #expect(try await hub.scheduled(now: start).count == 0)
  }

  // MARK: Records

  @Test(arguments: StoreKind.allCases) func theNewestAreThoseThatAreValid(_ kind: StoreKind) async throws {
    let premises = try HubPremises(kind)
    let hub = try premises.hub()
    #expect(try await hub.newest(of: HubPremises.ops, limit: 10, now: start) == [])
    for name in ["a", "b", "c"] { _ = try await hub.one("{\"title\": \"\(name)\", \"key\": \"\(name)\"}") }
    let later = start.addingTimeInterval(60)
    _ = try await hub.one(#"{"title": "a2", "key": "a"}"#, at: later)
    _ = try await hub.one(#"{"title": "d", "key": "d", "expires": "1h"}"#)
    _ = try await hub.withdraw("b", from: HubPremises.ops, token: nil, address: nil, now: later)
    let found = try await hub.newest(of: HubPremises.ops, limit: 10, now: later)
    #expect(found.map(\.key) == ["d", "a", "c"])
    #expect(found[1].published == start && found[1].changed == later)
    #expect(found[1].body.contains(#""title":"a2""#) && !found[1].body.contains(#""key""#))
    #expect(try await hub.newest(of: HubPremises.ops, limit: 2, now: later).map(\.key) == ["d", "a"])
    let end = start.addingTimeInterval(3600)
    #expect(try await hub.newest(of: HubPremises.ops, limit: 1, now: end).map(\.key) == ["a"])
    let none = try #require(FeedName("none"))
    await #expect(throws: HubFailure.notFound) { try await hub.newest(of: none, limit: 1, now: start) }
  }

  @Test(arguments: StoreKind.allCases) func theNewestAreOfOnePagesBytes(_ kind: StoreKind) async throws {
    let premises = try HubPremises(kind)
    let hub = try premises.hub()
    let text = String(repeating: "x", count: 60_000)
    for _ in 0..<8 {
      _ = try await hub.publish(
        "[\(Array(repeating: "{\"body\": \"\(text)\"}", count: 10).joined(separator: ","))]")
    }
    let found = try await hub.newest(of: HubPremises.ops, limit: 100, now: start)
    #expect(found.count == Limits.hubPageBytes / (found.first?.body.utf8.count ?? 1) && found[0].key == "#80")
  }

  @Test(arguments: StoreKind.allCases) func aStoreHasItsOwnId(_ kind: StoreKind) async throws {
    let (one, other) = (try HubPremises(kind), try HubPremises(kind))
    let uid = try await one.hub().uid()
    #expect(uid.wholeMatch(of: /[0-9a-f]{32}/) != nil)
    #expect(try await one.hub().uid() == uid)
    #expect(try await other.hub().uid() != uid)
  }

  @Test(arguments: StoreKind.allCases) func theAuditSaysWhoDidWhat(_ kind: StoreKind) async throws {
    let premises = try HubPremises(kind)
    let hub = try premises.hub()
    let first = try #require(try await hub.audit(since: 0, limit: 100).last?.id)
    let store = try premises.open()
    let text = try store.addToken(
      "desk", reads: [], publishes: [HubPremises.ops], expires: nil, now: start)
    let number = try #require(HubToken(text)).number
    let publications = try PublicationReader(now: start).json(Data(#"{"title": "A", "key": "é"}"#.utf8))
      .publications
    for address in ["192.0.2.1", "2001:db8::1", nil] {
      _ = try await hub.publish(
        PublishOrder(feed: HubPremises.ops, publications: publications, token: number, address: address),
        now: start)
    }
    _ = try await hub.withdraw("é", from: HubPremises.ops, token: nil, address: "2001:db8::1", now: start)
    _ = try store.remove(feed: HubPremises.ops)
    let acts = try await hub.audit(since: first, limit: 100)
    #expect(acts.map(\.act) == ["token added", "stored", "withdrawn", "feed removed"])
    #expect(acts.map(\.key) == ["desk", "é", "é", "ops"])
    #expect(acts.map(\.item) == [nil, 1, 2, nil] && acts.map(\.token) == [nil, number, nil, nil])
    #expect(acts.map(\.address) == [nil, "192.0.2.1", "2001:db8::1", nil])
    #expect(acts[1].tokenName == "desk" && acts[1].time == start && acts[1].feed == nil)
    #expect(try await hub.audit(since: acts[0].id, limit: 1) == [acts[1]])
    #expect(try await hub.audit(since: acts[3].id, limit: 1) == [])
  }

  @Test(arguments: StoreKind.allCases) func whatIsScheduledIsCounted(_ kind: StoreKind) async throws {
    let premises = try HubPremises(kind)
    let hub = try premises.hub()
    #expect(try await hub.scheduled(now: start) == ScheduledItems(count: 0, oldest: nil, now: start))
    _ = try await hub.one(#"{"title": "A", "not_before": "1h"}"#)
    _ = try await hub.one(#"{"title": "B", "not_before": "2h"}"#)
    let scheduled = try await hub.scheduled(now: start)
    #expect(scheduled.count == 2 && scheduled.overdueSeconds == 0)
    #expect(try await hub.scheduled(now: start.addingTimeInterval(3610)).overdueSeconds == 10)
  }

  @Test(arguments: StoreKind.allCases) func whatItDidIsCounted(_ kind: StoreKind) async throws {
    let premises = try HubPremises(kind)
    let hub = try premises.hub()
    #expect(hub.load.batches == 0 && hub.load.commitSeconds == 0)
    for _ in 0..<3 { _ = try await hub.one(#"{"title": "A"}"#) }
    #expect(hub.load.batches == 3 && hub.load.batchRequests == 3 && hub.load.queueItems == 0)
    #expect(hub.load.commitSeconds > 0)
  }

  @Test(arguments: StoreKind.allCases) func aTokenHasItsFlags(_ kind: StoreKind) async throws {
    let premises = try HubPremises(kind)
    let (hub, store) = (try premises.hub(), try premises.open())
    for (isLink, isAdmin) in [(false, false), (true, false), (false, true)] {
      let text = try store.addToken(
        "\(isLink) \(isAdmin)", reads: [HubPremises.ops], publishes: [], isLink: isLink, isAdmin: isAdmin,
        expires: nil, now: start)
      let token = try #require(HubToken(text))
      let access = try #require(try await hub.access(token: token.number))
      #expect(access.isLink == isLink && access.isAdmin == isAdmin && access.reads == [HubPremises.ops])
      #expect(try store.tokens().contains(access))
    }
  }

  // MARK: Commands

  @Test(arguments: StoreKind.allCases) func aFeedIsAddedListedAndRemoved(_ kind: StoreKind) async throws {
    let premises = try HubPremises(kind)
    let store = try premises.open()
    let hub = try store.hub()
    _ = try await hub.one(#"{"title": "A"}"#)
    #expect {
      try store.add(HubFeed(name: HubPremises.ops, title: ""))
    } throws: { ($0 as? HubStoreFailure) == .isThere(feed: HubPremises.ops) }
    #expect(try store.feeds() == [HubFeed(name: HubPremises.ops, title: "Ops", items: 1, lastID: 1)])
    let other = try #require(FeedName("other"))
    #expect(throws: HubStoreFailure.missing(feed: other)) { try store.remove(feed: other) }
    #expect(throws: HubStoreFailure.missing(feed: other)) {
      try store.addToken("a", reads: [other], publishes: [], expires: nil, now: start)
    }
    #expect(try store.tokens() == [])
    #expect(try store.remove(feed: HubPremises.ops) == 1)
    #expect(try store.feeds() == [])
    // A new feed of this name continues with the same order of ids.
    try store.add(HubFeed(name: HubPremises.ops, title: "Ops"))
    #expect(try await hub.one(#"{"title": "B"}"#).id == 2)
    #expect(try store.moveOn() == 1_000_002)
    #expect(try await hub.one(#"{"title": "C"}"#).id == 1_000_003)
  }

  @Test(arguments: StoreKind.allCases) func tokensAreListedAndRevoked(_ kind: StoreKind) throws {
    let premises = try HubPremises(kind)
    let store = try premises.open()
    let text = try store.addToken(
      "a", reads: [HubPremises.ops], publishes: [HubPremises.ops], expires: start.addingTimeInterval(60),
      now: start)
    let token = try #require(HubToken(text))
    let access = try #require(try store.tokens().first)
    #expect(token.matches(access.hash) && access.name == "a" && access.number == token.number)
    #expect(access.reads == [HubPremises.ops] && access.publishes == access.reads)
    #expect(access.made == start && access.expires == start.addingTimeInterval(60) && access.revoked == nil)
    #expect(throws: HubStoreFailure.isThere(token: "a")) {
      try store.addToken("a", reads: [], publishes: [], expires: nil, now: start)
    }
    try store.revokeToken("a", now: start)
    #expect(try store.tokens().first?.revoked == start)
    #expect(throws: HubStoreFailure.missing(token: "b")) { try store.revokeToken("b", now: start) }
    guard kind == .database else { return }
    let found = try premises.administrator()(
      "SELECT count(*) FROM token t WHERE t::text LIKE '%\(text.suffix(43))%'")
    #expect(found.first?.number(0) == 0, "the token's text is stored")
  }
}
