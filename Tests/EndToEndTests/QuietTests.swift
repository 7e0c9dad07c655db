import Foundation
import TerminalHarness
import Testing

/// Quiet time is seen.
@Suite struct QuietTests {
  @Test func statusAndBarsSayUntilWhen() throws {
    let household = try householdWithTwoSources()
    #expect(try household.run("quiet", "until", "2099-12-24", "18:00").exit == .status(0))
    try household.run("status").expect("● 5 quiet until 2099-12-24 18:00\n")
    try household.run("status", "--format", "{unread}, {quiet}").expect(
      "5, quiet until 2099-12-24 18:00\n")
    #expect(
      try household.run("status", "--json").output.hasSuffix(
        #","quiet":true,"quiet_until":"2099-12-24T18:00:00Z"}"# + "\n"))
    #expect(
      try household.run("status", "--format", "tmux").output.hasSuffix(
        " 5 quiet until 2099-12-24 18:00\n"))
    #expect(
      try household.run("status", "--format", "waybar").output.contains(#""class":["unseen","quiet"]"#))
    #expect(try household.run("mark", "--read", "--all").exit == .status(0))
    try household.run("status").expect("quiet until 2099-12-24 18:00\n")
    try household.run("quiet", "off").expect("not quiet\n")
    try household.run("status", "--format", "[{quiet}]").expect("[]\n")
  }

  @Test func itIsAskedForInTheInboxAndTheHeaderSaysUntilWhen() throws {
    let household = try householdWithTwoSources()
    let terminal = try household.inbox(columns: 100)
    try terminal.wait(forText: "Team")
    #expect(!terminal.screen.text.contains("quiet until"))
    #expect(try household.run("quiet", "23h").exit == .status(0))
    try terminal.wait(forText: "quiet until")
    #expect(try household.run("quiet", "off").exit == .status(0))
    try terminal.wait(for: "a header without it") { !$0.screen.text.contains("quiet until") }
    terminal.send("Q")
    try terminal.wait(forText: "Quiet until: ")
    terminal.send("nonsense\r")
    try terminal.wait(forText: "is not a time")
    terminal.send("\u{15}2h\r")
    try terminal.wait(forNoText: "Quiet until: ")
    try terminal.wait(forText: "Quiet until ")
    #expect(try household.run("quiet").output.hasPrefix("quiet until "))
    terminal.send("Qoff\r")
    try terminal.wait(forText: "No longer quiet.")
    #expect(try household.run("quiet").output == "not quiet\n")
    terminal.send("Qtomorrow 9\r")
    try terminal.wait(for: "the header's word") { $0.screen.lines[0].contains("quiet until") }
    try terminal.leave()
  }

  @Test func thoseOfTheSettingsAreSeenToo() throws {
    let household = try Household()
    try household.write(household.settingsFile, "[[quiet]]\nfrom = \"0:00\"\nto = \"0:00\"\n")
    #expect(try household.run("status").output.hasPrefix("quiet"))
  }
}
