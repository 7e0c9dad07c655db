import Foundation
import TerminalHarness
import Testing

/// A wait of less than ten minutes is shown with seconds, and is not cut.
@Suite struct ShortWaitTests {
  @Test func graceIsSaidToTheSecond() throws {
    let household = try Household()
    let server = try LyingServer()
    server.answer("/feed", text: rss("Team", [item(1, "News")]))
    try household.settings(sources: [("team", server.url("/feed"), "")])
    #expect(try household.run("poll", "--all").exit == .status(0))
    let again = try household.run("poll", "--all").output
    let pattern = #/team: Held back until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d: it has just been polled\n/#
    #expect(again.wholeMatch(of: pattern) != nil, "\(again)")
    #expect(server.requests("/feed").count == 1)
  }

  @Test func whySaysAHoldToTheSecondAndCutsNothing() throws {
    let household = try Household()
    let server = try LyingServer()
    server.answer("/feed", status: "503 Service Unavailable", headers: ["Retry-After: 120"], text: "")
    let name = "a-source-with-a-name-wider-than-any-column"
    try household.settings(sources: [(name, server.url("/feed"), "")])
    #expect(try household.run("poll", "--all").exit == .status(1))
    let held = try household.run("poll", "--force").output
    let until =
      #/: Held back until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d: the server asked to wait \(127.0.0.1:\d+\)\n/#
    #expect(held.hasPrefix(name) && held.firstMatch(of: until) != nil, "\(held)")
    let why = try household.run("why", name).output
    let line =
      #/\n\S* \d\d:\d\d:\d\d  at once  Held back until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d: the server asked to wait \(127.0.0.1:\d+\)/#
    #expect(why.firstMatch(of: line) != nil, "\(why)")
    #expect(server.requests("/feed").count == 1)
  }
}
