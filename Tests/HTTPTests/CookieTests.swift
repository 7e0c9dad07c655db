import Foundation
import HTTP
import TestBasics
import Testing

/// Cookies exist for one poll: sites that set one in a redirect expect it at the next URL.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct CookieTests {
  @Test func aCookieOfARedirectIsSentAtTheNextAddress() async throws {
    let server = try await LoopbackServer.start { request in
      request.path == "/start"
        ? .response("302 Found", ["Location: /end", "Set-Cookie: seen=1; Path=/"], "moved") : .response()
    }
    defer { server.stop() }
    try await withTransport { transport in
      for _ in 0..<2 { _ = try await transport.send(TransportRequest(url: server.url("/start"))) }
    }
    // The second request is another poll.
    #expect(server.requests.map { $0["Cookie"] } == [nil, "seen=1", nil, "seen=1"])
  }

  @Test func aSignInLeadsBackToTheAddressThatWasAskedFor() async throws {
    let server = try await LoopbackServer.start { request in
      switch (request.path, request["Cookie"]) {
      case ("/feed", "sid=1"): .response("200 OK", [], "in")
      case ("/feed", _): .redirect("301 Moved", to: "/sign-in")
      default: .response("301 Moved", ["Location: /feed", "Set-Cookie: sid=1; Path=/"])
      }
    }
    defer { server.stop() }
    let response = try await withTransport {
      try await $0.send(TransportRequest(url: server.url("/feed")))
    }
    #expect(String(decoding: response.body, as: UTF8.self) == "in")
    #expect(response.permanentlyMovedTo == nil)
    #expect(server.requests.map(\.path) == ["/feed", "/sign-in", "/feed"])
  }

  @Test func aJarIsForItsHostAndPath() async throws {
    let server = try await LoopbackServer.start { request in
      request.path == "/set"
        ? .response("200 OK", ["Set-Cookie: a=1; Path=/a", "Set-Cookie: all=2; Path=/"])
        : .response()
    }
    defer { server.stop() }
    let other = try await LoopbackServer.start { _ in .response() }
    defer { other.stop() }
    let jar = CookieJar()
    try await withTransport { transport in
      func get(_ url: String) async throws {
        var request = TransportRequest(url: url)
        request.cookies = jar
        _ = try await transport.send(request)
      }
      try await get(server.url("/set"))
      try await get(server.url("/a/x"))
      try await get(server.url("/b"))
      try await get(other.url("/a/x", host: "localhost"))
    }
    #expect(
      server.requests.map { $0["Cookie"].map { Set($0.components(separatedBy: "; ")) } } == [
        nil, ["a=1", "all=2"], ["all=2"],
      ])
    #expect(other.requests.map { $0["Cookie"] } == [nil])
  }

  @Test func aFailureLosesNoCookie() async throws {
    let server = try await LoopbackServer.start { request in
      switch request.path {
      case "/set": .response("200 OK", ["Set-Cookie: a=1"])
      case "/broken": .nothing
      default: .response()
      }
    }
    defer { server.stop() }
    let jar = CookieJar()
    try await withTransport { transport in
      for path in ["/set", "/broken", "/last"] {
        var request = TransportRequest(url: server.url(path))
        request.cookies = jar
        _ = await transport.failure(request)
      }
    }
    #expect(server.requests.last?["Cookie"] == "a=1")
  }

  @Test func aSecureCookieIsNotSentOverHTTP() async throws {
    let proxy = try await LoopbackServer.start { request in
      request.path.hasSuffix("/start")
        ? .response("302 Found", ["Location: /end", "Set-Cookie: s=1; Secure", "Set-Cookie: p=2"])
        : .response()
    }
    defer { proxy.stop() }
    try await withTransport {
      $0.proxies = ProxySettings(environment: ["http_proxy": "127.0.0.1:\(proxy.port)"])
    } _: {
      _ = try await $0.send(TransportRequest(url: "http://feeds.example/start"))
    }
    #expect(proxy.requests.map { $0["Cookie"] } == [nil, "p=2"])
  }

  @Test func noWayOfPrintingAJarShowsItsValues() async throws {
    let server = try await LoopbackServer.start { _ in .response("200 OK", ["Set-Cookie: a=hunter2"]) }
    defer { server.stop() }
    var request = TransportRequest(url: server.url("/"))
    let jar = CookieJar()
    request.cookies = jar
    let sent = request
    _ = try await withTransport { try await $0.send(sent) }
    var dumped = ""
    dump(request, to: &dumped)
    for text in ["\(jar)", String(reflecting: jar), "\(request)", dumped] {
      #expect(!text.contains("hunter2"))
    }
  }
}
