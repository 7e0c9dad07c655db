import Foundation
import TerminalHarness
import Testing

/// Compares the tests' own terminal with libvterm: the same text in the same cells, with the same look, for the same
/// bytes.
@Suite struct SecondTerminalTests {
  /// A terminal with a program, and the second screen.
  private struct Pair {
    let terminal: PseudoTerminal
    let second: SecondScreen

    init(_ household: Household, columns: Int = 80, rows: Int = 24) throws {
      terminal = try household.inbox(columns: columns, rows: rows)
      second = try SecondScreen(columns: columns, rows: rows)
      // This is the output of `inbox` before the program.
      second.feed(Array("\u{1B}]2;shell\u{7}$ reddot\r\n".utf8))
    }

    /// Checks that the two terminals show the same for the output so far.
    func expectTheSame(_ moment: String, sourceLocation: SourceLocation = #_sourceLocation) {
      second.follow(terminal)
      #expect(second.differences(from: terminal.screen) == [], "\(moment)", sourceLocation: sourceLocation)
      #expect(terminal.screen.unknown == [], sourceLocation: sourceLocation)
    }

    func show(_ keys: String, _ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
      terminal.send(keys)
      try terminal.wait(forText: text)
      expectTheSame("after \(keys.debugDescription)", sourceLocation: sourceLocation)
    }

    /// Clears the screen first, since terminals differ in how much of it they keep.
    func resize(_ columns: Int, _ rows: Int) {
      terminal.resize(columns: columns, rows: rows)
      second.follow(terminal)
      second.resize(columns: columns, rows: rows)
      let erasing = "\u{1B}[2J"
      terminal.pretend(erasing)
      second.feed(Array(erasing.utf8))
    }
  }

  @Test func listReaderHelpSearchAndTheWayOut() throws {
    let pair = try Pair(try householdWithTwoSources())
    try pair.show("", "Lunch")
    try pair.show("j", "Release")
    try pair.show("\r", "Read on.")
    try pair.show("h", "Coffee & cake")
    try pair.show("s", "★")
    try pair.show("?", "Keys here")
    for key in ["\u{1B}[6~", "\u{1B}[B", "\u{1B}[A", "star", "\u{15}"] {
      pair.terminal.send(key)
      pair.terminal.readUntilQuiet(for: 20)
      pair.expectTheSame("help, \(key)")
    }
    try pair.show("\u{1B}", "Coffee & cake")
    pair.terminal.send("/Rel")
    try pair.terminal.wait(forNoText: "Lunch")
    pair.expectTheSame("the search")
    try pair.show("\u{1B}", "Lunch")
    try pair.terminal.leaveFromAnywhere()
    pair.expectTheSame("after the end")
  }

  @Test func everySizeThatAWindowTakes() throws {
    let pair = try Pair(try householdWithTwoSources())
    try pair.show("", "Lunch")
    for (columns, rows) in [(120, 40), (40, 10), (61, 17), (20, 5), (80, 24)] {
      pair.resize(columns, rows)
      try pair.terminal.wait(forText: "Lunch")
      pair.expectTheSame("\(columns)x\(rows)")
    }
  }

  @Test func wideCharactersMarksAndEmoji() throws {
    let texts = [
      "中文消息 混合 text", "한국어 메시지", "ひらがな、カタカナ。", "👩‍👩‍👧‍👦 😀🎉🚀 party", "❤️ 🏳️‍🌈 👍🏽 ok", "مرحبا بالعالم",
      "हिन्दी में नमस्ते", "ไทยภาษา", "e\u{301}a\u{308}o\u{302}\u{323} marks", String(repeating: "中", count: 90),
    ]
    let household = try Household()
    let items: [[String: Any]] = texts.enumerated().map { index, text in
      let line = String(repeating: text + " ", count: 12)
      return [
        "id": index + 1, "title": "M\(index) " + text, "time": "2026-11-20T09:0\(index):00Z",
        "html":
          "<h1>\(text)</h1><p>\(line)</p><ul><li>\(line)</ul><pre>\(text)</pre><p>The end of M\(index)</p>",
      ]
    }
    try household.write("wide.json", try native("宽的 wide", items))
    try household.settings(sources: [("wide", "\(household.home)/wide.json", "kind = \"native\"")])
    #expect(try household.run("poll", "--all").exit == .status(0))
    for columns in [80, 41] {
      let pair = try Pair(household, columns: columns, rows: 20)
      try pair.show("", "M9")
      for _ in texts {
        pair.terminal.send("\r")
        pair.terminal.readUntilQuiet(for: 20)
        for key in ["j", "j", "\u{4}", " ", "k"] {
          pair.terminal.send(key)
          pair.terminal.readUntilQuiet(for: 20)
          pair.expectTheSame("\(columns) columns, the reader after \(key.debugDescription)")
        }
        pair.terminal.send("h")
        pair.terminal.readUntilQuiet(for: 20)
        pair.terminal.send("j")
        pair.terminal.readUntilQuiet(for: 20)
        pair.expectTheSame("\(columns) columns, the list")
      }
    }
  }

  @Test func aBannerNextToTheListAndOverIt() throws {
    let publisher = try Publisher()
    publisher.control(publisher.banner("news", views: ["v", "full"]))
    publisher.view(
      "<p style='background:#204060;color:#ffcc00'>Version <b>1</b> is out.</p><p><button onclick=\"display('full')\">All</button></p>"
    )
    publisher.view(
      "<h1>The whole story</h1><p><button onclick=\"display('v')\">Back</button></p>", as: "full")
    let pair = try Pair(try publisher.reader())
    try pair.show("", "Version 1 is out.")
    try pair.show("\t", "press")
    try pair.show("\r", "The whole story")
    try pair.show("\r", "Version 1 is out.")
    pair.terminal.send("\u{1B}")
    try pair.terminal.wait(forNoText: "Version 1 is out.")
    pair.expectTheSame("without the banner")
    try pair.terminal.leaveFromAnywhere()
    pair.expectTheSame("after the end")
  }
}
