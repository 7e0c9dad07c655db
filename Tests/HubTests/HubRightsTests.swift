import Basics
import Foundation
import StandIns
import Testing

@testable import Hub

/// Every route with each kind of token, and bodies at their limits.
@Suite struct HubRightsTests {
  struct Route: Sendable, CustomTestStringConvertible {
    let method: String
    let path: String
    var body: String?
    /// The tokens that may use it; `reader` and `publisher` are those of the feed ops.
    let allowed: Set<Holder>
    var testDescription: String { "\(method) \(path)" }
  }

  enum Holder: CaseIterable {
    case nobody, wrong, revoked, expired, reader, publisher, other, link, person, administrator
  }

  static let device = String(repeating: "0a", count: 16)
  static let object = "/v1/sync/\(device)/000000000001-000000000002.ops"

  static let routes: [Route] = [
    Route(method: "GET", path: "/v1/feeds/ops", allowed: [.reader]),
    Route(method: "HEAD", path: "/v1/feeds/ops", allowed: [.reader]),
    Route(method: "GET", path: "/v1/feeds/ops?wait=1&since_id=0", allowed: [.reader]),
    Route(method: "GET", path: "/v1/feeds/ops.atom", allowed: [.reader, .link]),
    Route(method: "GET", path: "/v1/feeds/ops.json", allowed: [.reader, .link]),
    Route(method: "POST", path: "/v1/feeds/ops?title=A&key=a", body: "b", allowed: [.publisher]),
    Route(method: "DELETE", path: "/v1/feeds/ops/items/a", allowed: [.publisher]),
    Route(method: "PUT", path: "/v1/documents/ops/a.html", body: "<p>A</p>", allowed: [.publisher]),
    Route(method: "GET", path: "/d/ops/a.html", allowed: [.reader]),
    Route(method: "DELETE", path: "/v1/documents/ops/a.html", allowed: [.publisher]),
    Route(method: "PUT", path: object, body: "sealed", allowed: [.person]),
    Route(method: "GET", path: object, allowed: [.person]),
    Route(method: "GET", path: "/v1/sync", allowed: [.person]),
    Route(method: "DELETE", path: object, allowed: [.person]),
    Route(method: "GET", path: "/v1/audit", allowed: [.administrator]),
  ]

  @Test(arguments: StoreKind.allCases)
  func onlyWhoMayUsesARouteAndOthersLearnNothing(_ kind: StoreKind) async throws {
    try await RunningHub.with(HubPremises(kind)) {
      $0.rates.failedTokens = 1000
    } _: { hub in
      let store = try hub.premises.open()
      let now = Date()
      let news = try #require(FeedName("news"))
      func token(_ name: String, _ reads: Set<FeedName>, _ publishes: Set<FeedName>) throws -> String {
        try store.addToken(name, reads: reads, publishes: publishes, now: now)
      }
      let revoked = try token("revoked", [HubPremises.ops], [HubPremises.ops])
      try store.revokeToken("revoked", now: now)
      let number = try #require(HubToken(hub.reader)).number
      let tokens: [Holder: String] = [
        .wrong: "rdh_\(number)_\(String(repeating: "A", count: 43))",
        .revoked: revoked,
        .expired: try store.addToken(
          "expired", reads: [HubPremises.ops], publishes: [HubPremises.ops],
          expires: now.addingTimeInterval(-1), now: now),
        .reader: hub.reader,
        .publisher: try token("publisher", [], [HubPremises.ops]),
        .other: try token("other", [news], [news]),
        .link: try store.addToken("link", reads: [HubPremises.ops], isLink: true, now: now),
        .person: try store.addToken("person", person: "ann", now: now),
        .administrator: try store.addToken("administrator", isAdmin: true, now: now),
      ]
      for route in Self.routes {
        // Tokens without the right come first: their requests must have no effect when the others come.
        for holder in Holder.allCases.sorted(by: { !route.allowed.contains($0) && route.allowed.contains($1) }
        ) {
          let fields = tokens[holder].map { ["Authorization: Bearer \($0)"] } ?? []
          let type = route.method == "PUT" && route.path.hasSuffix("html") ? ["Content-Type: text/html"] : []
          let once = route.method == "PUT" ? ["If-None-Match: *"] : []
          let answer = try await hub.client.answer(
            route.method, route.path, fields + type + (route.path.contains("sync") ? once : []),
            body: route.body ?? "")
          let name = "\(route.testDescription) \(holder)"
          let body = route.method == "HEAD" ? nil : answer.body
          switch holder {
          case _ where route.allowed.contains(holder):
            #expect((200..<300).contains(answer.status), "\(name): \(answer)")
          case .nobody:
            #expect(
              answer.status == 401 && body ?? HubFailure.noToken.json == HubFailure.noToken.json, "\(name)")
          // A token for links is valid for nothing else.
          case .wrong, .revoked, .expired, .link: #expect(answer.status == 401, "\(name)")
          default:
            #expect(
              answer.status == 404 && body ?? HubFailure.notFound.json == HubFailure.notFound.json,
              "\(name): \(answer)")
          }
          for secret in tokens.values {
            #expect(
              !answer.body.contains(secret) && !answer.fields.values.contains { $0.contains(secret) },
              "\(name)")
          }
        }
      }
      let metrics = try await hub.client.answer("GET", "/metrics").body
      let log = hub.log.joined(separator: "\n")
      for (holder, secret) in tokens {
        let end = secret.suffix(20)
        #expect(!metrics.contains(end) && !log.contains(end), "\(holder)")
      }
    }
  }

  /// A document, an item, an array of items and a name, each one byte below, at and above its limit.
  @Test func bodiesAtEachLimit() async throws {
    try await RunningHub.with { hub in
      let token = "Authorization: Bearer \(hub.publisher)"
      func expect(
        _ name: String, _ expected: Int, _ method: String, _ path: String, _ fields: [String] = [],
        _ body: String = "x"
      ) async throws {
        let answer = try await hub.client.answer(method, path, [token] + fields, body: body)
        #expect(answer.status == expected, "\(name)")
      }
      func text(_ size: Int) -> String { String(repeating: "x", count: size) }
      let json = ["Content-Type: application/json"]
      for (more, isStored) in [(-1, true), (0, true), (1, false)] {
        let title = text(Limits.hubItemBytes + more - #"{"author":"a","title":""}"#.utf8.count)
        try await expect(
          "an item, \(more)", isStored ? 201 : 413, "POST", "/v1/feeds/ops", json,
          #"{"author":"a","title":"\#(title)"}"#)
        let array = "[{\"title\":\"\(more)\"}" + String(repeating: " ", count: Limits.hubRequestBytes)
        try await expect(
          "an array, \(more)", isStored ? 200 : 413, "POST", "/v1/feeds/ops", json,
          array.prefix(Limits.hubRequestBytes + more - 1) + "]")
        try await expect(
          "a document, \(more)", isStored ? 201 : 413, "PUT", "/v1/documents/ops/\(more).txt",
          ["Content-Type: text/plain"], text(Limits.hubDocumentBytes + more))
        try await expect(
          "a key, \(more)", isStored ? 201 : 422, "POST",
          "/v1/feeds/ops?title=A&key=\(text(Limits.hubKeyBytes + more))")
        try await expect(
          "an Idempotency-Key, \(more)", isStored ? 201 : 400, "POST", "/v1/feeds/ops?title=\(more)",
          ["Idempotency-Key: \(text(Limits.hubIdempotencyKeyBytes + more))"])
      }
    }
  }
}
