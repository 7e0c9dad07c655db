import Foundation
import TerminalHarness
import Testing

/// `reddot demo --polls`: its campaign, and that nothing is kept.
@Suite(.serialized) struct DemoPollsTests {
  @Test func theCampaignIsShownAndNothingIsKept() throws {
    let household = try Household()
    let folder = "\(household.home)/tmp"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let terminal = try household.inbox(
      columns: 120, rows: 40, arguments: ["demo", "--polls"], environment: ["TMPDIR": folder])
    try terminal.wait(forText: "Happy Diwali")
    try terminal.wait(forText: "Board 4.2 is here.")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
    #expect(terminal.screen.text.contains("demo: 10 min are 10 s"))
    // The header showed this before.
    #expect(String(decoding: terminal.bytes, as: UTF8.self).contains("first poll in 1 s"))
    // The banner closes like any banner, without opening anything.
    terminal.send("\t\u{1B}")
    try terminal.wait(forNoText: "Board 4.2 is here.")
    // Ten minutes take ten seconds. The next poll is periodic; the one after it is requested by a key.
    try terminal.wait(forText: "Sign-in is down")
    terminal.send("R")
    try terminal.wait(for: "the alert and the badge") {
      $0.screen.text.contains("A game is waiting") && $0.screen.text.contains("[3]")
    }
    #expect(terminal.screen.unknown == [])
    try terminal.leave()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    // Nothing is left in the home directory either.
    #expect(try FileManager.default.contentsOfDirectory(atPath: household.home) == ["tmp"])
  }

  @Test func withoutAScreenItEndsByItselfAndNothingIsKept() throws {
    let household = try Household()
    let folder = "\(household.home)/tmp"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let ran = try household.run(["demo", "--headless", "--seconds", "1"], environment: ["TMPDIR": folder])
    #expect(ran.exit == .status(0))
    #expect(ran.errors == "")
    let lines = ran.output.split(separator: "\n")
    #expect(lines.first?.hasSuffix("polls of team, builds, blog, app, campaigns, github, alerts") == true)
    #expect(PlainText.problems(ran.outputBytes) == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
  func aSignalKeepsNothingEither(_ signal: Int32) throws {
    let household = try Household()
    let folder = "\(household.home)/tmp"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let before = try PseudoTerminal().modes
    let terminal = try household.inbox(arguments: ["demo", "--polls"], environment: ["TMPDIR": folder])
    try terminal.wait(forText: "demo: 10 min are 10 s")
    terminal.signal(signal)
    #expect(try terminal.waitForExit() == .signal(signal))
    terminal.expectRestored(before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
  }

  @Test func withoutAScreenTheCampaignsPollsArePrintedAndASignalKeepsNothing() throws {
    let household = try Household()
    let folder = "\(household.home)/tmp"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let running = try household.start(["demo", "--headless"], environment: ["TMPDIR": folder])
    try running.wait(for: "the folder") { _ in
      try !FileManager.default.contentsOfDirectory(atPath: folder).isEmpty
    }
    try running.wait(for: "the first polls of the app and of its campaigns") {
      let lines = String(decoding: $0.outputBytes, as: UTF8.self).split(separator: "\n")
      return lines.contains { $0.contains("app") && $0.contains("start") && $0.contains("1 new") }
        && lines.contains { $0.contains("campaigns  start") }
    }
    kill(running.process, SIGINT)
    let ran = try running.waitForEnd()
    #expect(ran.exit == .signal(SIGINT))
    #expect(ran.errors == "")
    #expect(PlainText.problems(ran.outputBytes) == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
  }
}
