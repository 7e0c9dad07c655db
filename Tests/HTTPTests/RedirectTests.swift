import Foundation
import HTTP
import TestBasics
import Testing

@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct RedirectTests {
  @Test(arguments: [
    (["301", "308", "301"], true), (["301", "302"], false), (["302", "301"], false), (["307"], false),
    (["303"], false), (["308"], true),
  ])
  func onlyAChainOfPermanentRedirectsMovesASource(statuses: [String], isPermanent: Bool) async throws {
    let server = try await LoopbackServer.start { request in
      let step = Int(request.path.dropFirst()) ?? 0
      return step < statuses.count
        ? .redirect("\(statuses[step]) Moved", to: "\(step + 1)") : .response("200 OK", [], "here")
    }
    defer { server.stop() }
    let response = try await withTransport { try await $0.send(TransportRequest(url: server.url("/0"))) }
    let end = server.url("/\(statuses.count)")
    #expect(response.finalURL == end)
    #expect(response.permanentlyMovedTo == (isPermanent ? end : nil))
    #expect(String(decoding: response.body, as: UTF8.self) == "here")
  }

  @Test func tenRedirectsAreFollowedAndElevenAreNot() async throws {
    let server = try await LoopbackServer.start { request in
      let left = Int(request.path.dropFirst()) ?? 0
      return left > 0 ? .redirect("302 Found", to: "/\(left - 1)") : .response()
    }
    defer { server.stop() }
    try await withTransport { transport in
      #expect(await transport.failure(server.url("/10")) == nil)
      #expect(await transport.failure(server.url("/11")) == .redirectLoop(limit: 10))
    }
  }

  @Test func aRedirectToAHeldHostIsNotFollowed() async throws {
    let other = try await LoopbackServer.start { _ in .response("200 OK", [], "there") }
    defer { other.stop() }
    let there = other.url("/feed")
    let server = try await LoopbackServer.start { _ in .redirect("302 Found", to: there) }
    defer { server.stop() }
    let until = Date(timeIntervalSince1970: 2e9)
    try await withTransport { transport in
      var request = TransportRequest(url: server.url("/"))
      request.hold = { $0 == there ? HeldHost(host: "other", until: until) : nil }
      await #expect(throws: RequestFailure.heldBack(HeldHost(host: "other", until: until))) {
        try await transport.send(request)
      }
      #expect(other.requests.isEmpty)
      request.hold = { _ in nil }
      let response = try await transport.send(request)
      #expect(response.finalURL == there)
    }
  }

  @Test(arguments: [TransportRequest.Method.get, .post])
  func aRequestToAnAddressThatWasAgreedToIsNotRedirected(method: TransportRequest.Method) async throws {
    let server = try await LoopbackServer.start { request in
      request.path == "/a" ? .redirect("307 Temporary Redirect", to: "/b") : .response("200 OK", [], "there")
    }
    defer { server.stop() }
    try await withTransport { transport in
      var request = TransportRequest(url: server.url("/a"))
      request.method = method
      request.followsRedirects = false
      await #expect(throws: RequestFailure.badRedirect(server.url("/b"))) {
        try await transport.send(request)
      }
    }
    #expect(server.requests.count == 1)
  }

  @Test func aLoopIsSeenBeforeTheLimit() async throws {
    let server = try await LoopbackServer.start { request in
      .redirect("301 Moved", to: request.path == "/a" ? "/b" : "/a")
    }
    defer { server.stop() }
    let failure = try await withTransport { await $0.failure(server.url("/a")) }
    #expect(failure == .redirectLoop(limit: 10))
    #expect(server.requests.count == 2)
  }

  @Test(arguments: [
    ("file:///etc/passwd", "file:///etc/passwd"), ("ftp://h/x", "ftp://h/x"),
    ("javascript:1", "javascript:1"),
    ("http://", "http://"), ("http://h:0/", "http://h:0/"), ("http://h:70000/", "http://h:70000/"), ("", ""),
    ("gopher://u:secret@h/", "an address with a name or a password"),
  ])
  func aRedirectThatMayNotBeFollowedSaysWhereItLed(location: String, shown: String) async throws {
    let server = try await LoopbackServer.start { _ in .redirect("302 Found", to: location) }
    defer { server.stop() }
    #expect(try await withTransport { await $0.failure(server.url("/")) } == .badRedirect(shown))
  }

  @Test func aRedirectToNowhereIsAFailure() async throws {
    let server = try await LoopbackServer.start { _ in .response("301 Moved") }
    defer { server.stop() }
    #expect(try await withTransport { await $0.failure(server.url("/")) } == .badRedirect(""))
  }

  @Test func secretsAreNotSentToAnotherPortOrAfterwards() async throws {
    let other = try await LoopbackServer.start { request in
      .redirect("302 Found", to: "http://127.0.0.1:\(request["X-Back"] ?? "")/end")
    }
    defer { other.stop() }
    let server = try await LoopbackServer.start { request in
      switch request.path {
      case "/start": .redirect("302 Found", to: "/same")
      case "/same": .redirect("302 Found", to: other.url("/elsewhere"))
      default: .response()
      }
    }
    defer { server.stop() }
    var request = TransportRequest(url: server.url("/start"))
    request.credential = .bearer("secret", for: try #require(Origin(server.url("/"))))
    request.headers = [
      HeaderField("Cookie", "a=b"), HeaderField("Accept", "*/*"), HeaderField("X-Back", "\(server.port)"),
    ]
    request.etag = "\"tag\""
    let sent = request
    _ = try await withTransport { try await $0.send(sent) }
    #expect(server.requests.map { $0["Authorization"] } == ["Bearer secret", "Bearer secret", nil])
    #expect(other.requests.map { $0["Authorization"] } == [nil])
    #expect(other.requests.map { $0["Cookie"] } == [nil])
    #expect(other.requests.map { $0["Accept"] } == ["*/*"])
    #expect(other.requests.map { $0["If-None-Match"] } == ["\"tag\""])
  }

  // MARK: From https to http

  /// A feed's token or password, a service's header, and the result of a login.
  static let secrets: [@Sendable (Origin) -> Credential] = [
    { .bearer("secret", for: $0) }, { .basic(user: "ann", password: "secret", for: $0) },
    { .header(name: "X-Gotify-Key", value: "secret", for: $0) },
    { Credential.login(user: "ann", password: "secret", for: $0).loggedIn(auth: "secret") },
  ]

  @Test(arguments: secrets.indices, ["301", "302", "307", "308"])
  func aTokenIsNotSentWithoutEncryption(secret: Int, status: String) async throws {
    let plain = try await LoopbackServer.start { _ in .response() }
    defer { plain.stop() }
    let server = try await LoopbackServer.start(tls: try TestCertificates.context(TestCertificates.good)) {
      _ in
      .redirect("\(status) Moved", to: plain.url("/feed", host: "localhost"))
    }
    defer { server.stop() }
    var request = TransportRequest(url: server.url("/feed", scheme: "https", host: "localhost"))
    request.credential = Self.secrets[secret](try #require(Origin(request.url)))
    let sent = request
    let failure = try await withTransport {
      $0.trust = try TestCertificates.trust()
    } _: {
      await $0.failure(sent)
    }
    #expect(failure == .insecureRedirect(plain.url("/feed", host: "localhost")))
    #expect(server.requests.count == 1 && plain.requests.isEmpty)
  }

  @Test func aLoginIsNotSentWithoutEncryption() async throws {
    let plain = try await LoopbackServer.start { _ in .response() }
    defer { plain.stop() }
    let server = try await LoopbackServer.start(tls: try TestCertificates.context(TestCertificates.good)) {
      _ in
      .redirect("307 Moved", to: plain.url("/login", host: "localhost"))
    }
    defer { server.stop() }
    var request = TransportRequest(url: server.url("/login", scheme: "https", host: "localhost"))
    (request.method, request.body) = (.post, .login)
    request.credential = .login(user: "ann", password: "secret", for: try #require(Origin(request.url)))
    let sent = request
    let failure = try await withTransport {
      $0.trust = try TestCertificates.trust()
    } _: {
      await $0.failure(sent)
    }
    #expect(failure == .insecureRedirect(plain.url("/login", host: "localhost")))
    #expect(plain.requests.isEmpty)
  }

  /// Many feeds without a token exist only at http URLs.
  @Test func withoutATokenItIsFollowed() async throws {
    let plain = try await LoopbackServer.start { _ in .response("200 OK", [], "here") }
    defer { plain.stop() }
    let server = try await LoopbackServer.start(tls: try TestCertificates.context(TestCertificates.good)) {
      _ in
      .redirect("301 Moved", to: plain.url("/feed", host: "localhost"))
    }
    defer { server.stop() }
    let response = try await withTransport {
      $0.trust = try TestCertificates.trust()
    } _: {
      try await $0.send(TransportRequest(url: server.url("/feed", scheme: "https", host: "localhost")))
    }
    #expect(String(decoding: response.body, as: UTF8.self) == "here")
    #expect(plain.requests.map { $0["Authorization"] } == [nil])
  }

  // MARK: Other servers

  @Test func aCredentialForAnotherServerIsNeverSent() async throws {
    let server = try await LoopbackServer.start { _ in .response() }
    defer { server.stop() }
    for other in [
      "http://127.0.0.1:1/", server.url("/", scheme: "https"), server.url("/", host: "localhost"),
    ] {
      var request = TransportRequest(url: server.url("/"))
      request.credential = .bearer("secret", for: try #require(Origin(other)))
      let sent = request
      #expect(try await withTransport { try await $0.send(sent) }.status == 200)
    }
    #expect(server.requests.map { $0["Authorization"] } == [nil, nil, nil])
  }

  @Test func aNameAndAPasswordInALocationAreNotSent() async throws {
    let server = try await LoopbackServer.start { request in
      let port = request["Host"]?.split(separator: ":").last ?? ""
      return request.path == "/start"
        ? .redirect("301 Moved", to: "http://me:secret@127.0.0.1:\(port)/end") : .response()
    }
    defer { server.stop() }
    let response = try await withTransport {
      try await $0.send(TransportRequest(url: server.url("/start")))
    }
    #expect(response.permanentlyMovedTo == server.url("/end"))
    #expect(server.requests.map { $0["Authorization"] } == [nil, nil])
  }

  @Test func aHeaderOfTheServiceIsNotSentEither() async throws {
    let other = try await LoopbackServer.start { _ in .response() }
    defer { other.stop() }
    let server = try await LoopbackServer.start { _ in .redirect("308 Moved", to: other.url("/")) }
    defer { server.stop() }
    var request = TransportRequest(url: server.url("/"))
    request.credential = .header(
      name: "X-Gotify-Key", value: "secret", for: try #require(Origin(server.url("/"))))
    let sent = request
    _ = try await withTransport { try await $0.send(sent) }
    #expect(server.requests.first?["X-Gotify-Key"] == "secret")
    #expect(other.requests.first?["X-Gotify-Key"] == nil)
  }
}
