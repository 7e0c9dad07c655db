import Foundation
import TerminalHarness
import Testing

/// The inbox in a terminal, as a user uses it.
@Suite struct InboxTests {
  private func row(_ terminal: PseudoTerminal, _ title: String) -> String {
    terminal.screen.lines.first { $0.contains(title) && !$0.hasPrefix(" \(title)") } ?? ""
  }

  static let sizes = [(120, 40), (80, 24), (40, 10), (20, 5), (1, 1)]

  @Test(arguments: sizes)
  func theListIsPaintedAndEveryKeyIsTakenAtAnySize(_ columns: Int, _ rows: Int) throws {
    let household = try householdWithTwoSources()
    let terminal = try household.inbox(columns: columns, rows: rows)
    if columns >= 20 {
      try terminal.wait(forText: "Lunch")
    } else {
      try terminal.wait(for: "a frame") { $0.screen.isAlternate && $0.screen.modes.contains(1000) }
    }
    // Press every key once in every pane. The effects of the keys are tested below.
    for key in [
      "j", "\r", " ", "u", "s", "d", "A", "U", "U", "U", "f", "f", "p", "p", "?", "?", "/", "x", "\u{1B}",
      "n", "N", "i", "\t", "G", "g", "5j", "R", "h", "h",
    ] {
      terminal.send(key)
      terminal.readUntilQuiet(for: 10)
    }
    terminal.checkExit()
    #expect(terminal.exit == nil)
    #expect(terminal.screen.unknown == [])
    terminal.send("\u{1B}")
    try terminal.leaveFromAnywhere()
    #expect(!terminal.screen.isAlternate)
  }

  @Test func aMessageIsReadMarkedStarredDismissedAndAllIsTakenBack() throws {
    let household = try householdWithTwoSources()
    let terminal = try household.inbox()
    try terminal.wait(forText: "Lunch")
    #expect(terminal.screen.text.contains("5 unread"))
    terminal.send("j")
    try terminal.wait(for: "the bar on the second row") { row($0, "Release").contains("▌") }
    terminal.send("\r")
    try terminal.wait(forText: "Read on.")
    terminal.send("h")
    try terminal.wait(forText: "4 unread")
    try terminal.wait(forText: "Coffee & cake")
    #expect(!row(terminal, "Release").contains("●"))
    terminal.send("u")
    try terminal.wait(for: "unread again") { row($0, "Release").contains("●") }
    terminal.send("k")
    terminal.send("s")
    try terminal.wait(for: "a star") { row($0, "Release").contains("★") }
    terminal.send("d")
    try terminal.wait(for: "no row") { row($0, "Release").isEmpty }
    terminal.send("A")
    try terminal.wait(for: "no dot") { !$0.screen.text.contains("●") }
    terminal.send("U")
    try terminal.wait(for: "the list unread") { row($0, "Lunch").contains("●") }
    terminal.send("U")
    try terminal.wait(for: "the row back") { row($0, "Release").contains("★") }
    terminal.send("U")
    try terminal.wait(for: "no star") {
      !row($0, "Release").contains("★") && row($0, "Release").contains("●")
    }
    terminal.send("U")
    try terminal.wait(for: "read once more") { !row($0, "Release").contains("●") }
    terminal.send("U")
    try terminal.wait(for: "unread as at first") { row($0, "Release").contains("●") }
    terminal.send("U")
    try terminal.wait(forText: "Nothing to undo.")
    #expect(try household.messages("--unread").count == 5)
  }

  @Test func aSlowArrowMarksNothingRead() throws {
    let household = try householdWithTwoSources()
    for rest in ["[A", "OA"] {
      let terminal = try household.inbox()
      try terminal.wait(forText: "Lunch")
      terminal.send("jj")
      try terminal.wait(for: "the bar on the third row") { row($0, "Coffee").contains("▌") }
      terminal.send("\u{1B}")
      terminal.readUntilQuiet(for: 100)
      for byte in rest {
        terminal.send(String(byte))
        terminal.readUntilQuiet(for: 100)
      }
      // The escape went to the sources; the arrow moves there.
      terminal.send("q")
      #expect(try terminal.waitForExit() == .status(0), "\(rest)")
      #expect(try household.messages("--unread").count == 5, "\(rest)")
    }
  }

