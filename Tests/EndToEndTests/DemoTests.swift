import Foundation
import TerminalHarness
import TestBasics
import Testing

/// `reddot demo`: a morning that continues automatically, on screens of any size, of which nothing is stored.
@Suite(.serialized, .timeLimit(.minutes(HangLimit.minutes))) struct DemoTests {
  /// A home directory with a folder for temporary files.
  private struct House {
    let household: Household
    let folder: String

    init() throws {
      household = try Household()
      folder = "\(household.home)/tmp"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    func demo(columns: Int = 100, rows: Int = 30, _ arguments: String...) throws -> PseudoTerminal {
      try household.inbox(
        columns: columns, rows: rows, arguments: ["demo"] + arguments,
        environment: ["TMPDIR": folder])
    }

    func temporaryFiles() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder)
    }

    func expectNothingIsLeft() throws {
      #expect(try temporaryFiles() == [])
      #expect(try FileManager.default.contentsOfDirectory(atPath: household.home) == ["tmp"])
    }
  }

  private static let sizes = [(100, 30), (80, 24), (40, 10)]

  @Test(arguments: sizes)
  func theMorningIsShownAndABuildFailsByItself(_ columns: Int, _ rows: Int) throws {
    let house = try House()
    let terminal = try house.demo(columns: columns, rows: rows)
    try terminal.wait(forText: "Mina: can y")
    try terminal.wait(for: "the first line of the story") {
      $0.screen.lines.last?.contains("space reads on, n goes to the ne") == true
    }
    #expect(try house.temporaryFiles().count == 1)
    try terminal.wait(forText: "main #813")
    try terminal.wait(for: "the second line of the story") {
      $0.screen.lines.last?.contains("n opens the build that just fai") == true
    }
    #expect(terminal.screen.unknown == [])
    try terminal.leave()
    try house.expectNothingIsLeft()
  }

  @Test func withAClockThatStandsStillNothingHappensAndEachStartIsTheSame() throws {
    let house = try House()
    let screens = try (0..<2).map { _ in
      let terminal = try house.demo("--still", "2026-11-26T09:41:00Z")
      try terminal.wait(for: "the whole list") {
        $0.screen.text.contains("Stand-up in ten") && $0.screen.text.contains("1 of 24")
      }
      let screen = terminal.screen
      terminal.send("?")
      try terminal.wait(forText: "Moving")
      try terminal.leaveFromAnywhere()
      return screen.text
    }
    #expect(screens[0] == screens[1])
    #expect(screens[0].contains("09:12  backup"))
    try house.expectNothingIsLeft()
  }

  @Test func aSourceAndARuleAreWrittenIntoTheDemosOwnFile() throws {
    let house = try House()
    let terminal = try house.demo("--still", "2026-11-26T09:41:00Z")
    try terminal.wait(forText: "Bump sqlite")
    terminal.send("jjjjjjjW")
    try terminal.wait(forText: "of the last 30 days")
    // Go to the fifth action, "hide".
    terminal.send("\u{15}source:deps\t" + String(repeating: "\u{1B}[C", count: 4) + " ")
    try terminal.wait(forText: "9 of 24 messages")
    terminal.send("\r")
    try terminal.wait(forText: "Saved. y applies it")
    terminal.send("y")
    try terminal.wait(forNoText: "Bump sqlite")
    #expect(terminal.screen.text.contains("Mina: can you"))
    try terminal.leaveFromAnywhere()
    try house.expectNothingIsLeft()
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
  func aSignalKeepsNothing(_ signal: Int32) throws {
    let house = try House()
    let before = try PseudoTerminal().modes
    let terminal = try house.demo()
    try terminal.wait(forText: "Mina: can y")
    terminal.signal(signal)
    #expect(try terminal.waitForExit() == .signal(signal))
    terminal.expectRestored(before)
    try house.expectNothingIsLeft()
  }

  /// The signal arrives while the databases are created, when nothing is on the screen yet.
  @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
  func aSignalBeforeTheFirstFrameKeepsNothingEither(_ signal: Int32) throws {
    let house = try House()
    let terminal = try house.demo()
    try terminal.wait(for: "the folder") { _ in (try? house.temporaryFiles().isEmpty) == false }
    terminal.signal(signal)
    #expect(try terminal.waitForExit() == .signal(signal))
    try house.expectNothingIsLeft()
  }

  @Test func aClockAndPollsDoNotGoTogether() throws {
    let house = try House()
    let ran = try house.household.run("demo", "--polls", "--still", "2026-11-26T09:41:00Z")
    #expect(ran.exit == .status(64))
    #expect(ran.errors.contains("--still cannot be combined with --polls or --headless"))
  }
}
