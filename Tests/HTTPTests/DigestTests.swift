import Basics
import Foundation
import HTTP
import TestBasics
import Testing

/// Servers that require the name and the password as a digest (RFC 7616), as a user's own feed server may.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct DigestTests {
  private static func sha256(_ text: String) -> String { SHA256.digest(text).hex }

  /// Returns the fields of an `Authorization: Digest …` header, or `nil` for another one.
  private static func fields(_ value: String?) -> [String: String]? {
    guard let value, value.hasPrefix("Digest ") else { return nil }
    let pairs = value.dropFirst(7).components(separatedBy: ",").compactMap { part -> (String, String)? in
      let sides = part.split(separator: "=", maxSplits: 1)
      guard sides.count == 2 else { return nil }
      return (
        sides[0].trimmingCharacters(in: .whitespaces),
        sides[1].trimmingCharacters(in: CharacterSet(charactersIn: "\" "))
      )
    }
    return Dictionary(pairs) { first, _ in first }
  }

  private static func isRight(_ request: ReceivedRequest) -> Bool {
    guard let sent = fields(request["Authorization"]), let nc = sent["nc"], let cnonce = sent["cnonce"],
      sent["username"] == "ann", sent["uri"] == request.path, sent["nonce"] == "n0nce"
    else { return false }
    let secret = sha256("ann:here:right")
    let what = sha256("\(request.method):\(request.path)")
    return sent["response"] == sha256("\(secret):n0nce:\(nc):\(cnonce):auth:\(what)")
  }

  /// - Parameter challenge: the `WWW-Authenticate` of a refusal.
  private static func start(
    _ challenge: String = "Digest realm=\"here\", qop=\"auth\", algorithm=SHA-256, nonce=\"n0nce\""
  ) async throws -> LoopbackServer {
    try await LoopbackServer.start { request in
      isRight(request)
        ? .response("200 OK", [], "secret feed")
        : .response("401 No", ["WWW-Authenticate: \(challenge)"], "no")
    }
  }

  private static func request(_ url: String, password: String = "right") -> TransportRequest {
    var request = TransportRequest(url: url)
    request.credential = .configured(.basic, token: password, user: "ann", address: url)
    return request
  }

  @Test func theRightPasswordIsAccepted() async throws {
    let server = try await Self.start()
    defer { server.stop() }
    try await withTransport { transport in
      for path in ["/feed", "/feed?page=2"] {
        let response = try await transport.send(Self.request(server.url(path)))
        #expect(response.status == 200)
        #expect(String(decoding: response.body, as: UTF8.self) == "secret feed")
      }
    }
    // The first request uses Basic, as for any server whose scheme is unknown; later ones never do.
    let sent = server.requests.map { $0["Authorization"]?.prefix { $0 != " " } }
    #expect(sent == ["Basic", nil, "Digest", nil, "Digest"])
  }

  @Test(arguments: [
    "Basic realm=\"here\", Digest realm=\"here\", qop=\"auth\", algorithm=SHA-256, nonce=\"n0nce\"",
    "digest realm=\"here\", qop=\"auth\", algorithm=SHA-256, nonce=\"n0nce\"",
  ])
  func itIsFoundInAnyWriting(challenge: String) async throws {
    let server = try await Self.start(challenge)
    defer { server.stop() }
    let response = try await withTransport { try await $0.send(Self.request(server.url("/"))) }
    #expect(response.status == 200)
  }

  @Test func aWrongPasswordIsRefusedOnce() async throws {
    let server = try await Self.start()
    defer { server.stop() }
    let response = try await withTransport {
      try await $0.send(Self.request(server.url("/feed"), password: "wrong"))
    }
    #expect(response.status == 401)
    let sent = server.requests.map { $0["Authorization"]?.prefix { $0 != " " } }
    #expect(sent == ["Basic", nil, "Digest"])
  }

  @Test func aBodyArrivesWithTheDigest() async throws {
    let server = try await Self.start()
    defer { server.stop() }
    var request = Self.request(server.url("/mark"))
    request.method = .post
    request.body = .bytes(Data("read=1".utf8), type: "text/plain")
    let sent = request
    let response = try await withTransport { try await $0.send(sent) }
    #expect(response.status == 200)
    #expect(server.requests.last?.body == "read=1")
  }

  @Test func anotherServerGetsNoDigest() async throws {
    let other = try await Self.start()
    defer { other.stop() }
    let server = try await LoopbackServer.start { request in
      switch request.path {
      case "/move": .redirect("302 Found", to: other.url("/"))
      default:
        Self.isRight(request)
          ? .response("200 OK")
          : .response(
            "401 No",
            ["WWW-Authenticate: Digest realm=\"here\", qop=\"auth\", algorithm=SHA-256, nonce=\"n0nce\""])
      }
    }
    defer { server.stop() }
    let status = try await withTransport { transport in
      _ = try await transport.send(Self.request(server.url("/feed")))
      return try await transport.send(Self.request(server.url("/move"))).status
    }
    #expect(status == 401)
    #expect(other.requests.map { $0["Authorization"] } == [nil])
  }
}
