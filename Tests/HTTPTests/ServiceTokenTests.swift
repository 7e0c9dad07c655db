import Foundation
import HTTP
import Messages
import Services
import TestBasics
import Testing

/// The tokens of services over real connections.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct ServiceTokenTests {
  private static let answers: [SourceKind: String] = [
    .gotify: #"{"messages":[],"paging":{"since":0}}"#, .miniflux: #"{"total":0,"entries":[]}"#,
  ]

  private static let fields: [SourceKind: String] = [.gotify: "X-Gotify-Key", .miniflux: "X-Auth-Token"]

  private func poll(_ kind: SourceKind, _ address: String) async throws -> PollOutcome {
    let facts = try #require(SourceAdapters.facts(of: kind))
    var source = Source(id: SourceID(1), name: "team", kind: kind, address: address)
    source.settings.writableMarks = facts.writableMarks
    let credential = Credential.configured(
      facts.scheme, token: "secret", user: nil, address: SourceAdapters.address(of: address, kind: kind))
    let context = PollContext(now: Date(timeIntervalSince1970: 1_900_000_000), credential: credential)
    return try await withTransport {
      $0.trust = try TestCertificates.trust()
    } _: { transport in
      let adapter = try #require(SourceAdapters(transport: transport).adapter(for: kind))
      return await adapter.poll(source, position: PollPosition(), context: context)
    }
  }

  @Test(arguments: [SourceKind.gotify, .miniflux], ["301 Moved", "307 Temporary Redirect"])
  func theTokenOfAServiceStaysOnEncryptedConnections(kind: SourceKind, status: String) async throws {
    let answer = try #require(Self.answers[kind])
    let field = try #require(Self.fields[kind])
    let plain = try await LoopbackServer.start { _ in .response("200 OK", [], answer) }
    defer { plain.stop() }
    let server = try await LoopbackServer.start(tls: try TestCertificates.context(TestCertificates.good)) {
      request in
      if request.path.hasPrefix("/plain") {
        .redirect(status, to: plain.url(request.path, host: "localhost"))
      } else if request.path.hasPrefix("/moved") {
        .redirect(status, to: "/here" + request.path.dropFirst("/moved".count))
      } else {
        .response("200 OK", [], answer)
      }
    }
    defer { server.stop() }
    let outcome = try await poll(kind, server.url("/plain", scheme: "https", host: "localhost"))
    guard case .failed(.insecureRedirect(let address), _) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(address.hasPrefix(plain.url("/plain", host: "localhost")))
    #expect(!address.contains("secret"))
    #expect(plain.requests.isEmpty)
    #expect(server.requests.map { $0[field] } == ["secret"])
    // The same redirect on the server itself is followed with the token.
    let moved = try await poll(kind, server.url("/moved", scheme: "https", host: "localhost"))
    guard case .content = moved else {
      Issue.record("\(moved)")
      return
    }
    #expect(server.requests.contains { $0.path.hasPrefix("/here") })
    #expect(server.requests.allSatisfy { $0[field] == "secret" })
    #expect(plain.requests.isEmpty)
  }
}
