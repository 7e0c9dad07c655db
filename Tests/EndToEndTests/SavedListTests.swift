import Foundation
import TerminalHarness
import Testing

/// Saved lists by the built program.
@Suite struct SavedListTests {
  private let household: Household

  init() throws { household = try Household.withBuilds() }

  private let failed = """
    [[list]]
    name = "Failed builds"
    query = "source:build title:failed"

    """

  private func count() throws -> String {
    try household.run("status", "--format", "{list:failed builds}").output.trimmingCharacters(in: .newlines)
  }

  @Test func aListIsPrintedCountedAndMarkedRead() throws {
    try household.settingsOfBuilds(failed)
    #expect(try count() == "1", "before the inbox or a poll knows it")
    try household.serveBuilds(upTo: 7)
    #expect(try household.run("poll", "--force").exit == .status(0))
    #expect(try count() == "2")
    let titles = try household.messages("--list", "failed BUILDS").compactMap { $0["title"] as? String }
    #expect(Set(titles) == ["Build 6 failed", "Build 3 failed"])
    #expect(try household.run("names", "lists").output == "Failed builds\n")
    let status = try household.run("status", "--format", "json").output
    #expect(status.contains(#""lists":[{"name":"Failed builds","unread":2}]"#), "\(status)")
    #expect(
      try household.run("mark", "--read", "--all", "--list", "Failed builds").exit == .status(0))
    #expect(try count() == "0")
    #expect(try household.messages("--unread").count == 5)
    #expect(try household.run("undo").exit == .status(0))
    #expect(try count() == "2")
    let unknown = try household.run("list", "--list", "nobody")
    #expect(unknown.exit == .status(1))
    #expect(unknown.errors.contains("no list named \"nobody\"; lists: \"Failed builds\""))
  }

  /// The source was removed or renamed since.
  @Test func aSourceThatTheQueryNamesInVainIsNamed() throws {
    try household.settingsOfBuilds(
      "[[list]]\nname = \"half\"\nquery = \"source:buidl OR source:build\"\n" + failed)
    #expect(try household.run("poll", "--force").exit == .status(0))
    let half = try household.run("list", "--list", "half")
    #expect(half.exit == .status(0) && !half.output.isEmpty)
    #expect(
      half.errors == "reddot: the list \"half\": source:buidl names no source; did you mean build?\n",
      "\(half.errors)")
    let whole = try household.run("list", "--list", "Failed builds")
    #expect(whole.errors.isEmpty && !whole.output.isEmpty, "\(whole.errors)")
  }

  @Test func aMistakeIsNamedAndTheRestWorks() throws {
    try household.settingsOfBuilds("[[list]]\nname = \"bad\"\nquery = \"titel:x\"\n" + failed)
    let polled = try household.run("poll", "--force")
    #expect(polled.exit == .status(0))
    #expect(polled.errors.contains("query: titel is not a field; did you mean title?"))
    #expect(try count() == "1")
    let bad = try household.run("list", "--list", "bad")
    #expect(bad.exit == .status(1) && bad.errors.contains("titel is not a field"))
    let terminal = try household.inbox(columns: 120, rows: 40)
    try terminal.wait(forText: "Failed builds")
    terminal.send("!")
    try terminal.wait(forText: "The query of this list is invalid:")
    try terminal.leave()
  }

  @Test func aSearchBecomesAListThatIsEditedAndRemoved() throws {
    let before = try household.text(of: household.settingsFile)
    let terminal = try household.inbox()
    try terminal.wait(forText: "Build 1")
    terminal.send("/failed\r")
    try terminal.wait(forNoText: "passed")
    terminal.send("S")
    try terminal.wait(forText: "failed")
    terminal.send("Broken\r")
    try terminal.wait(forText: "Saved as Broken.")
    let text = try household.text(of: household.settingsFile)
    #expect(text == before + "\n[[list]]\nname = \"Broken\"\nquery = \"failed\"\n")
    // The new list is shown, and the header is about it.
    try terminal.wait(forText: "Broken  1")
    terminal.send("e")
    try terminal.wait(forText: "Query")
    terminal.send("\t\u{15}passed\r")
    try terminal.wait(forText: "Build 2")
    #expect(try household.text(of: household.settingsFile).hasSuffix("query = \"passed\"\n"))
    terminal.send("hD")
    try terminal.wait(forText: "Removed Broken.")
    try terminal.wait(forText: "All")
    terminal.send("U")
    try terminal.wait(forText: "Broken")
    try terminal.leave()
    #expect(try household.text(of: household.settingsFile).contains("name = \"Broken\""))
  }
}
