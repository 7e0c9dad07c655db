import Foundation
import TerminalHarness
import Testing

/// `reddot status --watch`
@Suite struct StatusWatchTests {
  @Test func eachChangeIsALineAndNothingElseIs() throws {
    let household = try Household()
    #expect(try household.run("push", "First", "--id", "1").exit == .status(0))
    let running = try household.start(["status", "--format", "{unread} {title}", "--watch"])
    func lines() -> [Substring] {
      String(decoding: running.outputBytes, as: UTF8.self).split(separator: "\n")
    }
    try running.wait(for: "first line") { _ in lines() == ["1 First"] }
    #expect(try household.run("push", "Second \u{1B}[2J").exit == .status(0))
    try running.wait(for: "second line") { _ in lines().count == 2 }
    #expect(lines()[1].hasPrefix("2 Second") && !lines()[1].contains("\u{1B}"))
    // A star changes the database, but not the line.
    #expect(try household.run("mark", "--star", "1").exit == .status(0))
    #expect(try household.run("mark", "--read", "--all").exit == .status(0))
    try running.wait(for: "third line") { _ in lines().count == 3 }
    #expect(lines()[2] == "0 ")
    Foundation.kill(running.process, SIGTERM)
    #expect(try running.waitForEnd().exit == .signal(SIGTERM))
  }
}