  // MARK: - Ways out

  /// `QuitTests` tests the other signals, while a program hangs.
  @Test func everyExitRestoresTheTerminal() throws {
    let household = try householdWithTwoSources()
    let before = try PseudoTerminal().modes
    for way in [WayOut.keys("q"), .keys("\u{3}"), .signal(SIGINT)] {
      let terminal = try household.inbox()
      try terminal.wait(forText: "Lunch")
      try terminal.wait(for: "the title") { $0.screen.title != "shell" }
      #expect(terminal.modes != before)
      terminal.leave(by: way)
      #expect(try terminal.waitForExit() == way.exit, "\(way)")
      terminal.expectRestored(before)
      // The former content of the screen is restored, too.
      #expect(terminal.screen.lines[0] == "$ reddot", "\(way)")
      #expect(try household.run("list").exit == .status(0))
    }
  }

  @Test func aClosedWindowEndsTheInbox() throws {
    let household = try householdWithTwoSources()
    let terminal = try household.inbox()
    try terminal.wait(forText: "Lunch")
    terminal.hangUp()
    #expect(try terminal.waitForExit() == .signal(SIGHUP))
  }

  @Test func ctrlZGoesToTheShellAndFgReturns() throws {
    let household = try householdWithTwoSources()
    let terminal = try PseudoTerminal()
    terminal.pretend("\u{1B}]2;shell\u{7}")
    try terminal.start(
      "/bin/sh", ["-i"], environment: household.environment.merging(["PS1": "at-the-shell "]) { $1 })
    try terminal.wait(forText: "at-the-shell")
    let modes = terminal.modes
    terminal.send("\(BuiltProduct.path("reddot"))\n")
    try terminal.wait(forText: "Lunch")
    terminal.send("\u{1A}")
    try terminal.wait(forText: "Stopped")
    #expect(terminal.modes == modes)
    #expect(!terminal.screen.isAlternate)
    #expect(terminal.screen.modes == [7] && !terminal.screen.isUpdating)
    #expect(terminal.screen.title == "shell")
    // Messages that arrive meanwhile appear when the inbox continues.
    try household.run("push", "While you were away").expect("")
    terminal.send("fg\n")
    try terminal.wait(forText: "While you were away")
    terminal.send("j")
    terminal.send("q")
    try terminal.wait(for: "the shell") { !$0.screen.isAlternate && $0.screen.isCursorVisible }
    terminal.send("echo back-$((20+22))\n")
    try terminal.wait(forText: "back-42")
    #expect(terminal.modes == modes)
  }

  // MARK: - Where it runs

  @Test func withoutATerminalItSaysSo() throws {
    let household = try householdWithTwoSources()
    try household.run().expectFailure(
      "the inbox needs a terminal, but standard input is not a terminal; see reddot --help for commands")
    let terminal = try PseudoTerminal()
    try terminal.start(
      "/bin/sh", ["-c", "\(BuiltProduct.path("reddot")) | cat"], environment: household.environment)
    try terminal.wait(forText: "but standard output is not a terminal")
    #expect(!terminal.screen.isAlternate)
  }

  @Test(arguments: [
    ("", "TERM is not set"), ("no-such-terminal", "does not know the terminal \"no-such-terminal\""),
    ("dumb", "cannot move its cursor"),
  ])
  func aTerminalOfNoUseIsNamed(_ type: String, said: String) throws {
    let terminal = try Household().inbox(environment: ["TERM": type])
    #expect(try terminal.waitForExit() == .status(1))
    #expect(terminal.screen.text.replacing("\n", with: "").contains(said))
    #expect(!terminal.screen.isAlternate)
  }

