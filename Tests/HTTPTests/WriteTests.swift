import Foundation
import HTTP
import TestBasics
import Testing

/// Requests with another method than GET.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct WriteTests {
  private typealias Method = TransportRequest.Method

  private static func request(
    _ method: TransportRequest.Method, _ url: String, _ body: String? = nil
  ) -> TransportRequest {
    var request = TransportRequest(url: url)
    request.method = method
    request.body = body.map { .bytes(Data($0.utf8), type: "application/json") }
    return request
  }

  @Test(arguments: TransportRequest.Method.allCases)
  func eachMethodArrivesWithItsBody(method: TransportRequest.Method) async throws {
    let server = try await LoopbackServer.start { _ in .response("200 OK", [], "done") }
    defer { server.stop() }
    let body = "{\"a\":\"\u{e4}\"}"
    try await withTransport { transport in
      let response = try await transport.send(Self.request(method, server.url("/x?y=z"), body))
      #expect(String(decoding: response.body, as: UTF8.self) == "done")
      _ = try await transport.send(Self.request(method, server.url("/empty")))
    }
    let first = try #require(server.requests.first)
    #expect(first.line == "\(method.rawValue) /x?y=z HTTP/1.1")
    #expect(first.body == body)
    #expect(first["Content-Length"] == "10")
    #expect(first["Content-Type"] == "application/json")
    let second = try #require(server.requests.last)
    #expect(second.line == "\(method.rawValue) /empty HTTP/1.1")
    #expect(second["Content-Type"] == nil)
    // A server may wait for a body that is not said to be empty (RFC 9110 section 8.6).
    #expect([nil, "0"].contains(second["Content-Length"]))
    if [.post, .put, .patch].contains(method) { #expect(second["Content-Length"] == "0") }
  }

  @Test func aLargeBodyArrivesWhole() async throws {
    let server = try await LoopbackServer.start { _ in .response() }
    defer { server.stop() }
    let body = (0..<100_000).map { "\($0)," }.joined()
    _ = try await withTransport { try await $0.send(Self.request(.put, server.url("/"), body)) }
    #expect(server.requests.first?.body == body)
  }

  /// Starts a server that responds once on each connection, then closes it without a response.
  private static func fickle() async throws -> LoopbackServer {
    try await LoopbackServer.start { request in
      switch (request.path, request.connection) {
      case ("/first", _): .keptOpen(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8))
      case (_, 1): .nothing
      case _: .response("200 OK", [], "again")
      }
    }
  }

  @Test(arguments: [TransportRequest.Method.post, .patch])
  func whatMayHaveHappenedIsNotSentTwice(method: TransportRequest.Method) async throws {
    let server = try await Self.fickle()
    defer { server.stop() }
    let failure = try await withTransport { transport in
      _ = try await transport.send(TransportRequest(url: server.url("/first")))
      return await transport.failure(Self.request(method, server.url("/write"), "x"))
    }
    let writes = server.requests.filter { $0.path == "/write" }
    #expect(writes.count == 1)
    // On a busy machine the first connection may have been idle for too long to be used again.
    if writes.first?.connection == 1 { #expect(failure == .cutOff(received: 0)) }
  }

  @Test func aSwitchIsNotTurnedTwice() async throws {
    let server = try await Self.fickle()
    defer { server.stop() }
    var request = Self.request(.put, server.url("/write"))
    request.isRepeatable = false
    let sent = request
    let failure = try await withTransport { transport in
      _ = try await transport.send(TransportRequest(url: server.url("/first")))
      return await transport.failure(sent)
    }
    let writes = server.requests.filter { $0.path == "/write" }
    #expect(writes.count == 1)
    if writes.first?.connection == 1 { #expect(failure == .cutOff(received: 0)) }
  }

  @Test(arguments: [TransportRequest.Method.put, .delete])
  func whatMayBeRepeatedIsSentAgainOnANewConnection(method: TransportRequest.Method) async throws {
    let server = try await Self.fickle()
    defer { server.stop() }
    let response = try await withTransport { transport in
      _ = try await transport.send(TransportRequest(url: server.url("/first")))
      return try await transport.send(Self.request(method, server.url("/write"), "x"))
    }
    #expect(String(decoding: response.body, as: UTF8.self) == "again")
    let writes = server.requests.filter { $0.path == "/write" }
    #expect([[1, 2], [2]].contains(writes.map(\.connection)))
    #expect(writes.allSatisfy { $0.method == method.rawValue && $0.body == "x" })
  }

  @Test(arguments: ["307", "308"], [TransportRequest.Method.post, .put, .patch, .delete])
  func aRedirectThatKeepsTheMethodIsFollowedOnTheSameServer(
    status: String, method: TransportRequest.Method
  ) async throws {
    let server = try await LoopbackServer.start { request in
      request.path == "/old" ? .redirect("\(status) Moved", to: "/new") : .response("200 OK", [], "here")
    }
    defer { server.stop() }
    var request = Self.request(method, server.url("/old"), "the body")
    request.credential = .bearer("tok", for: try #require(Origin(request.url)))
    let sent = request
    let response = try await withTransport { try await $0.send(sent) }
    #expect(String(decoding: response.body, as: UTF8.self) == "here")
    #expect(response.finalURL == server.url("/new"))
    #expect(server.requests.map(\.line) == ["/old", "/new"].map { "\(method.rawValue) \($0) HTTP/1.1" })
    #expect(server.requests.map(\.body) == ["the body", "the body"])
    #expect(server.requests.map { $0["Content-Type"] } == ["application/json", "application/json"])
    #expect(server.requests.map { $0["Authorization"] } == ["Bearer tok", "Bearer tok"])
  }

  @Test(arguments: ["301", "302", "303"], [TransportRequest.Method.post, .put, .patch, .delete])
  func aRedirectThatMayChangeTheMethodIsNotFollowed(
    status: String, method: TransportRequest.Method
  ) async throws {
    let server = try await LoopbackServer.start { _ in .redirect("\(status) Moved", to: "/new") }
    defer { server.stop() }
    let failure = try await withTransport { transport in
      await transport.failure(Self.request(method, server.url("/old"), "x"))
    }
    #expect(failure == .badRedirect(server.url("/new")))
    #expect(server.requests.count == 1)
  }

  @Test(arguments: ["307", "308"], [TransportRequest.Method.post, .put, .patch, .delete])
  func aBodyIsNeverSentToAnotherServer(status: String, method: TransportRequest.Method) async throws {
    let other = try await LoopbackServer.start { _ in .response() }
    defer { other.stop() }
    let server = try await LoopbackServer.start { _ in .redirect("\(status) Moved", to: other.url("/x")) }
    defer { server.stop() }
    let failure = try await withTransport { transport in
      await transport.failure(Self.request(method, server.url("/old"), "confidential"))
    }
    #expect(failure == .badRedirect(other.url("/x")))
    #expect(other.requests.isEmpty)
    #expect(server.requests.count == 1)
  }

  @Test func aWriteThatIsSentInCirclesEnds() async throws {
    let server = try await LoopbackServer.start { request in
      .redirect("307 Moved", to: request.path == "/a" ? "/b" : "/a")
    }
    defer { server.stop() }
    let failure = try await withTransport { await $0.failure(Self.request(.put, server.url("/a"), "x")) }
    #expect(failure == .redirectLoop(limit: 10))
    #expect(server.requests.count == 2)
  }

  /// Gitea answers a write with 205 and a body; others announce a length with 204 and 304, or send nothing at all.
  @Test(arguments: [
    ("204 No Content", "", ""), ("204 No Content", "Content-Length: 0", ""),
    ("205 Reset Content", "Content-Length: 0", ""), ("205 Reset Content", "", ""),
    ("205 Reset Content", "Content-Length: 8", "{\"id\":1}"),
    ("205 Reset Content", "Transfer-Encoding: chunked", "8\r\n{\"id\":1}\r\n0\r\n\r\n"),
    ("304 Not Modified", "", ""), ("304 Not Modified", "Content-Length: 8", ""),
  ])
  func anAnswerThatShouldHaveNoBodyDoesNoHarm(status: String, header: String, body: String) async throws {
    try await expectNoHarm(status: status, header: header, body: body)
  }

  /// Bytes after a 204 or 304 break HTTP (RFC 9112 section 6.3). If they come after the response, the next request on
  /// that connection may take them as the beginning of its response, and fails.
  @Test(arguments: ["204 No Content", "304 Not Modified"])
  func bytesBehindAnAnswerWithoutABodyDoNoHarm(status: String) async {
    await withKnownIssue(isIntermittent: true) {
      try await expectNoHarm(status: status, header: "Content-Length: 8", body: "{\"id\":1}")
    }
  }

  private func expectNoHarm(status: String, header: String, body: String) async throws {
    let head = ["HTTP/1.1 \(status)"] + (header.isEmpty ? [] : [header])
    let answer = Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
    let server = try await LoopbackServer.start { request in
      request.path == "/write" ? .keptOpen(answer) : .response("200 OK", [], "next")
    }
    defer { server.stop() }
    try await withTransport { transport in
      var request = Self.request(.put, server.url("/write"), "x")
      request.keepsErrorBody = true
      let response = try await transport.send(request)
      #expect("\(response.status)" == status.prefix(3))
      let mayHaveBody = status.hasPrefix("205") && !body.isEmpty
      #expect(String(decoding: response.body, as: UTF8.self) == (mayHaveBody ? "{\"id\":1}" : ""))
      // A later request is not affected by bytes that may still be on the connection.
      let next = try await transport.send(TransportRequest(url: server.url("/next")))
      #expect(String(decoding: next.body, as: UTF8.self) == "next")
    }
  }
}
