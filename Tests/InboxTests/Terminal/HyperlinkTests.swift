import Screen
import TerminalHarness
import Testing

@testable import Terminal

/// The link that a terminal has for each cell, however curses has drawn it.
@Suite struct HyperlinkTests {
  /// The probe's page of links, scrolled.
  private struct Page {
    var down = 0
    var right = 0
    var host: String? = "e.example"

    /// The first cells whose text or link isn't the page's.
    func problems(_ screen: VirtualScreen) -> [String] {
      var problems: [String] = []
      for row in 0..<screen.rows {
        let line = row + down
        let digit = line % 3 == 0 ? nil : line % 10
        let first = line % 5 == 0 ? screen.columns - 4 : 26 + right + line % 7
        for column in 0..<screen.columns where problems.count < 5 {
          let place = screen.place(column: column, row: row)
          let wanted = (first..<first + 4).contains(column) ? digit : nil
          let link = host.flatMap { host in wanted.map { "id=probe-\($0);https://\(host)/\($0)" } }
          if place.link != link
            || wanted.map({ place.text != "\($0)" }) == true
          {
            problems.append("\(column),\(row) \(place.text): \(place.link ?? "no link")")
          }
        }
        if !screen.lines[row].hasPrefix(" line \(line) and 日本語 words") { problems.append("row \(row)") }
      }
      return problems
    }
  }

  private func expect(
    _ page: Page, on terminal: PseudoTerminal, _ step: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    do {
      try terminal.wait(for: "the links") { page.problems($0.screen).isEmpty }
    } catch {
      let problems = page.problems(terminal.screen)
      Issue.record("\(step): \(problems)", sourceLocation: sourceLocation)
      throw error
    }
    #expect(terminal.screen.unknown == [], sourceLocation: sourceLocation)
  }

  private func isPlain(_ screen: VirtualScreen) -> Bool {
    (0..<screen.rows).allSatisfy { row in
      (0..<screen.columns).allSatisfy { screen.place(column: $0, row: row).link == nil }
    }
  }

  @Test(arguments: ["xterm-256color", "xterm", "tmux-256color"])
  func everyLinkedCellHasItsLinkAndNoOther(type: String) throws {
    let terminal = try startedProbe(columns: 60, rows: 16, environment: ["TERM": type, "LINKS": "1"])
    var page = Page()
    terminal.send("k")
    try expect(page, on: terminal, "first")
    // Scrolled by one line and by several, up and down, and shifted to the side.
    for (step, key) in "KKKKiKIKIIKKi".enumerated() {
      terminal.send(String(key))
      switch key {
      case "K": page.down += 1
      case "i": page.down = max(0, page.down - 3)
      case _: page.right += 2
      }
      try expect(page, on: terminal, "step \(step), \(key)")
    }
    // Replaced by other text, and back.
    terminal.send("h")
    try terminal.wait(for: "one word") { $0.screen.text.hasPrefix("hello") }
    #expect(isPlain(terminal.screen))
    terminal.send("k")
    try expect(Page(), on: terminal, "back")
  }

  /// Then curses sees no reason to write the cells.
  @Test func aLinkThatGoesFromItsTextLeavesNothing() throws {
    let terminal = try startedProbe(columns: 60, rows: 16, environment: ["LINKS": "1"])
    var page = Page()
    terminal.send("k")
    try expect(page, on: terminal, "first")
    for (step, key) in "vuvUVUvKuKv".enumerated() {
      terminal.send(String(key))
      if "UVK".contains(key) { page.down += 1 }
      if key != "K" { page.host = "uU".contains(key) ? nil : "v.example" }
      try expect(page, on: terminal, "step \(step), \(key)")
    }
  }

  @Test func linksAreThereAgainAfterEverythingThatClearsTheScreen() throws {
    let terminal = try startedProbe(columns: 60, rows: 16, environment: ["LINKS": "1"])
    var page = Page()
    terminal.send("k")
    try expect(page, on: terminal, "first")
    terminal.pretend("\u{1B}[3;1H\u{1B}]8;;https://noise.example\u{1B}\\noise\u{1B}]8;;\u{1B}\\")
    terminal.send("r")
    try expect(page, on: terminal, "drawn anew")
    for (columns, rows) in [(80, 24), (50, 9), (60, 16)] {
      terminal.resize(columns: columns, rows: rows)
      try expect(page, on: terminal, "\(columns)x\(rows)")
    }
    // Two sizes before one frame: the frame before has the size of the new one.
    terminal.resize(columns: 61, rows: 16)
    terminal.resize(columns: 60, rows: 16)
    terminal.send("K")
    page.down += 1
    try expect(page, on: terminal, "there and back")
    terminal.send("l")
    // This text is printed after the modes were restored, so Enter ends a line then.
    try terminal.wait(forText: "another program")
    #expect(!terminal.screen.isAlternate)
    #expect(isPlain(terminal.screen))
    terminal.send("\r")
    try terminal.wait(for: "the inbox") { $0.screen.isAlternate }
    try expect(page, on: terminal, "taken back")
  }

  @Test(arguments: ["xterm-256color", "xterm", "xterm-mono"])
  func aLinkedCellLooksAsWithoutItsLink(type: String) throws {
    let linked = try startedProbe(columns: 60, rows: 16, environment: ["TERM": type, "LINKS": "1"])
    let plain = try startedProbe(columns: 60, rows: 16, environment: ["TERM": type])
    var page = Page()
    linked.send("p")
    plain.send("p")
    for key in "kKIKi" {
      for terminal in [linked, plain] { terminal.send(String(key)) }
      switch key {
      case "K": page.down += 1
      case "i": page.down = max(0, page.down - 3)
      case "I": page.right += 2
      case _: break
      }
      try expect(page, on: linked, "\(key)")
      try plain.wait(for: "the same text") { $0.screen.text == linked.screen.text }
      for row in 0..<16 {
        for column in 0..<60 {
          var place = linked.screen.place(column: column, row: row)
          place.link = nil
          #expect(place == plain.screen.place(column: column, row: row), "\(key): \(column),\(row)")
        }
      }
      #expect((linked.screen.column, linked.screen.row) == (plain.screen.column, plain.screen.row))
    }
    #expect(isPlain(plain.screen))
    #expect(!String(decoding: plain.bytes, as: UTF8.self).contains("\u{1B}]8"))
    // Otherwise it would not be seen here whether links are right after curses has scrolled.
    if type != "xterm-mono" { #expect(String(decoding: plain.bytes, as: UTF8.self).contains(/\e\[\d+;\d+r/)) }
  }

  @Test(arguments: ["linux", "vt220"])
  func terminalsUnlikeXtermGetNoLinks(type: String) throws {
    let terminal = try startedProbe(columns: 60, rows: 16, environment: ["TERM": type, "LINKS": "1"])
    terminal.send("k")
    try terminal.wait(forText: "7777")
    #expect(!String(decoding: terminal.bytes, as: UTF8.self).contains("\u{1B}]8"))
  }

  @Test func withoutUTF8ThereAreNone() throws {
    let terminal = try startedProbe(columns: 60, rows: 16, environment: ["LC_ALL": "C", "LINKS": "1"])
    terminal.send("k")
    try terminal.wait(forText: "7777")
    #expect(!terminal.bytes.contains { $0 > 0x7E })
    #expect(!String(decoding: terminal.bytes, as: UTF8.self).contains("\u{1B}]8"))
  }
}