  @Test func noColorMeansNone() throws {
    let household = try householdWithTwoSources()
    let terminal = try household.inbox(environment: ["NO_COLOR": "1"])
    try terminal.wait(forText: "Lunch")
    terminal.send("\r")
    try terminal.wait(forText: "Soup")
    let bytes = String(decoding: terminal.bytes, as: UTF8.self)
    #expect(bytes.matches(of: /\u{1B}\[[0-9;]*(3[0-8]|4[0-8]|9[0-7]|10[0-7])(;[0-9]+)*m/).isEmpty)
    // With colours there are such sequences, which shows that the test above is meaningful.
    let coloured = try household.inbox()
    try coloured.wait(forText: "Release")
    #expect(String(decoding: coloured.bytes, as: UTF8.self).contains(/\u{1B}\[[0-9;]*3[0-7]m/))
  }

  @Test func withoutUTF8TheMarksAreASCII() throws {
    let household = try householdWithTwoSources()
    try household.run("push", "Grüße 中文").expect("")
    let terminal = try household.inbox(environment: ["LC_ALL": "C"])
    try terminal.wait(forText: "Lunch")
    terminal.send("s")
    try terminal.wait(for: "a star") { $0.screen.text.contains("+ ") }
    terminal.send("p?")
    terminal.readUntilQuiet()
    terminal.send("?")
    terminal.readUntilQuiet()
    terminal.send("p")
    terminal.readUntilQuiet()
    terminal.send("q")
    _ = try terminal.waitForExit()
    #expect(terminal.bytes.allSatisfy { $0 < 0x80 })
  }

  /// The user's locale is not installed, as on a remote server.
  @Test func aLocaleThatIsNotInstalledIsStillUTF8() throws {
    let household = try householdWithTwoSources()
    try household.run("push", "Grüße 中文").expect("")
    for environment in [["LC_ALL": "tlh_QO.UTF-8"], ["LC_ALL": "", "LANG": "tlh_QO.utf8"]] {
      let terminal = try household.inbox(environment: environment)
      try terminal.wait(forText: "Grüße 中文")
      #expect(terminal.screen.text.contains("●"), "\(environment)")
      try terminal.leave()
    }
  }

  // MARK: - Other processes, other days

  @Test func whatAnotherProcessWritesAppearsByItself() throws {
    let household = try householdWithTwoSources()
    let terminal = try household.inbox()
    try terminal.wait(forText: "Lunch")
    try household.run("push", "From a script").expect("")
    try terminal.wait(forText: "From a script")
    try household.run("mark", "--read", "5").expect("")
    try terminal.wait(for: "no dot at Lunch") { !row($0, "Lunch").contains("●") }
    try household.run("undo").expect("Undid: marked read\n")
    try terminal.wait(for: "the dot at Lunch") { row($0, "Lunch").contains("●") }
    // A source that is added elsewhere.
    let feed = try household.write("late.xml", rss("Latecomer", [item(9, "Late news")]))
    #expect(try household.run("add", feed).exit == .status(0))
    try terminal.wait(forText: "Latecomer")
    try terminal.wait(forText: "Late news")
  }

  @Test func aRestartKeepsWhatWasReadAndTheDot() throws {
    let household = try householdWithTwoSources()
    let first = try household.inbox()
    try first.wait(forText: "Lunch")
    // Looking at the list turns its dot off; reading turns off the message's own.
    first.send("j")
    first.readUntilQuiet(for: 50)
    first.send("k\r")
    try first.wait(forText: "Soup")
    first.send("h")
    try first.wait(forText: "4 unread")
    first.send("q")
    #expect(try first.waitForExit() == .status(0))
    try household.run("status").expect("4\n")
    let second = try household.inbox()
    try second.wait(forText: "4 unread")
    #expect(!row(second, "Lunch").contains("●"))
    second.send("U")
    try second.wait(for: "taken back across the restart") { row($0, "Lunch").contains("●") }
    second.send("q")
    _ = try second.waitForExit()
    // The user does not see this message.
    try household.run("push", "Unseen").expect("")
    try household.run("status").expect("● 6\n")
    let third = try household.inbox()
    try third.wait(for: "the dot in the title") {
      $0.screen.title.contains("●") || $0.screen.title.contains("6")
    }
  }
}
