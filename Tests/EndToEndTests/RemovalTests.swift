import Foundation
import TerminalHarness
import Testing

/// Removals and their undo by the built program: each one is a step of its own.
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

  @Test func keysThatAreTypedAheadAreDoneInTheirOrder() throws {
    let terminal = try household.inbox(columns: 120, rows: 30)
    try terminal.wait(forText: "News of Delta")
    // A star, the first source, a dismissal, the source that is the first one then; and all of it back.
    terminal.send("shgjjjD\tdhgjjjDUUUU")
    try terminal.wait(forText: "Undid: starred")
    for name in Self.names { try terminal.wait(forText: "News of \(name)") }
    try terminal.leaveFromAnywhere()
    #expect(try file() == settings)
    try household.run("undo").expectFailure("nothing to undo")
  }

  @Test func marksAndRemovalsAreUndoneInReverseAlsoAfterAStart() throws {
    var terminal = try household.inbox(columns: 120, rows: 30)
    try terminal.wait(forText: "News of Delta")
    terminal.send("shgjjjj")
    try send("D", to: terminal, until: "Removed The Beta.")
    try terminal.wait(forNoText: "News of Beta")
    terminal.send("g")
    terminal.send("\t")
    try send("d", to: terminal, until: "Dismissed.")
    try terminal.leave()

    terminal = try household.inbox(columns: 120, rows: 30)
    try terminal.wait(forText: "News of Alpha")
    try send("U", to: terminal, until: "Undid: dismissed")
    try send("U", to: terminal, until: "Undid: removed The Beta")
    try terminal.wait(forText: "News of Beta")
    try send("U", to: terminal, until: "Undid: starred")
    try terminal.leave()
    #expect(try file() == settings)
    #expect(try household.messages().count == 4 && household.messages("--starred").isEmpty)
  }

  @Test func aSavedListComesBackAndSoDoesWhatACommandRemoved() throws {
    let terminal = try household.inbox(columns: 120, rows: 30)
    try terminal.wait(forText: "News of Delta")
    terminal.send("hgjj")
    try send("D", to: terminal, until: "Removed Unread.")
    #expect(try !file().contains("[[list]]"))
    try household.run("remove", "Beta").expect("removed Beta\n")
    try terminal.wait(forNoText: "News of Beta")
    // Of either process, by either.
    try send("U", to: terminal, until: "Undid: removed Beta")
    try terminal.wait(forText: "News of Beta")
    try household.run("undo").expect("Undid: removed Unread\n")
    try terminal.wait(forText: "Unread")
    try terminal.leave()
    #expect(try file() == settings)
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

  @Test func forgettingCannotBeUndone() throws {
    let id = try #require(try household.messages("--source", "Alpha").first?["id"] as? Int)
    try household.run("mark", "--star", "\(id)").expect("")
    try household.run("remove", "Beta", "--forget").expect("removed Beta and its messages\n")
    try household.run("undo").expect("Undid: starred\n")
    try household.run("undo").expectFailure("nothing to undo")
    #expect(try !file().contains("Beta.xml"))
  }

  @Test func aNameThatIsTakenIsTold() throws {
    try household.run("mark", "--star", "1").expect("")
    try household.run("remove", "Beta").expect("removed Beta\n")
    try household.write("other.xml", rss("Other", [item(9, "Other news")]))
    let text = try file() + "\n[[source]]\nname = \"Beta\"\nurl = \"\(household.home)/other.xml\"\n"
    try household.write(household.settingsFile, text)
    try household.run("undo").expectFailure(
      "\"removed Beta\" is not undone: the settings have another source of that name now; nothing was changed"
    )
    #expect(try file() == text)
    try household.run("undo").expect("Undid: starred\n")
    // What a command added is taken back first.
    try household.run("remove", "Delta").expect("removed Delta\n")
    let third = try household.write("third.xml", rss("Third", [item(9, "Third news")]))
    #expect(try household.run("add", third, "--name", "Delta").exit == .status(0))
    try household.run("undo").expect("Undid: added Delta\n")
    try household.run("undo").expect("Undid: removed Delta\n")
    #expect(try file() == text)
  }

  /// Whenever the process is killed, the source is there, or one undo brings it back.
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
