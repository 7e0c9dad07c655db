import Basics
import Foundation
import TestBasics
import Testing

@testable import HTTP

/// Lines and events over connections that stay open.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct StreamTests {
  private static let lines = Array("HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n\r\n".utf8)
  private static let events = Array(
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n\r\n".utf8)

  @Test func linesAreHandedOverAsTheyCome() async throws {
    let held = HeldConnection()
    let server = try await LoopbackServer.start { _ in .held(held, Self.lines) }
    defer { server.stop() }
    let heard = Heard()
    try await withTransport { transport in
      async let end = transport.listen(server.url("/json"), .lines, heard) {
        $0.credential = .configured(token: "t", address: $0.url)
      }
      try await held.send("{\"a\":1}\n")
      await heard.received(1)
      #expect(heard.opened == 1)
      try await held.send("\n{\"b\":")
      try await held.send("2}\r\n{\"c\":3}\nnot complete")
      await heard.received(3)
      await held.close()
      let response = try await end.get()
      #expect(response.status == 200)
      #expect(response.headers["Content-Type"] == "application/x-ndjson")
    }
    #expect(heard.messages == ["{\"a\":1}", "{\"b\":2}", "{\"c\":3}"])
    #expect(heard.opened == 1)
    let request = try #require(server.requests.first)
    #expect(request["Authorization"] == "Bearer t")
    #expect(request["Accept-Encoding"] == "identity")
  }

  @Test func eventsAreHandedOverOneByteAtATime() async throws {
    let held = HeldConnection()
    let server = try await LoopbackServer.start { _ in .held(held, Self.events) }
    defer { server.stop() }
    let heard = Heard()
    try await withTransport { transport in
      async let end = transport.listen(server.url("/"), .events, heard)
      let text =
        ":thump\n\nevent: notification\r\ndata: {\"id\":\r\ndata: \"\u{e4}\"}\r\n\r\ndata: two\r\r:thump\n"
      try await held.send(text.utf8.map { [$0] })
      await heard.received(2)
      await held.close()
      let response = try await end.get()
      #expect(response.status == 200)
    }
    #expect(heard.messages == ["{\"id\":\n\"\u{e4}\"}", "two"])
  }

  @Test func chunksNeedNotEndWithLines() async throws {
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    let server = try await LoopbackServer.start { _ in .raw(head + "3\r\nabc\r\n4\r\nd\ne\n\r\n0\r\n\r\n") }
    defer { server.stop() }
    let heard = Heard()
    let end = try await withTransport { await $0.listen(server.url("/"), .lines, heard) }
    #expect(try end.get().status == 200)
    #expect(heard.messages == ["abcd", "e"])
  }

  @Test(arguments: [StreamForm.lines, .events, .webSocket])
  func anAnswerThatIsNoSuccessIsReturnedWithItsBody(form: StreamForm) async throws {
    let server = try await LoopbackServer.start { _ in
      .response("401 No", ["Retry-After: 3"], #"{"error":"unauthorized"}"#)
    }
    defer { server.stop() }
    let heard = Heard()
    let response = try await withTransport { try await $0.listen(server.url("/"), form, heard).get() }
    #expect(response.status == 401)
    #expect(response.headers["Retry-After"] == "3")
    #expect(String(decoding: response.body, as: UTF8.self) == #"{"error":"unauthorized"}"#)
    #expect(heard.opened == 0)
  }

  @Test func nothingIsToldWithoutContent() async throws {
    let server = try await LoopbackServer.start { _ in .response("204 No Content") }
    defer { server.stop() }
    let heard = Heard()
    let response = try await withTransport { try await $0.listen(server.url("/"), .events, heard).get() }
    #expect(response.status == 204)
    #expect(heard.opened == 0)
  }

  @Test(arguments: [
    (StreamForm.events, "Content-Type: text/html", "the response is not a stream of events"),
    (.events, "X-Nothing: 1", "the response is not a stream of events"),
    (.lines, "Content-Encoding: gzip", "it is compressed as gzip, which the request did not accept"),
  ])
  func whatIsNoStreamIsSaidToBe(form: StreamForm, header: String, reason: String) async throws {
    let server = try await LoopbackServer.start { _ in .response("200 OK", [header], "<html>\n") }
    defer { server.stop() }
    let heard = Heard()
    let end = try await withTransport { await $0.listen(server.url("/"), form, heard) }
    #expect(end.failure == .malformed(reason: reason))
    #expect(heard.opened == 0)
  }

  @Test(arguments: [StreamForm.lines, .events])
  func aMessageThatIsTooLongEndsTheStream(form: StreamForm) async throws {
    let held = HeldConnection()
    let server = try await LoopbackServer.start { _ in .held(held, form == .lines ? Self.lines : Self.events)
    }
    defer { server.stop() }
    let heard = Heard()
    try await withTransport { transport in
      async let end = transport.listen(server.url("/"), form, heard)
      let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 16)
      // The client closes before everything was sent.
      try? await held.send([Array("data: ok\n\n".utf8)] + [[UInt8]](repeating: piece, count: 20))
      #expect(await end.failure == .tooLarge(limit: Limits.streamMessageBytes))
    }
    await held.closed()
    #expect(heard.messages == [form == .lines ? "data: ok" : "ok"])
  }

  @Test func aStreamThatIsCutOffIsAFailure() async throws {
    let server = try await LoopbackServer.start { _ in
      .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nab\nc\r\n5\r\nde")
    }
    defer { server.stop() }
    let heard = Heard()
    let end = try await withTransport { await $0.listen(server.url("/"), .lines, heard) }
    #expect(end.failure == .cutOff(received: 6))
    #expect(heard.messages == ["ab"])
  }

  @Test(arguments: [StreamForm.lines, .events, .webSocket])
  func aServerThatFallsSilentIsTakenAsDead(form: StreamForm) async throws {
    let held = HeldConnection()
    let server = try await LoopbackServer.start { request in
      switch form {
      case .lines: .held(held, Self.lines)
      case .events: .held(held, Self.events)
      case .webSocket: .webSocket(held, request)
      }
    }
    defer { server.stop() }
    let heard = Heard()
    let end = try await withTransport {
      $0.streamSilence = .milliseconds(200)
    } _: {
      await $0.listen(server.url("/"), form, heard)
    }
    #expect(end.failure == .timedOut(.reading, seconds: 0.2))
    #expect(heard.opened == 1)
    await held.closed()
  }

  @Test(arguments: [StreamForm.lines, .events, .webSocket])
  func aServerThatNeverAnswersHasTheRequestsTime(form: StreamForm) async throws {
    let server = try await LoopbackServer.start { _ in .hang }
    defer { server.stop() }
    let end = try await withTransport {
      await $0.listen(server.url("/"), form) { $0.requestTimeout = .milliseconds(200) }
    }
    #expect(end.failure == .timedOut(.waiting, seconds: 0.2))
  }

  @Test(arguments: [StreamForm.lines, .events, .webSocket])
  func theRequestsTimeEndsWithTheHeader(form: StreamForm) async throws {
    let held = HeldConnection()
    let server = try await LoopbackServer.start { request in
      switch form {
      case .lines: .held(held, Self.lines)
      case .events: .held(held, Self.events)
      case .webSocket: .webSocket(held, request)
      }
    }
    defer { server.stop() }
    let end = try await withTransport {
      $0.streamSilence = .seconds(1)
    } _: {
      await $0.listen(server.url("/"), form) { $0.requestTimeout = .milliseconds(700) }
    }
    // On a busy machine even the header may take longer.
    let possible: [RequestFailure] = [.timedOut(.reading, seconds: 1), .timedOut(.waiting, seconds: 0.7)]
    #expect(end.failure.map { possible.contains($0) } == true)
  }

  @Test(arguments: [StreamForm.lines, .events, .webSocket])
  func aRedirectIsFollowedWithoutTheCredential(form: StreamForm) async throws {
    let held = HeldConnection()
    let other = try await LoopbackServer.start { request in
      switch form {
      case .lines: .held(held, Self.lines)
      case .events: .held(held, Self.events)
      case .webSocket: .webSocket(held, request)
      }
    }
    defer { other.stop() }
    let server = try await LoopbackServer.start { request in
      request.path == "/old"
        ? .redirect("302 Found", to: "/new?a=b") : .redirect("307 Found", to: other.url("/x"))
    }
    defer { server.stop() }
    try await withTransport { transport in
      async let end = transport.listen(server.url("/old"), form) {
        $0.credential = .configured(.header("X-Gotify-Key"), token: "secret", address: $0.url)
      }
      await held.wait { $0.isOpen }
      await held.close()
      let response = try await end.get()
      #expect(response.finalURL == other.url("/x"))
    }
    #expect(server.requests.map(\.path) == ["/old", "/new?a=b"])
    #expect(server.requests.map { $0["X-Gotify-Key"] } == ["secret", "secret"])
    #expect(other.requests.map { $0["X-Gotify-Key"] } == [nil])
  }

  @Test(arguments: [StreamForm.lines, .events, .webSocket])
  func aCancelledTaskEndsAtOnceAndLeavesNothing(form: StreamForm) async throws {
    let held = HeldConnection()
    let server = try await LoopbackServer.start { request in
      switch (request.path, form) {
      case ("/hang", _): .hang
      case (_, .lines): .held(held, Self.lines)
      case (_, .events): .held(held, Self.events)
      case (_, .webSocket): .webSocket(held, request)
      }
    }
    defer { server.stop() }
    try await withTransport { transport in
      let waiting = Task { await transport.listen(server.url("/hang"), form).failure }
      await server.received(1)
      waiting.cancel()
      #expect(await waiting.value == .cancelled)
      let open = Task { await transport.listen(server.url("/"), form).failure }
      await held.wait { $0.isOpen }
      open.cancel()
      #expect(await open.value == .cancelled)
      await held.closed()
    }
  }

  @Test(arguments: [StreamForm.lines, .events, .webSocket])
  func aShutdownEndsStreams(form: StreamForm) async throws {
    let held = HeldConnection()
    let server = try await LoopbackServer.start { request in
      switch form {
      case .lines: .held(held, Self.lines)
      case .events: .held(held, Self.events)
      case .webSocket: .webSocket(held, request)
      }
    }
    defer { server.stop() }
    try await withTransport { transport in
      async let end = transport.listen(server.url("/"), form)
      await held.wait { $0.isOpen }
      await transport.shutdown()
      #expect(await end.failure == .cancelled)
      #expect(await transport.listen(server.url("/"), form).failure == .cancelled)
    }
    await held.closed()
  }

  /// The connection of an open stream is not one of those that other requests share.
  @Test func manyOpenStreamsOfAServerLeaveRoomForRequests() async throws {
    let server = try await LoopbackServer.start { request in
      request.path == "/stream" ? .keptOpen(Self.lines) : .response("200 OK", [], "polled")
    }
    defer { server.stop() }
    try await withTransport { transport in
      let streams = (0..<20).map { _ in Task { await transport.listen(server.url("/stream"), .lines).failure }
      }
      await server.received(20)
      let response = try await transport.send(TransportRequest(url: server.url("/poll")))
      #expect(String(decoding: response.body, as: UTF8.self) == "polled")
      for stream in streams { stream.cancel() }
      for stream in streams { #expect(await stream.value == .cancelled) }
    }
  }

  @Test func aProxyIsUsedForThem() async throws {
    let proxy = try await LoopbackServer.start { _ in .raw("HTTP/1.1 200 OK\r\n\r\nby proxy\n") }
    defer { proxy.stop() }
    let heard = Heard()
    let end = try await withTransport {
      $0.proxies = ProxySettings(environment: ["http_proxy": "http://me:pass@127.0.0.1:\(proxy.port)"])
    } _: {
      await $0.listen("http://ntfy.example/a/json", .lines, heard)
    }
    #expect(try end.get().status == 200)
    #expect(heard.messages == ["by proxy"])
    #expect(proxy.requests.first?.line == "GET http://ntfy.example/a/json HTTP/1.1")
    #expect(proxy.requests.first?["Proxy-Authorization"] == "Basic bWU6cGFzcw==")
  }
}
