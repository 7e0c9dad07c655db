import Foundation
import TerminalHarness
import Testing

/// Rules by the built program.
@Suite struct RuleTests {
  private let household: Household

  init() throws { household = try Household.withBuilds(upTo: 1) }

  private let noise = """
    [[rule]]
    name = "ci noise"
    when = "source:build -title:failed"
    do = ["hide", "tag:ci"]
    stop = true

    """

  @Test func whatIsHiddenIsCountedExplainedAndComesBack() throws {
    try household.settingsOfBuilds(noise)
    try household.serveBuilds(upTo: 7)
    let polled = try household.run("poll", "--force")
    #expect(polled.output.contains("Build 3 failed") && !polled.output.contains("Build 2 passed"))
    let listed = try household.messages()
    #expect(
      Set(listed.compactMap { $0["title"] as? String }) == [
        "Build 1 passed", "Build 3 failed", "Build 6 failed",
      ])
    let rules = try household.run("rules").output
    #expect(rules.hasPrefix("ci noise: source:build -title:failed → hide, tag:ci → stop\n  4 messages, "))
    #expect(rules.contains("; hides 4"))
    let tested = try household.run("rules", "test", "source:build is:hidden").output
    #expect(tested.hasPrefix("source:build is:hidden: 4 messages of 7 since "))
    let id = try #require(
      tested.split(separator: "\n").last { $0.contains("passed") }?.split(separator: " ").first)
    let why = try household.run("why", String(id)).output
    #expect(why.contains("ci noise: source:build -title:failed") && why.contains("hidden by ci noise"))
    // Without the rule, the messages are not hidden.
    try household.settingsOfBuilds()
    #expect(try household.run("poll", "--force").exit == .status(0))
    #expect(try household.messages().count == 7)
  }

  @Test func aMistakeIsNamedAndTheRestWorks() throws {
    try household.settingsOfBuilds("[[rule]]\nname = \"bad\"\nwhen = \"titel:x\"\ndo = [\"read\"]\n" + noise)
    try household.serveBuilds(upTo: 2)
    let polled = try household.run("poll", "--force")
    #expect(polled.exit == .status(0))
    #expect(polled.errors.contains("config.toml:"))
    #expect(polled.errors.contains("when: titel is not a field; did you mean title?"))
    #expect(try household.messages().count == 1)
    let rules = try household.run("rules")
    #expect(rules.exit == .status(1) && rules.output.contains("bad: does nothing, because of an error"))
    let terminal = try household.inbox()
    try terminal.wait(forText: "titel is not a field")
    #expect(!terminal.screen.text.contains("stay as they were"))
    try terminal.leave()
  }

  @Test func aProgramThatFailsIsTold() throws {
    try household.settingsOfBuilds(
      "[[rule]]\nname = \"takes\"\nwhen = \"failed\"\ndo = [\"run\"]\ncommand = [\"/bin/false\"]\n")
    try household.serveBuilds(upTo: 3)
    let polled = try household.run("poll", "--force")
    #expect(polled.errors.contains("the program of the rule \"takes\" "))
  }

  @Test func aRuleIsWrittenInTheInbox() throws {
    try household.serveBuilds(upTo: 7)
    #expect(try household.run("poll", "--force").exit == .status(0))
    let before = try household.text(of: household.settingsFile)
    let terminal = try household.inbox()
    try terminal.wait(forText: "Build 7")
    // "Build 6 failed".
    terminal.send("j")
    terminal.send("W")
    try terminal.wait(forText: "source:build title:failed")
    try terminal.wait(forText: "2 of 7 messages")
    // Go to the actions, and choose "hide" instead of "read".
    terminal.send("\t " + String(repeating: "\u{1B}[C", count: 4) + " ")
    try terminal.wait(forText: "[x] hide")
    terminal.send("\r")
    try terminal.wait(forText: "Saved. y applies it")
    let text = try household.text(of: household.settingsFile)
    #expect(
      text == before + """

        [[rule]]
        name = "build failed"
        when = "source:build title:failed"
        do = ["hide"]

        """)
    terminal.send("y")
    try terminal.wait(forText: "Done: applied a rule to 2")
    try terminal.wait(forNoText: "failed")
    terminal.send("U")
    try terminal.wait(forText: "Build 6")
    try terminal.leave()
    // The next message is hidden.
    try household.serveBuilds(upTo: 9)
    #expect(try household.run("poll", "--force").exit == .status(0))
    #expect(try !household.messages().contains { $0["title"] as? String == "Build 9 failed" })
  }
}
