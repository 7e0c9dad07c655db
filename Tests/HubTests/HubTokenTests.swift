import Foundation
import Hub
import StandIns
import TestBasics
import Testing

/// The life of tokens after they were made.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct HubTokenTests {
  private static let second: FeedName = {
    guard let name = FeedName("second") else { preconditionFailure("second is a name") }
    return name
  }()

  private func refusal(_ body: () throws -> Void) -> String {
    do { try body() } catch { return (error as? HubStoreFailure)?.description ?? "\(error)" }
    return ""
  }

  @Test(arguments: StoreKind.allCases) func aRevokedNameCanBeUsedAgain(_ kind: StoreKind) async throws {
    try await RunningHub.with(try HubPremises(kind)) { hub in
      let store = try hub.premises.open()
      let bearer = { (token: String) in ["Authorization: Bearer \(token)"] }
      #expect(refusal { _ = try store.addToken("desk", now: Date()) } == "a token named desk already exists")
      try store.revokeToken("desk", now: Date())
      let new = try store.addToken("desk", reads: [HubPremises.ops], now: Date())
      #expect(try await hub.client.answer("GET", "/v1/feeds/ops", bearer(new)).status == 200)
      #expect(try await hub.client.answer("GET", "/v1/feeds/ops", bearer(hub.reader)).status == 401)
      let old = try #require(HubToken(hub.reader)).number
      let names = try store.tokens().filter { $0.name.hasPrefix("desk") }.map { ($0.name, $0.revoked != nil) }
      #expect(names.map(\.0) == ["desk", "desk (\(old))"] && names.map(\.1) == [false, true])
      // The name is used once more: its token is revoked, but not the other one.
      try store.revokeToken("desk", now: Date())
      _ = try store.addToken("desk", reads: [HubPremises.ops], now: Date())
      #expect(
        try store.tokens().filter { $0.name.hasPrefix("desk") && $0.revoked == nil }.map(\.name) == ["desk"])
    }
  }

  @Test(arguments: StoreKind.allCases) func theRightsOfATokenChange(_ kind: StoreKind) async throws {
    try await RunningHub.with(try HubPremises(kind)) { hub in
      let store = try hub.premises.open()
      try store.add(HubFeed(name: Self.second, title: "Second"))
      let token = try store.addToken(
        "ann", reads: [HubPremises.ops], publishes: [HubPremises.ops], now: Date())
      var changed = try store.changeToken(
        "ann", reads: [HubPremises.ops, Self.second], publishes: nil, now: Date())
      #expect(changed.reads == [HubPremises.ops, Self.second] && changed.publishes == [HubPremises.ops])
      changed = try store.changeToken("ann", reads: nil, publishes: [], now: Date())
      let stored = try #require(try store.tokens().first { $0.name == "ann" })
      #expect(stored.reads == changed.reads && stored.publishes.isEmpty && changed.publishes.isEmpty)
      // The text of the token is the same.
      let bearer = ["Authorization: Bearer \(token)"]
      #expect(try await hub.client.answer("POST", "/v1/feeds/ops", bearer, body: "x").status == 404)
      #expect(try await hub.client.answer("GET", "/v1/feeds/ops", bearer).status == 200)
      let none = try #require(FeedName("none"))
      #expect(
        refusal { _ = try store.changeToken("ann", reads: [none], publishes: nil, now: Date()) }.hasPrefix(
          "none is not a feed"))
      #expect(try store.tokens().first { $0.name == "ann" } == stored)
      #expect(
        refusal { _ = try store.changeToken("bob", reads: [], publishes: nil, now: Date()) }.hasPrefix(
          "bob is not a token"))
      _ = try store.addToken("rss", reads: [HubPremises.ops], isLink: true, now: Date())
      #expect(
        refusal {
          _ = try store.changeToken(
            "rss", reads: [HubPremises.ops, Self.second], publishes: nil, now: Date())
        }
        .hasPrefix("a link can only read one feed"))
      try store.revokeToken("ann", now: Date())
      #expect(
        refusal { _ = try store.changeToken("ann", reads: [], publishes: nil, now: Date()) }.hasPrefix(
          "ann is not a token"))
    }
  }
}
