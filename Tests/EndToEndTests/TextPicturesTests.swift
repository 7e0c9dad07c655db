import Foundation
import TerminalHarness
import Testing

/// Pictures in a message's text, from its feed to the cells of the terminal.
@Suite(.serialized) struct TextPicturesTests {
  private let household: Household
  private let server: LyingServer

  init() throws {
    household = try Household()
    server = try LyingServer()
  }

  private func settings(_ lines: String = "") throws {
    try household.settings(
      "\(lines)\n[poll]\ninitial_delay = \"1ms\"", sources: [("blog", server.url("/feed"), "")])
  }

  /// A feed with a post that has pictures at those paths.
  private func serve(_ paths: [String]) throws {
    let pictures = paths.map { "<p><img src=\"\(server.url($0))\" alt=\"at \($0)\"></p>" }.joined()
    let html = "<description><![CDATA[<p>Light to you.</p>\(pictures)<p>Good bye.</p>]]></description>"
    server.answer(
      "/feed", text: rss("Blog", [item(3, "Newest"), item(2, "Festival", more: html), item(1, "Other")]))
    for path in paths {
      server.answer(path, headers: ["Content-Type: image/png"], body: try PosterTests.png)
    }
  }

  private func open(columns: Int = 150, environment: [String: String] = [:]) throws -> PseudoTerminal {
    let terminal = try household.inbox(columns: columns, rows: 30, environment: environment)
    try terminal.wait(forText: "Festival")
    terminal.send("ggj")
    try terminal.wait(forText: columns < 140 ? "Festival" : "Light to you.")
    return terminal
  }

  /// Returns the number of rows of the reader with coloured cells: 16 by 16 pixels are two of them.
  private func drawnRows(_ terminal: PseudoTerminal, from column: Int) -> Int {
    (0..<terminal.screen.lines.count).filter { row in
      (column..<column + 60).contains { column in
        let place = terminal.screen.place(column: column, row: row)
        return ["▄", "▀", " "].contains(place.text) && place.look.background.hasPrefix("48;5;")
      }
    }.count
  }

  private func requests(_ paths: [String]) -> [Int] { paths.map { server.requests($0).count } }

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/chafa"), "skipped: no chafa"))
  func theyAreDrawnAfterOpeningAndNotFetchedBefore() throws {
    try settings()
    try serve(["/1.png", "/2.png"])
    let terminal = try open()
    try terminal.wait(forText: "[image: at /2.png]")
    terminal.readUntilQuiet()
    #expect(requests(["/1.png", "/2.png"]) == [0, 0])
    terminal.send("\r")
    try terminal.wait(for: "two pictures") { drawnRows($0, from: 88) == 2 }
    #expect(terminal.screen.text.contains("[image: at /1.png]") && terminal.screen.text.contains("Good bye."))
    #expect(requests(["/1.png", "/2.png"]) == [1, 1])
    #expect(
      server.requests("/1.png").allSatisfy {
        $0.headers["cookie"] == nil && $0.headers["authorization"] == nil
      })
    terminal.resize(columns: 60, rows: 24)
    try terminal.wait(for: "a frame") { $0.screen.lines.last?.contains("help") == true }
    terminal.readUntilQuiet()
    #expect(requests(["/1.png", "/2.png"]) == [1, 1])
    #expect(terminal.screen.unknown == [])
    try terminal.leave()
  }

  @Test func leavingTheMessageEndsTheRequest() throws {
    try household.settings(
      "[poll]\ninitial_delay = \"1ms\"\nrequest_timeout = \"1h\"\npoll_deadline = \"2h\"",
      sources: [("blog", server.url("/feed"), "")])
    try serve(["/1.png", "/2.png"])
    let ended = DispatchSemaphore(value: 0)
    server.answer("/1.png") { connection in
      connection.write(
        "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 100000\r\n\r\n\u{89}PNG")
      while !connection.waitForClose(20), connection.write(" ") {}
      ended.signal()
    }
    // A program of that name is enough for the request.
    try household.write("bin/chafa", "#!/bin/sh\nexit 1\n")
    chmod("\(household.home)/bin/chafa", 0o755)
    let terminal = try open(environment: ["PATH": "\(household.home)/bin:/usr/bin:/bin"])
    terminal.send("\r")
    try eventually("the request") { !server.requests("/1.png").isEmpty }
    terminal.send("hj")
    try terminal.wait(for: "the bar below") { $0.chosen.contains("Other") }
    #expect(ended.wait(timeout: .now() + .seconds(60)) == .success)
    #expect(requests(["/2.png"]) == [0])
    try terminal.leave()
  }
}
