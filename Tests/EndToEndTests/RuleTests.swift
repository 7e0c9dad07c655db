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

  @Test func aPushRunsTheProgramOfItsRule() throws {
    let got = "\(household.home)/got"
    try household.settingsOfBuilds(
      """
      [[rule]]
      name = "alert"
      when = "priority>=4"
      do = ["run"]
      command = ["/usr/bin/tee", "\(got)"]

      """)
    #expect(try household.run("push", "Disk full", "--priority", "4").exit == .status(0))
    #expect(try String(contentsOfFile: got, encoding: .utf8).contains("Disk full"))
  }

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
    // Without the rule nothing hides them.
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
    #expect(polled.errors.contains("when: titel isn't a field; did you mean title?"))
    #expect(try household.messages().count == 1)
    let rules = try household.run("rules")
    #expect(rules.exit == .status(1) && rules.output.contains("bad: does nothing, because of a mistake"))
    let terminal = try household.inbox()
    try terminal.wait(forText: "titel isn't a field")
    #expect(!terminal.screen.text.contains("stay as they were"))
    try terminal.leave()
  }

  @Test func aProgramGetsEachMessageOnce() throws {
    let script = try household.write("take", "#!/bin/sh\ncat >> \"\(household.home)/taken\"\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
    try household.settingsOfBuilds(
      "[[rule]]\nname = \"takes\"\nwhen = \"failed\"\ndo = [\"run\"]\ncommand = [\"\(script)\"]\n")
    try household.serveBuilds(upTo: 6)
    for _ in 1...2 { #expect(try household.run("poll", "--force").exit == .status(0)) }
    let taken = try household.text(of: "\(household.home)/taken").split(separator: "\n").map { line in
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    }
    #expect(taken.compactMap { $0?["title"] as? String }.sorted() == ["Build 3 failed", "Build 6 failed"])
  }

  @Test func aProgramThatFailsIsTold() throws {
    try household.settingsOfBuilds(
      "[[rule]]\nname = \"takes\"\nwhen = \"failed\"\ndo = [\"run\"]\ncommand = [\"/bin/false\"]\n")
    try household.serveBuilds(upTo: 3)
    let polled = try household.run("poll", "--force")
    #expect(polled.errors.contains("the program of the rule \"takes\" "))
  }

  @Test(arguments: [(80, 24), (40, 10)])
  func aRuleIsWrittenInTheInbox(columns: Int, rows: Int) throws {
    try household.serveBuilds(upTo: 7)
    #expect(try household.run("poll", "--force").exit == .status(0))
    let before = try household.text(of: household.settingsFile)
    let terminal = try household.inbox(columns: columns, rows: rows)
    try terminal.wait(forText: "Build 7")
    // "Build 6 failed".
    terminal.send("j")
    terminal.send("W")
    try terminal.wait(forText: "source:build title:failed")
    try terminal.wait(forText: "2 of 7 messages")
    // Into the actions: hidden instead of read.
    terminal.send("\t")
    terminal.send("\u{15}hi\t")
    try terminal.wait(forText: "hide")
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
    // What arrives next is hidden.
    try household.serveBuilds(upTo: 9)
    #expect(try household.run("poll", "--force").exit == .status(0))
    #expect(try !household.messages().contains { $0["title"] as? String == "Build 9 failed" })
  }

  /// Of three rules the middle one, twice, with all keys typed at once.
  @Test(arguments: [(80, 24), (40, 10)]) func aRuleThatComesBackIsSelected(columns: Int, rows: Int) throws {
    let rules = ["first", "second", "third"].map {
      "[[rule]]\nname = \"\($0)\"\nwhen = \"title:\($0)\"\ndo = [\"star\"]\n"
    }
    try household.settingsOfBuilds(rules.joined(separator: "\n"))
    let before = try household.text(of: household.settingsFile)
    let terminal = try household.inbox(columns: columns, rows: rows)
    try terminal.wait(forText: "Build 1 passed")
    terminal.send("w")
    try terminal.wait(forText: "second")
    terminal.send("jD")
    try terminal.wait(forText: "Removed second.")
    try terminal.wait(forNoText: "title:second")
    terminal.send("U")
    try terminal.wait(forText: "title:second")
    try terminal.wait(for: "the bar on the second rule") {
      $0.screen.lines.contains { $0.contains("▌") && $0.contains("second") }
    }
    #expect(try household.text(of: household.settingsFile) == before)
    terminal.send("DUDU")
    try terminal.wait(for: "the bar on the second rule") {
      $0.screen.lines.contains { $0.contains("▌") && $0.contains("second") }
        && $0.screen.text.contains("Undid: removed second")
    }
    terminal.send("P")
    try terminal.wait(forText: "second is off (U to undo).")
    try terminal.leaveFromAnywhere()
    #expect(
      try household.text(of: household.settingsFile).components(separatedBy: "enabled = false").count == 2)
  }

  @Test func escapeLeavesNoRule() throws {
    try household.serveBuilds(upTo: 3)
    #expect(try household.run("poll", "--force").exit == .status(0))
    let before = try household.text(of: household.settingsFile)
    let terminal = try household.inbox()
    try terminal.wait(forText: "Build 2 passed")
    terminal.send("jW")
    try terminal.wait(forText: "source:build")
    terminal.send("x\u{1B}")
    try terminal.wait(forNoText: "New rule")
    try terminal.leave()
    #expect(try household.text(of: household.settingsFile) == before)
  }
}
