import Foundation
import TerminalHarness
import Testing

/// `reddot poll` as cron calls it.
@Suite struct DuePollTests {
  private let server: LyingServer
  private let household: Household

  init() throws {
    server = try LyingServer()
    household = try Household()
  }

  private func settings(_ polling: String) throws {
    try household.settings("[poll]\n" + polling, sources: [("team", server.url("/feed"), "")])
  }

  @Test func onlyWhatIsDueIsPolled() throws {
    server.answer("/feed", text: rss("Team", [item(1, "News")]))
    try settings("grace = \"1ms\"")
    try household.run("poll").expect("team: 1 new\n  News\n")
    for _ in 0..<3 {
      let early = try household.run("poll")
      #expect(early.exit == .status(0))
      #expect(early.output.hasPrefix("team: Held back until "), "\(early.output)")
      #expect(early.errors == "")
    }
    #expect(server.requests("/feed").count == 1)
    // A source that is named is polled.
    try household.run("poll", "team").expect("team: Nothing new\n")
    try household.run("poll", "--all").expect("team: Nothing new\n")
    #expect(server.requests("/feed").count == 3)
    #expect(try household.run("poll", "team", "--all").exit == .status(64))
  }

  @Test func aFailureIsSaidWhenItBeginsAndWhenItIsOver() throws {
    server.answer("/feed", status: "500 Internal Server Error", text: "")
    try settings("interval = \"1ms\"\ngrace = \"1ms\"")
    let first = try household.run("poll")
    #expect(first.exit == .status(1))
    #expect(first.errors.hasPrefix("reddot: team: "), "\(first.errors)")

    // Two seconds after the first failure, four after the second.
    var again = first
    try eventually("the next attempt") {
      again = try household.run("poll")
      return server.requests("/feed").count == 2
    }
    #expect(again.exit == .status(1))
    #expect(again.errors == "")
    #expect(again.output.hasPrefix("team: "), "\(again.output)")
    // An explicit request reports the reason.
    #expect(try household.run("poll", "--force").errors.hasPrefix("reddot: team: "))

    server.answer("/feed", text: rss("Team", [item(1, "News")]))
    try eventually("the next attempt") {
      again = try household.run("poll")
      return server.requests("/feed").count == 4
    }
    #expect(again.exit == .status(0))
    #expect(again.errors == "reddot: team: can be polled again\n")
    #expect(try household.run("poll", "--force").errors == "")
    try settings("grace = \"1ms\"")
    #expect(try household.run("poll", "--all").errors == "")
  }

  @Test func aMessageThatIsUnreadAgainIsSaid() throws {
    server.answer("/feed", text: rss("Team", [item(1, "News")]))
    try household.settings(
      "[poll]\ngrace = \"1ms\"", sources: [("team", server.url("/feed"), "unread_on_change = true")])
    try household.run("poll").expect("team: 1 new\n  News\n")
    #expect(try household.run("mark", "--read", "--all").exit == .status(0))
    server.answer("/feed", text: rss("Team", [item(1, "News, changed")]))
    try household.run("poll", "--all").expect("team: 1 back\n")
    #expect(try household.run("why", "team").output.contains("1 back"))
  }
}
