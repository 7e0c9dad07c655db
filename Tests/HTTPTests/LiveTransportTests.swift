import Foundation
import HTTP
import TestBasics
import Testing

@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct LiveTransportTests {
  @Test func aFeedArrivesWithStatusHeadersAndBody() async throws {
    let server = try await LoopbackServer.start { _ in
      .response("200 Fine", ["etag: \"a\"", "X-Two: 1", "X-Two: 2"], "<rss/>")
    }
    defer { server.stop() }
    let response = try await withTransport {
      try await $0.send(TransportRequest(url: server.url("/feed?a=b#part")))
    }
    #expect(response.status == 200)
    #expect(String(decoding: response.body, as: UTF8.self) == "<rss/>")
    #expect(response.headers["ETag"] == "\"a\"")
    #expect(response.headers.all("x-two") == ["1", "2"])
    #expect(response.finalURL == server.url("/feed?a=b"))
    #expect(response.permanentlyMovedTo == nil)
    #expect(server.requests.map(\.line) == ["GET /feed?a=b HTTP/1.1"])
    #expect(server.requests.first?["User-Agent"] == "reddot/1.2.3 (+https://reddot.example/)")
    #expect(server.requests.first?["Accept-Encoding"] == "zstd, br, gzip")
    #expect(server.requests.first?["If-None-Match"] == nil)
  }

  @Test func validatorsGoBackByteForByteAndA304IsAnAnswer() async throws {
    let server = try await LoopbackServer.start { _ in
      // Some servers name a coding in a response without a body.
      .raw("HTTP/1.1 304 Not Modified\r\nETag: W/\"x\"\r\nContent-Encoding: gzip\r\n\r\n")
    }
    defer { server.stop() }
    var request = TransportRequest(url: server.url("/304"))
    request.etag = "W/\"odd  \\tag,é\""
    request.lastModified = "Yesterday, I think"
    let sent = request
    let response = try await withTransport { try await $0.send(sent) }
    #expect(response.status == 304)
    #expect(response.body.isEmpty)
    #expect(server.requests.first?["If-None-Match"] == "W/\"odd  \\tag,é\"")
    #expect(server.requests.first?["If-Modified-Since"] == "Yesterday, I think")
  }

  @Test func aValidatorThatWouldForgeAHeaderIsNotSent() async throws {
    let server = try await LoopbackServer.start { _ in .response() }
    defer { server.stop() }
    var request = TransportRequest(url: server.url("/"))
    request.etag = "x\r\nEvil: yes"
    let sent = request
    _ = try await withTransport { try await $0.send(sent) }
    #expect(server.requests.first?["If-None-Match"] == nil)
    #expect(server.requests.first?["Evil"] == nil)
  }

  @Test(arguments: [401, 404, 410, 418, 429, 500, 503])
  func anUnsuccessfulStatusIsAResponseWithoutBody(status: Int) async throws {
    let server = try await LoopbackServer.start { _ in
      .response("\(status) No", ["Retry-After: 120"], String(repeating: "sorry ", count: 1000))
    }
    defer { server.stop() }
    let response = try await withTransport { try await $0.send(TransportRequest(url: server.url("/"))) }
    #expect(response.status == status)
    #expect(response.headers["retry-after"] == "120")
    #expect(response.body.isEmpty)
  }

  @Test(arguments: [
    ("gzip", Compressed.gzip), ("GZip", Compressed.gzip), ("x-gzip", Compressed.gzip),
    ("br", Compressed.brotli), ("zstd", Compressed.zstd),
    ("deflate", Compressed.zlib), ("deflate", Compressed.raw), ("identity", Array(Compressed.text.utf8)),
    ("gzip", Array(Compressed.text.utf8)),
  ])
  func compressedBodiesArriveUnpacked(coding: String, bytes: [UInt8]) async throws {
    let server = try await LoopbackServer.start { _ in
      .response("200 OK", ["Content-Encoding: \(coding)"], body: bytes)
    }
    defer { server.stop() }
    let response = try await withTransport { try await $0.send(TransportRequest(url: server.url("/"))) }
    #expect(String(decoding: response.body, as: UTF8.self) == Compressed.text)
  }

  @Test func chunkedAndUnannouncedBodiesArriveWhole() async throws {
    let server = try await LoopbackServer.start { request in
      request.path == "/chunked"
        // This server closes every connection and has to announce that; otherwise, the next request would use a closed
        // one.
        ? .raw(
          "HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
        )
        : .raw("HTTP/1.0 200 OK\r\n\r\nabcde")
    }
    defer { server.stop() }
    try await withTransport { transport in
      for path in ["/chunked", "/old"] {
        let response = try await transport.send(TransportRequest(url: server.url(path)))
        #expect(String(decoding: response.body, as: UTF8.self) == "abcde")
      }
    }
  }

  @Test func aCredentialIsSentToItsServer() async throws {
    let server = try await LoopbackServer.start { _ in .response() }
    defer { server.stop() }
    let origin = try #require(Origin(server.url("/")))
    try await withTransport { transport in
      for credential in [
        Credential.bearer("tok", for: origin), .basic(user: "ann", password: "p:ä", for: origin),
        .header(name: "X-Key", value: "k", for: origin),
      ] {
        var request = TransportRequest(url: server.url("/"))
        request.credential = credential
        _ = try await transport.send(request)
      }
      var named = TransportRequest(url: "http://bob:s%40y@127.0.0.1:\(server.port)/x")
      _ = try await transport.send(named)
      named.credential = .configured(address: named.url)
      _ = try await transport.send(named)
    }
    #expect(
      server.requests.map { $0["Authorization"] } == [
        "Bearer tok", "Basic YW5uOnA6w6Q=", nil, nil, "Basic Ym9iOnNAeQ==",
      ])
    #expect(server.requests[2]["X-Key"] == "k")
    #expect(server.requests[3].line == "GET /x HTTP/1.1")
  }

  @Test func connectionsAreUsedAgain() async throws {
    let server = try await LoopbackServer.start { _ in
      .keptOpen(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8))
    }
    defer { server.stop() }
    try await withTransport { transport in
      for _ in 0..<5 { _ = try await transport.send(TransportRequest(url: server.url("/"))) }
      await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<20 {
          group.addTask { await transport.failure(server.url("/many")) == nil }
        }
        for await isAnswered in group { #expect(isAnswered) }
      }
    }
    #expect(server.requests.count == 25)
    #expect(server.requests.allSatisfy { $0["X-Reddot-Exchange"] == nil })
  }

  /// Starts a server that keeps the first connection open after its response, and closes it during the next request.
  private static func fickle(_ end: String) async throws -> LoopbackServer {
    try await LoopbackServer.start { request in
      switch request.path {
      case "/first": .keptOpen(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8))
      case "/second" where end.isEmpty ? request.connection == 1 : request.number == 2: .raw(end)
      default: .response("200 OK", [], "again")
      }
    }
  }

  @Test func aKeptConnectionThatTheServerClosedCostsNothing() async throws {
    let server = try await Self.fickle("")
    defer { server.stop() }
    let response = try await withTransport { transport in
      _ = try await transport.send(TransportRequest(url: server.url("/first")))
      return try await transport.send(TransportRequest(url: server.url("/second")))
    }
    #expect(String(decoding: response.body, as: UTF8.self) == "again")
    // On a busy machine the first connection may have been idle for too long to be used again.
    let connections = server.requests.map(\.connection)
    #expect([[1, 1, 2], [1, 2]].contains(connections))
  }

  @Test(arguments: ["HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"])
  func noRequestIsRetriedOnceItsResponseHasBegun(beginning: String) async throws {
    let server = try await Self.fickle(beginning)
    defer { server.stop() }
    let failure = try await withTransport { transport in
      _ = try await transport.send(TransportRequest(url: server.url("/first")))
      return await transport.failure(server.url("/second"))
    }
    #expect(failure == .cutOff(received: 0))
    #expect(server.requests.map(\.path) == ["/first", "/second"])
  }

  @Test func aFreshConnectionThatIsClosedIsNotTriedAgain() async throws {
    let server = try await LoopbackServer.start { _ in .nothing }
    defer { server.stop() }
    #expect(try await withTransport { await $0.failure(server.url("/")) } == .cutOff(received: 0))
    #expect(server.requests.count == 1)
  }

  @Test func aTransportThatWasShutDownAnswersNoMore() async throws {
    let options = LiveTransport.Options(
      version: "1", homepage: "https://x.example", now: { Date(timeIntervalSince1970: 0) })
    let unused = LiveTransport(options)
    await unused.shutdown()
    await unused.shutdown()
    #expect(await unused.failure("http://127.0.0.1:1/") == .cancelled)
  }

  @Test func aReleasedTransportShutsItselfDown() async throws {
    let server = try await LoopbackServer.start { _ in .response() }
    defer { server.stop() }
    func forget() async throws {
      let transport = LiveTransport(
        LiveTransport.Options(
          version: "1", homepage: "https://x.example", now: { Date(timeIntervalSince1970: 0) }))
      _ = try await transport.send(TransportRequest(url: server.url("/")))
    }
    // The library's client ends the process if it is released while running.
    try await forget()
    #expect(server.requests.count == 1)
  }

  @Test func shutdownWaitsForTheEndOfManyRequests() async throws {
    let server = try await LoopbackServer.start { request in
      request.path == "/half"
        ? .keptOpen(Array("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab".utf8)) : .hang
    }
    defer { server.stop() }
    try await withTransport { transport in
      await withTaskGroup(of: RequestFailure?.self) { group in
        for number in 0..<12 {
          let url = server.url(number % 2 == 0 ? "/half" : "/hang")
          group.addTask { await transport.failure(url) }
        }
        await server.received(6)
        await transport.shutdown()
        for await failure in group { #expect(failure == .cancelled) }
      }
    }
  }

  @Test func shutdownEndsWhatIsInFlight() async throws {
    let server = try await LoopbackServer.start { _ in .hang }
    defer { server.stop() }
    let failure = try await withTransport { transport in
      async let failure = transport.failure(server.url("/hang"))
      await server.received(1)
      await transport.shutdown()
      return await failure
    }
    #expect(failure == .cancelled)
  }
}
