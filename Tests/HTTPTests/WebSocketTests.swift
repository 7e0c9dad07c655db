import Basics
import Foundation
import NIOCore
import NIOSSL
import TestBasics
import Testing

@testable import HTTP

@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct WebSocketTests {
  private typealias Bytes = WebSocketBytes

  /// Returns the messages that a listener receives from a server that sends these pieces and closes.
  ///
  /// - Parameter answers: frames of the client that are read before the connection is closed: a server that closes
  ///   while
  ///   bytes wait to be read sends a reset instead of an end, and bytes that the client has not read yet may be lost.
  private func hear(
    _ pieces: [[UInt8]], closing: Bool = true, answers: Int = 0
  ) async throws -> (heard: Heard, end: Result<TransportResponse, RequestFailure>, sent: [UInt8]) {
    let held = HeldConnection()
    let server = try await LoopbackServer.start { .webSocket(held, $0) }
    defer { server.stop() }
    let heard = Heard()
    let end = try await withTransport { transport in
      async let end = transport.listen(server.url("/stream?x=y"), .webSocket, heard)
      // If the server breaks the rules, the client closes before everything was sent.
      try? await held.send(pieces)
      if answers > 0 {
        await held.wait { $0.isClosed || Bytes.sent($0.received).compactMap(\.self).count >= answers }
      }
      if closing { await held.close() }
      return await end
    }
    await held.closed()
    #expect(server.requests.map(\.line) == ["GET /stream?x=y HTTP/1.1"])
    return (heard, end, await held.wait { _ in true }.received)
  }

  @Test func messagesAreHandedOverWholeAndInOrder() async throws {
    let frames = [
      Bytes.text("one"), Bytes.frame(2, [1, 2, 3]),
      Bytes.frame(1, Array("tw".utf8), isLast: false), Bytes.frame(9, Array("still there?".utf8)),
      Bytes.frame(0, [], isLast: false), Bytes.frame(0, Array("o \u{e4}".utf8)), Bytes.text(""),
      Bytes.frame(10), Bytes.text(String(repeating: "x", count: 70_000)),
      Bytes.frame(8, [0x03, 0xE8] + Array("bye".utf8)),
    ]
    for pieces in [frames, [frames.joined().map { $0 }]] {
      let (heard, end, sent) = try await hear(pieces, closing: false)
      #expect(try end.get().status == 101)
      #expect(heard.opened == 1)
      #expect(heard.messages == ["one", "two \u{e4}", "", String(repeating: "x", count: 70_000)])
      let answers = Bytes.sent(sent).map { $0.map { "\($0.opcode) \($0.payload)" } }
      #expect(answers == ["10 \(Array("still there?".utf8))", "8 [3, 232]"])
    }
  }

  @Test func messagesMayArriveByteByByte() async throws {
    let bytes =
      Bytes.text("one") + Bytes.frame(1, [0xC3], isLast: false) + Bytes.frame(9) + Bytes.frame(0, [0xA4])
    let (heard, end, _) = try await hear(bytes.map { [$0] }, answers: 1)
    #expect(try end.get().status == 101)
    #expect(heard.messages == ["one", "\u{e4}"])
  }

  @Test(arguments: 0..<40)
  func aConnectionThatEndsAnywhereEndsTheStream(length: Int) async throws {
    let bytes =
      Bytes.text("one") + Bytes.frame(1, Array("tw".utf8), isLast: false) + Bytes.frame(0, Array("o".utf8))
    let (heard, end, _) = try await hear([Array(bytes.prefix(length))])
    #expect(try end.get().status == 101)
    #expect(["one", "two"].starts(with: heard.messages))
  }

  private static let broken: [(String, [[UInt8]])] = [
    ("a masked frame", [Bytes.frame(1, [65], mask: [1, 2, 3, 4])]),
    ("a reserved bit", [Bytes.frame(1, [65], reserved: 0x40)]), ("an unknown frame", [Bytes.frame(3, [65])]),
    ("an unknown control frame", [Bytes.frame(11)]), ("an end without a beginning", [Bytes.frame(0, [65])]),
    ("a beginning in a message", [Bytes.frame(1, [65], isLast: false), Bytes.text("b")]),
    ("a ping in parts", [Bytes.frame(9, [65], isLast: false)]),
    ("a long ping", [Bytes.frame(9, [UInt8](repeating: 65, count: 126))]),
    ("bytes that are not UTF-8", [Bytes.frame(1, [0xFF])]),
    ("UTF-8 that ends early", [Bytes.frame(1, [0xC3], isLast: false), Bytes.frame(0, [])]),
    ("a length of 2 to the 63", [[0x81, 127, 0x80, 0, 0, 0, 0, 0, 0, 0]]),
  ]

  @Test(arguments: broken)
  func aServerThatBreaksTheRulesIsNotListenedTo(what: String, pieces: [[UInt8]]) async throws {
    let (heard, end, sent) = try await hear(
      [Bytes.text("before")] + pieces + [Bytes.text("after")], closing: false)
    let expected: RequestFailure =
      what.hasPrefix("a length")
      ? .tooLarge(limit: Limits.streamMessageBytes)
      : .malformed(reason: "the server violates the WebSocket protocol")
    #expect(end.failure == expected)
    #expect(heard.messages == ["before"])
    #expect(Bytes.sent(sent).last??.opcode == 8)
  }

  @Test func aMessageIsLimitedInOneFrameAndInMany() async throws {
    let most = [UInt8](repeating: 65, count: Limits.streamMessageBytes)
    let (whole, fine, _) = try await hear([Bytes.frame(1, most)])
    #expect(whole.messages.map(\.utf8.count) == [most.count])
    #expect(try fine.get().status == 101)
    for pieces in [
      [Bytes.frame(1, most + [65])], [Bytes.frame(1, most, isLast: false), Bytes.frame(0, [65])],
    ] {
      let (heard, end, _) = try await hear(pieces, closing: false)
      #expect(end.failure == .tooLarge(limit: Limits.streamMessageBytes))
      #expect(heard.messages == [])
    }
  }

  @Test func aMessageMayComeInManyParts() async throws {
    let count = 20_000
    let parts =
      [Bytes.frame(1, [65], isLast: false)] + (0..<count).map { _ in Bytes.frame(0, [65], isLast: false) }
    let frames = parts.joined() + Bytes.frame(0, []) + Bytes.frame(8, [0x03, 0xE9])
    let (heard, end, sent) = try await hear([Array(frames)], closing: false)
    #expect(try end.get().status == 101)
    #expect(heard.messages.map(\.utf8.count) == [count + 1])
    #expect(Bytes.sent(sent).last??.payload == [0x03, 0xE9])
  }

  /// A server that sends pings without end and reads nothing: only the last ping that could be answered is answered.
  @Test func pingsThatCannotBeAnsweredAreNotKept() async throws {
    let held = HeldConnection()
    let server = try await LoopbackServer.start {
      $0.path == "/poll" ? .response("200 OK", [], "polled") : .webSocket(held, $0)
    }
    defer { server.stop() }
    let heard = Heard()
    let pings = [UInt8](
      [[UInt8]](repeating: Bytes.frame(9, [UInt8](repeating: 1, count: 125)), count: 2000).joined())
    let rounds = 128
    try await withTransport { transport in
      async let end = transport.listen(server.url("/"), .webSocket, heard)
      try await held.setReading(false)
      for round in 0..<rounds {
        try await held.send([pings])
        // Other requests get responses in the meantime.
        if round % 32 == 0 { #expect(await transport.failure(server.url("/poll")) == nil) }
      }
      try await held.send([Bytes.frame(9, Array("last".utf8)), Bytes.text("behind")])
      await heard.received(1)
      try await held.setReading(true)
      let last = { @Sendable (sent: [UInt8]) in
        Bytes.sent(sent.suffix(10)).first??.payload == Array("last".utf8)
      }
      let sent = await held.wait { $0.isClosed || last($0.received) }.received
      #expect(last(sent))
      // This is the amount that the system's buffers hold; 34 MB had to be answered.
      #expect(sent.count < rounds * pings.count / 2)
      await held.close()
      let response = try await end.get()
      #expect(response.status == 101)
    }
  }

  @Test func mutatedBytesNeverTrap() async throws {
    var state: UInt64 = 0x9e37_79b9_7f4a_7c15
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    let bytes =
      Bytes.text("one") + Bytes.frame(9, [1]) + Bytes.frame(1, [65], isLast: false) + Bytes.frame(0, [66])
      + Bytes.frame(1, [UInt8](repeating: 67, count: 200)) + Bytes.frame(8, [3, 232])
    for _ in 0..<60 {
      var mutated = bytes
      for _ in 0...next(3) { mutated[next(mutated.count)] = UInt8(next(256)) }
      let (heard, _, _) = try await hear([mutated])
      #expect(heard.opened == 1 && heard.messages.count <= 5)
    }
  }

  @Test(arguments: [
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: x\r\n\r\n",
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n",
    "HTTP/1.1 101 Switching Protocols\r\n\r\n",
  ])
  func aHandshakeThatIsWrongOpensNothing(answer: String) async throws {
    let server = try await LoopbackServer.start { _ in .raw(answer) }
    defer { server.stop() }
    let heard = Heard()
    let end = try await withTransport { await $0.listen(server.url("/"), .webSocket, heard) }
    #expect(end.failure == .malformed(reason: "the response is not a WebSocket"))
    #expect(heard.opened == 0)
  }

  @Test(arguments: [
    ("HTTP/1.1 403 No\r\nContent-Length: 100\r\n\r\nforbid", "forbid"),
    ("HTTP/1.1 403 No\r\n\r\nforbid", "forbid"), ("HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n", ""),
    ("HTTP/1.1 403 No\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nforbid\r\nzz\r\n", "forbid"),
  ])
  func aRefusalThatIsCutOffStillHasItsStatus(answer: String, body: String) async throws {
    let server = try await LoopbackServer.start { _ in .raw(answer) }
    defer { server.stop() }
    let response = try await withTransport { try await $0.listen(server.url("/"), .webSocket).get() }
    #expect(response.status == 403)
    #expect(String(decoding: response.body, as: UTF8.self) == body)
  }

  @Test func aPageIsNotAWebSocket() async throws {
    let server = try await LoopbackServer.start { _ in .response("200 OK", [], "<html>") }
    defer { server.stop() }
    let heard = Heard()
    let response = try await withTransport { try await $0.listen(server.url("/"), .webSocket, heard).get() }
    #expect(response.status == 200)
    #expect(heard.opened == 0)
  }

  @Test func aServerThatClosesInTheHandshakeCutsOff() async throws {
    for answer in [Answer.nothing, .raw("HTTP/1.1 101 Swit"), .raw("SSH-2.0-x\r\n\r\n")] {
      let server = try await LoopbackServer.start { _ in answer }
      let end = try await withTransport { await $0.listen(server.url("/"), .webSocket) }
      server.stop()
      if case .cutOff = end.failure { continue }
      #expect(end.failure == .malformed(reason: "the response is not HTTP"))
    }
  }

  @Test func aPortWithoutAServerRefuses() async throws {
    let end = try await withTransport { await $0.listen("http://127.0.0.1:1/", .webSocket) }
    #expect(end.failure == .refused(host: "127.0.0.1", port: 1))
    let name = try await withTransport { await $0.listen("http://no-such-host.invalid/", .webSocket) }
    #expect(name.failure == .nameNotFound(host: "no-such-host.invalid"))
  }

  @Test func theHandshakeOfTLSHasTheTimeToConnect() async throws {
    let server = try await LoopbackServer.start { _ in .hang }
    defer { server.stop() }
    let end = try await withTransport {
      await $0.listen(server.url("/", scheme: "https"), .webSocket) { $0.connectTimeout = .milliseconds(200) }
    }
    #expect(end.failure == .timedOut(.handshake, seconds: 0.2))
  }

  @Test(arguments: [(TestCertificates.good, true), (TestCertificates.selfSigned, false)])
  func certificatesAreChecked(certificate: String, isTrusted: Bool) async throws {
    let context = try TestCertificates.context(certificate)
    let held = HeldConnection()
    let server = try await LoopbackServer.start(tls: context) { .webSocket(held, $0) }
    defer { server.stop() }
    let heard = Heard()
    try await withTransport {
      $0.trust = try TestCertificates.trust()
    } _: { transport in
      async let end = transport.listen(server.url("/", scheme: "https", host: "localhost"), .webSocket, heard)
      if isTrusted {
        try await held.send([Bytes.text("safe")])
        await heard.received(1)
        await held.close()
        let response = try await end.get()
        #expect(response.status == 101)
      } else {
        #expect(
          await end.failure
            == .tls(
              host: "localhost",
              reason: "the certificate is self-signed; if you trust it, name the certificate in ca_file"))
      }
    }
    #expect(heard.messages == (isTrusted ? ["safe"] : []))
  }

  @Test func aProxyIsAskedForATunnel() async throws {
    let held = HeldConnection()
    let proxy = try await LoopbackServer.start { request in
      request.method == "CONNECT"
        ? .keptOpen(Array("HTTP/1.1 200 Fine\r\n\r\n".utf8)) : .webSocket(held, request)
    }
    defer { proxy.stop() }
    let heard = Heard()
    try await withTransport {
      $0.proxies = ProxySettings(environment: ["http_proxy": "http://me:pass@127.0.0.1:\(proxy.port)"])
    } _: { transport in
      async let end = transport.listen("http://gotify.example/stream", .webSocket, heard)
      try await held.send([Bytes.text("through")])
      await heard.received(1)
      await held.close()
      let response = try await end.get()
      #expect(response.status == 101)
    }
    #expect(proxy.requests.map(\.line) == ["CONNECT gotify.example:80 HTTP/1.1", "GET /stream HTTP/1.1"])
    #expect(proxy.requests.map { $0["Proxy-Authorization"] } == ["Basic bWU6cGFzcw==", nil])
    #expect(proxy.requests.map { $0["Host"] } == ["gotify.example:80", "gotify.example"])
  }

  @Test(arguments: [
    ("407 No", "127.0.0.1 asks for a name and a password"),
    ("403 No", "127.0.0.1 refuses to connect to gotify.example"),
  ])
  func aProxyThatRefusesIsNamed(status: String, reason: String) async throws {
    let proxy = try await LoopbackServer.start { _ in .response(status) }
    defer { proxy.stop() }
    let end = try await withTransport {
      $0.proxies = ProxySettings(environment: ["http_proxy": "127.0.0.1:\(proxy.port)"])
    } _: {
      await $0.listen("http://gotify.example/stream", .webSocket)
    }
    #expect(end.failure == .proxy(reason: reason))
  }

  @Test(arguments: [
    [5, 0, 0, 1, 127, 0, 0, 1, 0, 80], [5, 0, 0, 3, 4, 97, 98, 99, 100, 0, 80],
    [5, 5, 0, 1, 0, 0, 0, 0, 0, 0],
  ])
  func aSOCKSProxyConnectsByTheServersName(answer: [UInt8]) async throws {
    let held = HeldConnection()
    let proxy = try await LoopbackServer.startHeld(held)
    defer { proxy.close(promise: nil) }
    let port = try #require(proxy.localAddress?.port)
    try await withTransport {
      $0.proxies = ProxySettings(environment: ["all_proxy": "socks5h://127.0.0.1:\(port)"])
    } _: { transport in
      async let end = transport.listen("http://gotify.example:81/stream", .webSocket)
      await held.wait { $0.received.count == 3 }
      try await held.send([[5], [0]])
      let name = Array("gotify.example".utf8)
      let asked = [5, 1, 0, 5, 1, 0, 3, UInt8(name.count)] + name + [0, 81]
      let request = await held.wait { $0.received.count >= asked.count }
      #expect(request.received == asked)
      try? await held.send(answer.map { [$0] })
      if answer[1] == 0 {
        let head = await held.wait { $0.received.suffix(4) == Array("\r\n\r\n".utf8)[...] }
        #expect(
          String(decoding: head.received.dropFirst(asked.count), as: UTF8.self).hasPrefix(
            "GET /stream HTTP/1.1\r\n"))
        try await held.send("HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n")
        let response = try await end.get()
        #expect(response.status == 401)
      } else {
        #expect(await end.failure == .proxy(reason: "127.0.0.1 refuses to connect to gotify.example:81"))
      }
    }
  }
}
