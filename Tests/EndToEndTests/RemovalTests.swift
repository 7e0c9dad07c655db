import Foundation
import TerminalHarness
import Testing

/// Removals and their undo with the built program: each one is a separate step.
@Suite struct RemovalTests {
  private let household: Household
  private let settings: String

  private static let names = ["Alpha", "Beta", "Gamma", "Delta"]

  /// Four feeds with a message each, and one saved list.
  init() throws {
    household = try Household()
    var lines = ["# my feeds, do not sort"]
    for (number, name) in Self.names.enumerated() {
      let title = "News of \(name)"
      try household.write("\(name).xml", rss("The \(name)", [item(number + 1, title)]))
      lines += [
        "", "# about \(name)", "[[source]]", "name = \"\(name)\" # \(number)",
        "url = \"\(household.home)/\(name).xml\"", "interval = \"\(number + 2)h\"",
      ]
    }
    lines += ["", "[[list]]", "name = \"Unread\"", "query = \"is:unread\"", ""]
    settings = lines.joined(separator: "\n")
    try household.write(household.settingsFile, settings)
    #expect(try household.run("poll", "--all").exit == .status(0))
  }

  private func file() throws -> String { try household.text(of: household.settingsFile) }

  private func send(_ keys: String, to terminal: PseudoTerminal, until said: String) throws {
    terminal.send(keys)
    try terminal.wait(forText: said)
  }

  @Test func threeRemovalsComeBackByThreeUndosByteForByte() throws {
    let terminal = try household.inbox(columns: 120, rows: 30)
    try terminal.wait(forText: "News of Delta")
    // All, Starred, Unread, then the sources.
    terminal.send("hgjjj")
    try send("D", to: terminal, until: "Removed The Alpha. U brings it back.")
    try send("D", to: terminal, until: "Removed The Beta. U brings it back.")
    try send("D", to: terminal, until: "Removed The Gamma. U brings it back.")
    try terminal.wait(forNoText: "News of Gamma")
    #expect(
      try !file().contains("Alpha.xml") && !file().contains("Beta.xml") && !file().contains("Gamma.xml"))
    try send("U", to: terminal, until: "Undid: removed The Gamma")
    try send("U", to: terminal, until: "Undid: removed The Beta")
    try send("U", to: terminal, until: "Undid: removed The Alpha")
    for name in Self.names { try terminal.wait(forText: "News of \(name)") }
    #expect(try file() == settings)
    try send("U", to: terminal, until: "Nothing to undo.")
    try terminal.leave()
  }

  @Test func commandsUndoRemovalsOneByOne() throws {
    try household.run("mark", "--star", "1").expect("")
    let before = try household.run("list", "--json").output
    try household.run("remove", "Alpha").expect("removed Alpha\n")
    try household.run("remove", "Gamma").expect("removed Gamma\n")
    #expect(try household.messages().count == 2)
    try household.run("undo").expect("Undid: removed Gamma\n")
    try household.run("undo").expect("Undid: removed Alpha\n")
    #expect(try file() == settings)
    #expect(try household.run("list", "--json").output == before)
    try household.run("undo").expect("Undid: starred\n")
    try household.run("undo").expectFailure("nothing to undo")
  }

  /// Whenever the process is killed, the source still exists, or one undo restores it.
  @Test func aKillInBetweenLosesNothing() throws {
    let clock = ContinuousClock()
    let usual = try clock.measure { try household.run("remove", "Beta").expect("removed Beta\n") }
    try household.run("undo").expect("Undid: removed Beta\n")
    try household.run("mark", "--star", "1").expect("")
    for part in 1...20 {
      let ran = try household.start(["remove", "Beta"]).kill(after: usual * Double(part) / 18)
      let isGone = try !file().contains("Beta.xml")
      if ran.exit == .status(0) { #expect(isGone) }
      let undone = try household.run("undo")
      undone.expect(isGone ? "Undid: removed Beta\n" : "Undid: starred\n")
      #expect(try file() == settings)
      if !isGone { try household.run("mark", "--star", "1").expect("") }
    }
    #expect(try household.messages().count == 4)
  }
}
