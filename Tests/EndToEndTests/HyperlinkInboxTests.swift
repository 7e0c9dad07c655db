import Foundation
import TerminalHarness
import Testing

/// Links of messages in a terminal that has links.
@Suite struct HyperlinkInboxTests {
  private static let html = """
    <p>See <a href="https://one.example/path?a=1;b=2#x">the first page</a> and \
    <a href="mailto:team@two.example">write to us</a>.</p>
    <p><a href="https://three.example/">\(String(repeating: "a link of many 单词 ", count: 12))</a></p>
    <p>\(String(repeating: "And much more text. ", count: 60))</p>
    <p><a href="javascript:alert(1)">script</a>
    <a href="https://four.example/&#27;]8;;&#7;https://evil.example">hostile</a>
    <a href="https://five.example/\(String(repeating: "x", count: 10_000))">long</a>
    <a href="https://six.example/é&#10;&quot;">encoded</a></p><p>The end.</p>
    """

  private func household(_ lines: String) throws -> Household {
    let household = try Household()
    let item: [String: Any] = [
      "id": 1, "title": "Links", "time": "2026-11-20T09:00:00Z", "html": Self.html,
      "url": "https://zero.example/",
    ]
    let others: [[String: Any]] = ["08", "10"].map {
      ["id": $0, "title": "At \($0)", "time": "2026-11-20T\($0):00:00Z", "url": "https://other.example/"]
    }
    let feed = try household.write("feed.json", try native("The team", [item] + others))
    try household.settings(lines, sources: [("team", feed, "kind = \"native\"")])
    #expect(try household.run("poll", "--all").exit == .status(0))
    return household
  }

  /// Creates another home with the same messages and the same times of polls, which differ if a home polls itself.
  private func copy(of first: Household, _ lines: String) throws -> Household {
    let household = try Household()
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: first.database + suffix) {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: first.database + suffix))
      try household.write(household.database + suffix, bytes)
    }
    try household.settings(lines, sources: [("team", "\(first.home)/feed.json", "kind = \"native\"")])
    return household
  }

  /// The addresses of the links on the screen.
  private func addresses(_ screen: VirtualScreen) -> Set<String> {
    var found: Set<String> = []
    for row in 0..<screen.rows {
      for column in 0..<screen.columns {
        if let link = screen.place(column: column, row: row).link {
          found.insert(link.split(separator: ";", maxSplits: 1).last.map(String.init) ?? link)
        }
      }
    }
    return found
  }

  @Test func theScreenIsTheSameWithAndWithoutLinks() throws {
    let first = try household("hyperlinks = \"always\"")
    let plain = try copy(of: first, "hyperlinks = \"never\"").inbox(
      columns: 70, rows: 20, environment: ["VTE_VERSION": "7600"])
    let linked = try first.inbox(columns: 70, rows: 20)
    let second = try SecondScreen(columns: 70, rows: 20)
    second.feed(Array("\u{1B}]2;shell\u{7}$ reddot\r\n".utf8))
    var seen: Set<String> = []
    func compare(_ keys: String, _ text: String) throws {
      for terminal in [linked, plain] {
        let before = terminal.screen.text
        terminal.send(keys)
        try terminal.wait(for: text) { $0.screen.text != before && $0.screen.text.contains(text) }
      }
      // Both terminals may still receive output. The first line is skipped, since the time of the next poll in it is random.
      try eventually("the same screen after \(keys.debugDescription)") {
        for terminal in [linked, plain] { terminal.read(for: 0) }
        return linked.screen.lines.dropFirst() == plain.screen.lines.dropFirst()
      }
      second.follow(linked)
      #expect(second.differences(from: linked.screen) == [], "after \(keys.debugDescription)")
      for row in 1..<20 {
        for column in 0..<70 {
          var place = linked.screen.place(column: column, row: row)
          place.link = nil
          #expect(place == plain.screen.place(column: column, row: row), "\(keys): \(column),\(row)")
        }
      }
      seen.formUnion(addresses(linked.screen))
    }
    try compare("", "Links")
    try compare("j", "Links")
    try compare("\r", "the first page")
    for _ in 0..<6 { try compare("j", "And much more") }
    try compare("?", "Moving")
    #expect(addresses(linked.screen).isEmpty)
    try compare("\u{1B}", "And much more")
    try compare("G", "six.example")
    try compare("g", "zero.example")
    #expect(linked.screen.unknown == [])
    #expect(addresses(linked.screen).contains("https://zero.example/"))
    try plain.leaveFromAnywhere()
    try linked.leaveFromAnywhere()
    #expect(
      seen == [
        "https://zero.example/", "https://one.example/path?a=1;b=2#x", "mailto:team@two.example",
        "https://three.example/", "https://four.example/%EF%BF%BD]8;;%EF%BF%BDhttps://evil.example",
        "https://six.example/%C3%A9%22",
      ])
    let bytes = String(decoding: plain.bytes, as: UTF8.self)
    #expect(!bytes.contains("\u{1B}]8"))
  }

  @Test func onlyATerminalThatIsKnownGetsLinks() throws {
    let household = try household("")
    for (variables, hasLinks) in [([:], false), (["VTE_VERSION": "7600"], true)] {
      let terminal = try household.inbox(columns: 70, rows: 20, environment: variables)
      try terminal.wait(forText: "Links")
      terminal.send("j\r")
      try terminal.wait(forText: "the first page")
      #expect(addresses(terminal.screen).contains("https://zero.example/") == hasLinks)
      #expect(String(decoding: terminal.bytes, as: UTF8.self).contains("\u{1B}]8") == hasLinks)
      try terminal.leaveFromAnywhere()
    }
  }
}
