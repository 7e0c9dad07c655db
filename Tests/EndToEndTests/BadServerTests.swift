import Foundation
import TerminalHarness
import Testing

/// Servers with wrong, incomplete, slow and huge responses: each causes a line in the timeline, and stored data stays.
@Suite struct BadServerTests {
  private static let good = rss("Team", [item(2, "Second"), item(1, "First")])

  private struct Lie: Sendable {
    /// The name of the document and of its source.
    var name: String
    var said: String
    var more = ""
    var answer: LyingServer.Answer
  }

  private static func plain(
    _ name: String, _ said: String, _ status: String = "200 OK", _ headers: [String] = [], body: Data = Data()
  ) -> Lie {
    Lie(name: name, said: said) { $0.respond(status, headers, body) }
  }

  private static let lies: [Lie] = [
    plain(
      "garbage", "not a feed",
      body: Data((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* $0 &+ 7 &* $0 >> 3) })),
    Lie(name: "no HTTP", said: "the response is not HTTP") {
      $0.write("220 mail.example ESMTP ready\r\n\r\n")
    },
    Lie(name: "nothing at all", said: "was cut off") { _ in },
    Lie(name: "half a body", said: "was cut off") { connection in
      connection.write(
        "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n\(rss("Team", [item(9, "Half")]).dropLast(20))")
    },
    Lie(name: "half a chunk", said: "was cut off") { connection in
      connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1000\r\n<rss><channel>")
    },
    Lie(name: "half a header", said: "was cut off") { $0.write("HTTP/1.1 200 OK\r\nContent-Le") },
    plain("an empty body", "not a feed"),
    plain(
      "HTML with 200", "not a feed", "200 OK", ["Content-Type: application/rss+xml"],
      body: Data(
        "<!doctype html><html><head><title>Log in</title></head><body><h1>Log in</h1></body></html>".utf8)),
    plain("JSON of another kind", "not a feed", body: Data(#"{"error": "no such project"}"#.utf8)),
    plain("a redirect to itself", "redirected more than 10 times", "302 Found", ["Location: /feed9"]),
    plain(
      "a redirect to a file", "redirects to file:///etc/passwd", "302 Found", ["Location: file:///etc/passwd"]
    ),
    plain("a redirect to nowhere", "redirects to", "301 Moved", []),
    plain("500", "The server answered 500", "500 Internal Server Error"),
    plain("404", "The server answered 404", "404 Not Found"),
    plain(
      "broken gzip", "its compression is damaged", "200 OK", ["Content-Encoding: gzip"],
      body: Data([0x1F, 0x8B, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9])),
    Lie(name: "a slow drip", said: "No answer after 1 second", more: "request_timeout = \"1s\"") {
      connection in
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n<rss>")
      while !connection.waitForClose(20), connection.write(" ") {}
    },
    Lie(name: "silence", said: "No answer after 1 second", more: "request_timeout = \"1s\"") {
      connection in
      connection.waitForClose()
    },
    Lie(
      name: "more than the limit", said: "larger than the limit of 64 KiB",
      more: "response_limit = \"64 KiB\""
    ) { connection in
      connection.write("HTTP/1.1 200 OK\r\n\r\n<rss>")
      let spaces = Data(repeating: 0x20, count: 16 << 10)
      for _ in 0..<64 where !connection.write(spaces) { return }
    },
    Lie(
      name: "a gzip bomb", said: "larger than the limit of 8 MiB", more: "response_limit = \"8 MiB\""
    ) { connection in
      connection.respond("200 OK", ["Content-Encoding: gzip"], GzipBomb.bytes(megabytes: 32))
    },
  ]

  /// All bad responses arrive in one round, each for a separate source.
  @Test func aBadResponseCausesOnlyALine() throws {
    let server = try LyingServer()
    let household = try Household()
    let lies = Array(Self.lies.enumerated())
    func settings(_ more: (Lie) -> String = { _ in "" }) throws {
      try household.settings(sources: lies.map { ($1.name, server.url("/feed\($0)"), more($1)) })
    }
    /// Two messages with one link would be one.
    func answer(_ messages: [(number: Int, title: String)]) {
      for (index, _) in lies {
        let items = messages.map { item($0.number, $0.title, site: "site\(index)") }
        server.answer("/feed\(index)", text: rss("Team", items))
      }
    }
    func expectEach(_ text: String, _ ran: Ran, sourceLocation: SourceLocation = #_sourceLocation) {
      ran.expect(lies.map { "\($1.name): \(text)" }.joined(), sourceLocation: sourceLocation)
    }
    func list() throws -> String { try household.run("list", "--json", "--limit", "1000").output }

    try settings()
    answer([(2, "Second"), (1, "First")])
    expectEach("2 new\n  Second\n  First\n", try household.run("poll", "--all"))
    let before = try list()
    #expect(before.filter { $0 == "\n" }.count == 2 * lies.count)

    // Only the bad responses have a short timeout: a normal one may be slow on a busy machine.
    try settings(\.more)
    for (index, lie) in lies { server.answer("/feed\(index)", lie.answer) }
    let ran = try household.run("poll", "--force")
    #expect(ran.exit == .status(1))
    #expect(ran.output == "")
    let lines = ran.errors.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(lines.count == lies.count + 1 && lines.last == "", "\(ran.errors)")
    for ((_, lie), line) in zip(lies, lines) {
      let start = "reddot: \(lie.name): "
      #expect(line.hasPrefix(start) && line.dropFirst(start.count).contains(lie.said), "\(line)")
    }
    #expect(try list() == before)
    for (_, lie) in lies {
      let why = try household.run("why", lie.name).output
      #expect(why.contains("the normal interval"), "\(lie.name)")
      #expect(why.contains(lie.said), "\(lie.name)")
    }

    // Afterwards the sources continue from their positions.
    try settings()
    answer([(3, "Third"), (2, "Second")])
    expectEach("1 new\n  Third\n", try household.run("poll", "--force"))
    for (_, lie) in lies {
      #expect(try household.run("why", lie.name).output.contains("the normal interval"), "\(lie.name)")
    }
  }

  @Test func validatorsGoBackByteForByteAnd304IsNothingNew() throws {
    let server = try LyingServer()
    let household = try Household()
    try household.settings(sources: [(name: "team", url: server.url("/feed"), more: "grace = \"1ms\"")])
    let etag = #"W/"odd é%20\""#
    server.answer(
      "/feed", headers: ["ETag: \(etag)", "Last-Modified: Fri, 20 Nov 2026 1:2:3 GMT"], text: Self.good)
    #expect(try household.run("poll", "--all").exit == .status(0))
    server.answer("/feed", status: "304 Not Modified", text: "")
    try household.run("poll", "--all").expect("team: Nothing new\n")
    let request = try #require(server.requests("/feed").last)
    #expect(request.headers["if-none-match"] == etag)
    #expect(request.headers["if-modified-since"] == "Fri, 20 Nov 2026 1:2:3 GMT")
    #expect(request.headers["user-agent"]?.hasPrefix("reddot/") == true)
    #expect(try household.run("why", "team").output.contains("nothing new (304)"))
    // A forced poll returns the document, whatever the server's response to its validators would be.
    server.answer("/feed", text: Self.good)
    try household.run("poll", "--force").expect("team: Nothing new\n")
    #expect(server.requests("/feed").last?.headers["if-none-match"] == nil)
  }

  @Test func aServerWithRetryAfterGetsNoForcedPoll() throws {
    let server = try LyingServer()
    let household = try Household()
    try household.settings(sources: [
      (name: "team", url: server.url("/feed"), more: ""),
      (name: "other", url: server.url("/other"), more: ""),
    ])
    server.answer("/feed", status: "429 Too Many Requests", headers: ["Retry-After: 3600"], text: "")
    server.answer("/other", text: Self.good)
    let first = try household.run("poll", "team")
    #expect(first.exit == .status(1))
    #expect(first.errors == "reddot: team: The server asked to wait (429).\n")
    // The hold applies to the whole host, in other processes, and to forced polls.
    let second = try household.run("poll", "--force")
    #expect(second.exit == .status(0))
    #expect(
      second.output.timeless
        == """
        team: Held back until TIME: the server asked to wait (127.0.0.1:\(server.port))
        other: Held back until TIME: the server asked to wait (127.0.0.1:\(server.port))

        """.timeless)
    #expect(server.requests("/feed").count == 1)
    #expect(server.requests("/other").isEmpty)
  }

