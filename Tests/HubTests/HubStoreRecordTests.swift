import Basics
import Foundation
import Hub
import TestBasics
import Testing

/// What every store says of its items to feed readers, administrators and monitors, and how deliveries of webhooks follow each
/// other in it.
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
    // What was sent is compared, not what became of it.
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

  /// Its number belongs to no token.
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
}
