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
      // What `inbox` shows before the program.
      second.feed(Array("\u{1B}]2;shell\u{7}$ reddot\r\n".utf8))
    }

    /// Both show the same for the output so far.
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
    try pair.show("?", "help")
    for key in [" ", " ", "j", "k", "G", "g"] {
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

  // MARK: - Other sequences

  /// Every sequence that the tests' terminal supports, in random order with random numbers.
  @Test(arguments: 1...16) func sequencesInAnyOrder(seed: UInt64) throws {
    var chance = Chance(seed)
    let columns = chance.next(2...40)
    let rows = chance.next(2...12)
    var own = VirtualScreen(columns: columns, rows: rows)
    let second = try SecondScreen(columns: columns, rows: rows)
    var sent: [String] = []
    for step in 0..<300 {
      // Without a saved cursor, terminals differ.
      let sequence = step == 0 ? "\u{1B}7" : chance.sequence(columns, rows)
      sent.append(sequence)
      own.feed(Array(sequence.utf8))
      second.feed(Array(sequence.utf8))
      let differences = second.differences(from: own)
      if !differences.isEmpty {
        Issue.record("\(columns)x\(rows), after \(sent.suffix(6)): \(differences)")
        break
      }
    }
    #expect(own.unknown == [])
  }

  /// A full row wraps only with the next character, and not after something that moves the cursor.
  @Test(arguments: [
    "\n", "\r", "\u{8}", "\u{1B}M", "\u{1B}D", "\u{1B}E", "\u{1B}[A", "\u{1B}[B", "\u{1B}[D", "\u{1B}[3G",
    "\u{1B}[d",
    "\u{1B}[H", "\u{1B}[e", "\t", "\u{1B}[L", "\u{1B}[M", "\u{1B}[31m", "\u{1B}[?7h", "\u{1B}[?25l",
    "\u{1B}[1C",
  ])
  func whatFollowsAFullRow(_ sequence: String) throws {
    var own = VirtualScreen(columns: 10, rows: 4)
    let second = try SecondScreen(columns: 10, rows: 4)
    for text in ["\u{1B}[2;1H0123456789", sequence, "xy"] {
      own.feed(Array(text.utf8))
      second.feed(Array(text.utf8))
      #expect(second.differences(from: own) == [])
    }
  }

  /// Each ends with a narrow character: behind a wide one in the last columns libvterm leaves the cursor before it. And none
  /// overwrites half of a wide one, of which libvterm leaves the other half.
  @Test(arguments: [
    "中中中中中.", "a中b中c", "ab😀cd", "한국어 메시지.", "e\u{301}a\u{308}o\u{302}\u{323}", "हिन्दी में.", "ไทยภาษา.", "مرحبا",
    "中\r\na", "ｱＡ.", "😀😀\u{1B}[1;1H\u{1B}[Kz", "❤🎉🚀👩✅⭐☕⌚▌●★│─…•◦.",
  ])
  func wideCharactersAndMarksAtEveryWidth(_ text: String) throws {
    for columns in 2...9 {
      var own = VirtualScreen(columns: columns, rows: 6)
      let second = try SecondScreen(columns: columns, rows: 6)
      own.feed(Array(text.utf8))
      second.feed(Array(text.utf8))
      #expect(second.differences(from: own) == [], "\(columns) columns")
    }
  }

  /// The same numbers at every run (a linear congruential generator by Knuth).
  private struct Chance {
    private var state: UInt64
    private var hasMargins = false

    init(_ seed: UInt64) { state = seed }

    mutating func next(_ range: ClosedRange<Int>) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return range.lowerBound + Int(state >> 33) % range.count
    }

    mutating func one(of texts: String...) -> String { texts[next(0...texts.count - 1)] }

    mutating func sequence(_ columns: Int, _ rows: Int) -> String {
      let csi = "\u{1B}["
      switch next(0...11) {
      case 0...3:
        // Terminals differ in the pending wrap after a sequence that does not move the cursor, so the cursor is moved.
        return String(repeating: one(of: "a", "xyz ", "Q", "é"), count: next(1...columns))
          + "\(csi)\(next(1...rows));\(next(1...columns - 1))H"
      case 4: return "\(csi)\(next(1...rows));\(next(1...columns))H"
      case 5: return "\(csi)\(next(1...5))" + one(of: "C", "D", "G", "d", "e", "a", "`", "I", "Z")
      case 6: return "\(csi)\(next(0...2))" + one(of: "J", "K")
      // With margins xterm moves the cursor differently from libvterm, and outside them it still inserts and deletes.
      case 7 where !hasMargins: return "\(csi)\(next(1...4))" + one(of: "A", "B", "@", "P")
      case 7, 8: return "\(csi)\(next(1...4))" + one(of: "X", "L", "M", "S", "T")
      case 9:
        let color = "\(next(0...255))"
        return csi
          + one(
            of: "0", "1", "3", "4", "7", "9", "22", "23", "24", "27", "29", "31", "42", "94", "101", "39",
            "49",
            "38;5;" + color, "48;5;" + color, "38;2;1;2;3", "1;7;33", "") + "m"
      case 10:
        return one(of: "\r", "\n", "\u{8}", "\t", "\u{1B}M", "\u{1B}D", "\u{1B}E", "\u{1B}7", "\u{1B}8")
      default:
        hasMargins = next(0...1) == 0
        let top = next(1...rows - 1)
        return hasMargins
          ? "\(csi)\(top);\(next(top + 1...rows))r" : csi + one(of: "r", "r\(csi)?7l", "r\(csi)?7h")
      }
    }
  }
}