  @Test func aSourceThatIsGoneStops() throws {
    let server = try LyingServer()
    let household = try Household()
    try household.settings(sources: [(name: "team", url: server.url("/feed"), more: "")])
    server.answer("/feed", text: Self.good)
    #expect(try household.run("poll", "--all").exit == .status(0))
    server.answer("/feed", status: "410 Gone", text: "")
    try household.run("poll", "--force").expectFailure(
      "team: The source is gone for good (410) and is not polled any more.")
    #expect(
      try household.run("why", "team").output.hasPrefix("next poll: never (the source is gone for good)\n"))
    #expect(try household.messages().count == 2)
  }

  @Test func aHundredThousandItemsAreTakenIn() throws {
    let server = try LyingServer()
    let household = try Household()
    try household.settings(sources: [(name: "board", url: server.url("/board"), more: "kind = \"native\"")])
    let list = (1...100_000).map { #"{"id":\#($0),"title":"Item \#($0)"}"# }.joined(separator: ",")
    server.answer("/board", text: #"{"list":[\#(list)]}"#)
    let ran = try household.run("poll", "--all")
    #expect(ran.output.hasPrefix("board: 100000 new\n  Item 100000\n"))
    #expect(ran.output.hasSuffix("  … and 99980 more\n"))
    #expect(ran.exit == .status(0))
    try household.run("status").expect("● 20\n")
    #expect(try household.run("sources").output.hasPrefix("● board  20/100000  native"))
  }
}

/// Zeros, packed a thousand to one (RFC 1951, section 3.2.6, by hand: nothing here can pack).
enum GzipBomb {
  static func bytes(megabytes: Int) -> Data {
    var bits = BitWriter()
    bits.data = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3])
    // The last block, with fixed codes.
    bits.write(0b011, 3)
    // A literal zero, then 258 times the byte before.
    bits.writeReversed(0b0011_0000, 8)
    let repeats = (megabytes << 20) / 258
    for _ in 0..<repeats {
      bits.writeReversed(0b1100_0101, 8)
      bits.writeReversed(0, 5)
    }
    bits.writeReversed(0, 7)
    bits.flush()
    return bits.data
  }

  private struct BitWriter {
    var data = Data()
    private var buffer: UInt32 = 0
    private var count = 0

    mutating func write(_ value: UInt32, _ bits: Int) {
      buffer |= value << UInt32(count)
      count += bits
      while count >= 8 {
        data.append(UInt8(truncatingIfNeeded: buffer))
        buffer >>= 8
        count -= 8
      }
    }

    mutating func writeReversed(_ value: UInt32, _ bits: Int) {
      var reversed: UInt32 = 0
      for bit in 0..<bits where value & (1 << UInt32(bit)) != 0 { reversed |= 1 << UInt32(bits - 1 - bit) }
      write(reversed, bits)
    }

    mutating func flush() { if count > 0 { write(0, 8 - count) } }
  }
}
