import Foundation
import TerminalHarness
import Testing

/// Each list keeps its state across a restart.
@Suite struct ListStateTests {
  private func header(_ terminal: PseudoTerminal) -> String { terminal.screen.lines.first ?? "" }

  /// Returns the number of lines of a row.
  private func height(_ terminal: PseudoTerminal) throws -> Int {
    let lines = terminal.screen.lines
    guard let first = lines.firstIndex(where: { $0.contains("First") }),
      let second = lines.firstIndex(where: { $0.contains("Second") })
    else { throw HouseholdFailure("the messages are not on the screen") }
    return second - first
  }

  @Test(arguments: [(130, 45), (120, 40), (80, 24)])
  func threeListsStayAsTheyWereLeft(columns: Int, rows: Int) throws {
    let household = try householdWithTwoSources()
    let terminal = try household.inbox(columns: columns, rows: rows)
    try terminal.wait(forText: "Lunch")
    terminal.send("f")
    try terminal.wait(for: "All with unread messages only") {
      header($0).contains("All  unread only · 5 unread")
    }
    terminal.send("J")
    try terminal.wait(for: "the first source") { header($0).contains("Team  3 unread · newest first") }
    terminal.send("O")
    try terminal.wait(for: "another order") {
      header($0).contains("Team  3 unread · oldest first") && (try? height($0)) != nil
    }
    let usual = try height(terminal)
    terminal.send("gr")
    try terminal.wait(for: "other rows") { (try? height($0)) == 3 - usual }
    terminal.send("J")
    try terminal.wait(for: "the second source") { header($0).contains("Board  2 unread · newest first") }
    try terminal.leave()

    let second = try household.inbox(columns: columns, rows: rows)
    try second.wait(for: "All as it was left") { header($0).contains("All  unread only · 5 unread") }
    second.send("J")
    try second.wait(for: "the first source as it was left") {
      header($0).contains("Team  3 unread · oldest first") && $0.screen.text.contains("1 of 3")
        && (try? height($0)) != nil
    }
    #expect(try height(second) == 3 - usual)
    second.send("J")
    try second.wait(for: "the second source") { header($0).contains("Board  2 unread · newest first") }
    second.send("h")
    try second.leaveFromAnywhere()
  }
}
