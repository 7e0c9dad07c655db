import Foundation
import TerminalHarness
import Testing

/// `keep` and `keep_messages`, and `reddot prune`.
@Suite struct PruneTests {
  @Test func prunedMessagesDoNotComeBack() throws {
    let household = try Household()
    let server = try LyingServer()
    let items = (1...30).reversed().map { item($0, "News \($0)") }
    server.answer("/feed", text: rss("Team", items))
    try household.settings(sources: [("team", server.url("/feed"), "")])
    try household.run("prune").expect(
      "every source keeps everything; set keep or keep_messages in the settings to limit it\n")
    #expect(try household.run("poll", "--all").exit == .status(0))
    #expect(try household.run("mark", "--read", "--all").exit == .status(0))
    let first = try #require(try household.messages().last?["id"])
    #expect(try household.run("mark", "--star", "\(first)").exit == .status(0))
    try household.settings(sources: [("team", server.url("/feed"), "keep_messages = 5")])
    try household.run("prune", "--dry-run").expect("team: 24 messages would go\n")
    #expect(try household.messages().count == 30)
    try household.run("prune").expect("team: 24 messages gone\n")
    try household.run("prune").expect("nothing exceeds the limits of keep and keep_messages\n")
    let kept = [30, 29, 28, 27, 26, 1].map { "News \($0)" }
    #expect(try household.messages().map { $0["title"] as? String } == kept)
    #expect(try household.run("poll", "--force").output == "team: Nothing new\n")
    #expect(try household.messages().map { $0["title"] as? String } == kept)
  }

  @Test func aPollPrunesOnceADay() throws {
    let household = try Household()
    let server = try LyingServer()
    server.answer("/feed", text: rss("Team", (1...30).reversed().map { item($0, "News \($0)") }))
    try household.settings("keep_messages = 5", sources: [("team", server.url("/feed"), "")])
    #expect(try household.run("poll", "--all").exit == .status(0))
    // The newest 20 messages of a first poll are unread, and always stay.
    #expect(try household.messages().count == 20)
    #expect(try household.run("mark", "--read", "--all").exit == .status(0))
    #expect(try household.run("poll", "--force").exit == .status(0))
    #expect(try household.messages().count == 20)
  }
}
