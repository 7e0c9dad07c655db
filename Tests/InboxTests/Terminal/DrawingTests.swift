import TerminalHarness
import Testing

@Suite struct DrawingTests {
  @Test func wideAndCombiningCharactersShiftNoColumn() throws {
    let terminal = try startedProbe(columns: 30, rows: 8)
    terminal.send("w")
    try terminal.wait(forText: "한국어")
    for row in 0..<7 {
      #expect(terminal.screen.place(column: 12, row: row).text == "|", "row \(row)")
    }
    #expect(terminal.screen.lines[1] == " 日本語     |")
    #expect(
      terminal.screen.place(column: 3, row: 2).text.unicodeScalars.elementsEqual("e\u{301}".unicodeScalars))
    // From wide to narrow and back: no half of a character is left.
    terminal.send("h")
    try terminal.wait(for: "one word") { $0.screen.text == "hello" + String(repeating: "\n", count: 7) }
    terminal.send("w")
    try terminal.wait(forText: "한국어")
    #expect(terminal.screen.unknown == [])
  }

  @Test func withoutUTF8OnlyASCIIIsSent() throws {
    let terminal = try startedProbe(columns: 30, rows: 8, environment: ["LC_ALL": "C"])
    #expect(terminal.screen.lines[0].contains("ascii"))
    terminal.send("w")
    terminal.send("t")
    try terminal.wait(for: "the title") { $0.screen.title == "probe ? 3" }
    #expect(terminal.screen.lines[1] == " ? ? ?      |")
    #expect(!terminal.bytes.contains { $0 > 0x7E })
  }

  @Test(arguments: [
    ("xterm-256color", ["31", "91", "38;5;208", "38;5;196"], "44"),
    ("xterm", ["31", "31", "33", "31"], "44"), ("vt100", ["", "", "", ""], ""),
  ])
  func coloursAreThoseThatTheTerminalHas(type: String, foregrounds: [String], background: String) throws {
    let terminal = try startedProbe(environment: ["TERM": type])
    terminal.send("c")
    try terminal.wait(forText: "reverse")
    let screen = terminal.screen
    #expect((0..<4).map { screen.place(column: 0, row: $0).look.foreground } == foregrounds)
    #expect(screen.place(column: 0, row: 1).look.background == background)
    #expect(screen.place(column: 0, row: 4).look.attributes == [1])
    #expect(screen.place(column: 0, row: 8).look.attributes == [7])
    #expect(screen.place(column: 20, row: 4).look.attributes == [])
  }

  @Test func whereNoColourIsWantedAttributesRemain() throws {
    let terminal = try startedProbe(environment: ["NO_COLOR": "1"])
    terminal.send("c")
    try terminal.wait(forText: "reverse")
    let looks = (0..<9).map { terminal.screen.place(column: 0, row: $0).look }
    #expect(looks.allSatisfy { $0.foreground.isEmpty && $0.background.isEmpty })
    #expect(looks.map(\.attributes) == [[], [], [], [], [1], [2], [3], [4], [7]])
  }

  @Test func moreColoursThanThereArePairsDoNoHarm() throws {
    let terminal = try startedProbe(columns: 80, rows: 30, environment: ["TERM": "xterm-256color"])
    terminal.send("m")
    try terminal.wait(for: "a full screen") { $0.screen.lines[29].count == 80 }
    terminal.send("c")
    try terminal.wait(forText: "reverse")
    #expect(terminal.screen.place(column: 0, row: 0).look.foreground == "31")
    #expect(terminal.screen.place(column: 0, row: 1).look.background == "44")
  }

  @Test func onlyWhatChangedIsWritten() throws {
    let terminal = try startedProbe(columns: 120, rows: 40)
    let before = terminal.bytes.count
    for key in 1...8 {
      terminal.send("\(key)")
      try terminal.wait(forText: "key \(key)")
    }
    // Sixteen of a frame's bytes are its marks.
    #expect(terminal.bytes.count - before < 8 * (40 + 16))
  }

  @Test(arguments: ["w", "c", "m", "t", "r"])
  func aFrameIsBetweenItsMarks(key: String) throws {
    let terminal = try startedProbe(columns: 80, rows: 30)
    let before = terminal.bytes.count
    terminal.send(key)
    try terminal.wait(for: "a frame") { $0.bytes.count > before }
    let text = String(decoding: terminal.bytes[before...], as: UTF8.self)
    let (begin, end) = ("\u{1B}[?2026h", "\u{1B}[?2026l")
    #expect(text.hasPrefix(begin) && text.hasSuffix(end))
    #expect(text.split(separator: begin).count == text.split(separator: end).count)
    #expect(!terminal.screen.isUpdating)
  }

  @Test func whatIsSeenIsAlwaysAWholeFrame() throws {
    let terminal = try startedProbe(columns: 80, rows: 30)
    var seen: Set<String> = []
    for key in ["w", "h", "c", "h", "w"] {
      terminal.send(key)
      let first = key == "w" ? "한국어" : key == "h" ? "hello" : "reverse"
      try terminal.wait(forText: first)
      seen.insert(key + terminal.screen.text)
    }
    #expect(seen.count == 3)
  }

  @Test func theWholeScreenIsWrittenAgainOnDemand() throws {
    let terminal = try startedProbe(columns: 30, rows: 6)
    terminal.pretend("\u{1B}[2;1Hnoise of another program")
    terminal.send("r")
    try terminal.wait(forText: "key r")
    #expect(!terminal.screen.text.contains("noise"))
  }

  @Test func theCursorIsHiddenUnlessAFrameHasOne() throws {
    let terminal = try startedProbe()
    #expect(!terminal.screen.isCursorVisible)
    terminal.send("p")
    try terminal.wait(for: "the cursor at its place") {
      $0.screen.isCursorVisible && $0.screen.column == 5 && $0.screen.row == 1
    }
    // The cursor returns to its position after each frame.
    terminal.send("x")
    try terminal.wait(for: "the next frame") {
      $0.screen.text.contains("key x") && $0.screen.column == 5 && $0.screen.row == 1
    }
  }

  @Test func theHiddenCursorIsAtTheFramesPosition() throws {
    let terminal = try startedProbe()
    for key in ["P", "x", "r", "t"] {
      terminal.send(key)
      try terminal.wait(for: "the hidden cursor at its place") {
        $0.screen.text.contains("key \(key)") && $0.screen.column == 7 && $0.screen.row == 2
      }
      #expect(!terminal.screen.isCursorVisible)
    }
    terminal.send("p")
    try terminal.wait(for: "the cursor at its place") {
      $0.screen.isCursorVisible && $0.screen.column == 5 && $0.screen.row == 1
    }
  }

  @Test(arguments: [(1, 1), (20, 5), (3, 2), (1, 24), (200, 1)])
  func anySizeWillDo(columns: Int, rows: Int) throws {
    let terminal = try startedProbe(columns: columns, rows: rows)
    let shown = String("probe \(columns)x\(rows)".prefix(columns))
    try terminal.wait(for: "the status") { $0.screen.lines[0].hasPrefix(shown) }
    for key in ["w", "c", "x"] { terminal.send(key) }
    terminal.send("q")
    #expect(try terminal.waitForExit() == .status(0))
  }

  @Test func theSizeComesFromTheTerminalNotFromTheEnvironment() throws {
    _ = try startedProbe(environment: ["LINES": "5", "COLUMNS": "12"]).wait(forText: "probe 80x24")
  }

  @Test func everyResizeIsReportedAndDrawn() throws {
    let terminal = try startedProbe()
    for (columns, rows) in [(100, 40), (20, 5), (1, 1), (80, 24), (37, 11)] {
      terminal.resize(columns: columns, rows: rows)
      let status = String("probe \(columns)x\(rows)".prefix(columns))
      try terminal.wait(for: status) { $0.screen.lines[0].hasPrefix(status) }
    }
    try terminal.wait(forText: "resize 37x11")
  }

  /// Whether the program sees both sizes or only the last one, which it had before.
  @Test func aWindowThatWasSmallerForAMomentIsWhole() throws {
    let terminal = try startedProbe(columns: 30, rows: 8)
    terminal.send("w")
    try terminal.wait(forText: "한국어")
    let whole = terminal.screen.lines
    for _ in 0..<20 {
      terminal.resize(columns: 9, rows: 3)
      terminal.resize(columns: 30, rows: 8)
      try terminal.wait(for: "the whole page") { $0.screen.lines == whole }
    }
  }

  @Test func nothingHappensWhileNothingHappens() throws {
    let terminal = try startedProbe()
    // After its start it neither writes nor wakes up.
    try terminal.wait(for: "half a second in which nothing happens") {
      let wakeUps = $0.wakeUps
      return !$0.read(for: 500) && $0.wakeUps == wakeUps
    }
  }

  @Test(arguments: ["linux", "vt220"])
  func otherTerminalsThanXtermGetOnlyTheirOwnSequences(type: String) throws {
    let terminal = try startedProbe(environment: ["TERM": type])
    terminal.send("t")
    terminal.send("y")
    try terminal.wait(forText: "not copied")
    let text = String(decoding: terminal.bytes, as: UTF8.self)
    for sequence in ["\u{1B}]", "?1004", "?2004", "?1000", "?2026", "22;0t"] {
      #expect(!text.contains(sequence))
    }
  }
}
