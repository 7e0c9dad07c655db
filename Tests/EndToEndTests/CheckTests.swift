import Foundation
import TerminalHarness
import Testing

/// `reddot check`, and what an undo says of messages that were changed since.
@Suite struct CheckTests {
  private func household() throws -> Household {
    let household = try Household()
    let server = try LyingServer()
    server.answer("/feed", text: rss("Team", (1...6).reversed().map { item($0, "News \($0)") }))
    try household.settings(sources: [("team", server.url("/feed"), "")])
    #expect(try household.run("poll", "--all").exit == .status(0))
    return household
  }

  @Test func whatTheDatabaseHoldsIsSaidAndThatItAgrees() throws {
    let household = try household()
    #expect(try household.run("mark", "--read", "--all").exit == .status(0))
    try household.run("check").expect("6 messages\n1 source\n1 action\neverything agrees\n")
  }

  @Test func whereNoDatabaseIsNothingAgrees() throws {
    let household = try household()
    let none = household.home + "/typo.sqlite"
    let run = try household.run("check", "--database", none)
    #expect(run.exit == .status(1) && run.output.isEmpty)
    #expect(run.errors.contains("there is no such file") && run.errors.contains("--database"))
    #expect(!FileManager.default.fileExists(atPath: none))
    try Data().write(to: URL(fileURLWithPath: none))
    let empty = try household.run("check", "--database", none)
    #expect(empty.exit == .status(1) && empty.output.isEmpty)
    #expect(empty.errors.contains("it is empty") && empty.errors.contains("backup"))
  }

  @Test func anUndoSaysWhatItLeftAlone() throws {
    let household = try household()
    let ids = try household.messages().prefix(4).map { "\(try #require($0["id"]))" }
    #expect(try household.run(["mark", "--dismiss"] + ids).exit == .status(0))
    try household.run("undo").expect("Undid: dismissed 4 messages\n")
    try household.run("undo", "--redo").expect("Redid: dismissed 4 messages\n")
    let again = try household.run("undo", "--redo")
    #expect(again.exit == .status(1) && again.errors.contains("nothing to do again"))
    try household.run("undo").expect("Undid: dismissed 4 messages\n")
  }
}
