import Foundation
import TerminalHarness
import Testing

/// Posters: fetched on opening, drawn if the terminal can, else replaced by a sentence.
@Suite(.serialized) struct PosterTests {
  /// 16 by 16 pixels, red and blue squares.
  private static let picture = """
    iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAIklEQVR42mNgYPgPR/+ROLjFB58G4kxF4g1CDaPxMCg0AACR6v8BTjsT
    ZwAAAABJRU5ErkJggg==
    """

  static var png: Data {
    get throws { try #require(Data(base64Encoded: picture, options: .ignoreUnknownCharacters)) }
  }

  private func team() throws -> Team {
    let team = try Team()
    try team.serve(
      #"{"id": 1, "type": 2, "actiondata": {"title": "Other", "msg": "Nothing to see."}}"#,
      #"""
      {"id": 2, "type": 2, "poster": "\#(team.server.url("/poster"))",
        "actiondata": {"title": "Festival", "msg": "Light to you."}}
      """#,
      #"{"id": 3, "type": 2, "actiondata": {"title": "Newest", "msg": "Nothing here either."}}"#)
    team.server.answer("/poster", headers: ["Content-Type: image/png"], body: try Self.png)
    return team
  }

  /// The inbox with the poster's message chosen.
  private func open(_ team: Team, environment: [String: String] = [:]) throws -> PseudoTerminal {
    let terminal = try team.household.inbox(columns: 150, rows: 30, environment: environment)
    try terminal.wait(forText: "Festival")
    terminal.send("ggj")
    try terminal.wait(forText: "Light to you.")
    return terminal
  }

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/chafa"), "skipped: no chafa"))
  func itIsDrawnAfterOpeningAndNotFetchedBefore() throws {
    let team = try team()
    let terminal = try open(team)
    #expect(terminal.screen.text.contains("Light to you."))
    terminal.readUntilQuiet()
    #expect(team.server.requests("/poster").isEmpty)
    terminal.send("\r")
    try terminal.wait(for: "half blocks in two colours") { terminal in
      let places = (0..<30).flatMap { row in
        (85..<150).map { terminal.screen.place(column: $0, row: row) }
      }
      let blocks = places.filter {
        $0.text == "▄" || $0.text == "▀" || ($0.text == " " && $0.look.background.hasPrefix("48;5;"))
      }
      return Set(blocks.map(\.look.background)).count >= 2
    }
    #expect(team.server.requests("/poster").count == 1)
    try terminal.wait(forText: team.server.url("/poster"))
    // Drawn again for another size, but not fetched again.
    terminal.resize(columns: 60, rows: 24)
    try terminal.wait(for: "a frame") { $0.screen.lines.last?.contains("help") == true }
    terminal.readUntilQuiet()
    #expect(team.server.requests("/poster").count == 1)
    #expect(terminal.screen.unknown == [])
    try terminal.leave()
  }

  struct Lie: Sendable {
    var name: String
    var said: String
    var answer: LyingServer.Answer
  }

  private static func header(width: UInt32, height: UInt32) -> Data {
    var data = Data([0x89, 0x50, 0x4E, 0x47, 0xD, 0xA, 0x1A, 0xA, 0, 0, 0, 13]) + Data("IHDR".utf8)
    for number in [width, height] {
      data += (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }
    return data + Data([8, 2, 0, 0, 0, 0, 0, 0, 0])
  }

  private static func plain(
    _ name: String, _ said: String, _ status: String = "200 OK",
    _ headers: [String] = ["Content-Type: image/png"],
    _ body: Data = Data()
  ) -> Lie {
    Lie(name: name, said: said) { $0.respond(status, headers, body) }
  }

  static let lies: [Lie] = [
    plain(
      "SVG", "it is not a PNG", "200 OK", ["Content-Type: image/svg+xml"],
      Data("<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>".utf8)),
    plain("HTML", "it is not a PNG", body("<!doctype html><h1>Log in</h1>")),
    plain("nothing", "it is not a PNG"),
    plain(
      "a feed's type", "it is not a PNG", "200 OK", ["Content-Type: text/html"], header(width: 1, height: 1)),
    plain("404", "The server answered 404", "404 Not Found"),
    plain("too many pixels", "24 million", body(header(width: 100_000, height: 100_000))),
    plain("cut off", "it is damaged", body(header(width: 100, height: 100))),
    plain(
      "a gzip bomb", "larger than 16 MiB", "200 OK", ["Content-Type: image/png", "Content-Encoding: gzip"],
      GzipBomb.bytes(megabytes: 32)),
    plain("a redirect to a file", "redirects to file:", "302 Found", ["Location: file:///etc/passwd"]),
    Lie(name: "half of it", said: "broke off") {
      $0.write("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 5000\r\n\r\n\u{89}PNG")
    },
  ]

  private static func plain(_ name: String, _ said: String, _ body: Data) -> Lie {
    plain(name, said, "200 OK", ["Content-Type: image/png"], body)
  }

  private static func body(_ text: String) -> Data { Data(text.utf8) }
  private static func body(_ data: Data) -> Data { data }

  /// Ten messages, each with a poster that is none.
  @Test func otherFilesThanPicturesCauseASentenceAndKeysStillWork() throws {
    let team = try Team()
    var items = [#"{"id": 1, "type": 2, "actiondata": {"title": "Other", "msg": "Nothing to see."}}"#]
    // The newest one is the first of the list.
    for (number, lie) in Self.lies.enumerated().reversed() {
      let path = "/poster\(number)"
      team.server.answer(path, lie.answer)
      items.append(
        #"""
        {"id": \#(100 - number), "type": 2, "poster": "\#(team.server.url(path))",
          "actiondata": {"title": "Festival \#(number)", "msg": "Light \#(number) to you."}}
        """#)
    }
    team.server.answer("/app", text: #"{"list": [\#(items.joined(separator: ",\n"))]}"#)
    let terminal = try team.household.inbox(columns: 80, rows: 30)
    try terminal.wait(forText: "Festival 0")
    terminal.send("gg")
    for (number, lie) in Self.lies.enumerated() {
      try terminal.wait(for: "the bar on number \(number)") { $0.chosen.contains("Festival \(number)") }
      terminal.send("\r")
      try terminal.wait(for: "\(lie.name): \(lie.said)") {
        $0.screen.text.contains("No picture: ") && $0.screen.text.contains(lie.said)
          && $0.screen.text.contains("Light \(number) to you.")
      }
      terminal.send("hj")
    }
    try terminal.wait(for: "the bar below") { $0.chosen.contains("Other") }
    try terminal.leave()
    for number in Self.lies.indices { #expect(team.server.requests("/poster\(number)").count == 1) }
  }

  @Test func aDripKeepsNoKeyWaiting() throws {
    let team = try team()
    try team.household.settings(
      "[poll]\ninitial_delay = \"1ms\"\nrequest_timeout = \"1h\"\npoll_deadline = \"2h\"",
      sources: [(name: "app", url: team.server.url("/app"), more: "kind = \"native\"")])
    team.server.answer("/poster") { connection in
      connection.write(
        "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 100000\r\n\r\n\u{89}PNG")
      while !connection.waitForClose(20), connection.write(" ") {}
    }
    let terminal = try open(team)
    terminal.send("\r")
    try terminal.wait(forText: "Loading the picture")
    terminal.send("h")
    terminal.send("j")
    try terminal.wait(forText: "Nothing to see.")
    // Quitting does not wait for a picture; this one takes an hour.
    try terminal.leave()
  }

  @Test(arguments: [["TERM": "xterm"], ["NO_COLOR": "1"], ["LC_ALL": "C"]])
  func whereItCannotBeDrawnItIsNotFetchedAndItsLinkIsOffered(_ environment: [String: String]) throws {
    let team = try team()
    let terminal = try open(team, environment: environment)
    terminal.send("\r")
    try terminal.wait(forText: team.server.url("/poster"))
    try terminal.leave()
    #expect(team.server.requests("/poster").isEmpty)
  }
}
