import TerminalHarness
import Testing

@Suite struct ListOutputTests {
  @Test func theActsOnAMessageAreInItsJSON() throws {
    let household = try householdWithTwoSources()
    try household.run("mark", "--star", "4").expect("")
    try household.run("mark", "--dismiss", "3").expect("")
    #expect(try household.run("snooze", "2", "2099-01-01 12:00").exit == .status(0))
    let ends = try ["4", "3", "2"].map { id in
      let output = try household.run("show", id, "--json").output
      return String(output.split(separator: "\"starred\":").last ?? "")
    }
    let rest = #","snoozed_until":null,"resolved":null,"folder":null,"also_from":[],"pane":null}"# + "\n"
    #expect(ends[0] == #"true,"dismissed":false"# + rest)
    #expect(ends[1] == #"false,"dismissed":true"# + rest)
    #expect(ends[2].hasPrefix("false,\"dismissed\":false,\"snoozed_until\":\"2099-01-01T"))
  }

  /// Columns are aligned, and nothing is wrapped.
  @Test func aListOnATerminalIsCutToItsWidth() throws {
    let household = try householdWithTwoSources()
    let title = String(repeating: "long title ", count: 20)
    try household.run("push", title, "--source", "notes").expect("")
    for columns in [50, 80] {
      let terminal = try household.inbox(columns: columns, arguments: ["list"])
      #expect(try terminal.waitForExit() == .status(0))
      let lines = terminal.screen.lines.dropFirst().filter { !$0.isEmpty }
      #expect(lines.count == 6, "\(columns) columns")
      #expect(lines.first?.hasSuffix("…") == true, "\(columns) columns")
      #expect(lines.allSatisfy { $0.count <= columns })
      let titles = ["long title", "Release 2.0", "Coffee & cake"].map {
        terminal.screen.position(of: $0)?.column
      }
      #expect(Set(titles).count == 1 && titles[0] != nil, "\(columns) columns")
    }
  }

  @Test func aPollSaysNothingOfASourceThatScriptsFill() throws {
    let household = try householdWithTwoSources()
    try household.run("push", "Done", "--source", "notes").expect("")
    try household.run("poll", "--all").expect("2 sources: nothing new\n")
    try household.run("poll", "--force").expect("2 sources: nothing new\n")
    #expect(try household.run("poll", "notes").output.hasPrefix("notes: "))
  }
}
