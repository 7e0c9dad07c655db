import Foundation
import TerminalHarness
import Testing

/// Permanent redirects are remembered, but not for longer than their target is there.
@Suite struct MovedFeedTests {
  private let server: LyingServer
  private let other: LyingServer
  private let household: Household

  /// A feed that is redirected from `server` to `other`.
  init() throws {
    (server, other) = (try LyingServer(), try LyingServer())
    household = try Household()
    try household.settings(sources: [(name: "news", url: server.url("/feed"), more: "")])
    server.answer(
      "/feed", status: "301 Moved Permanently", headers: ["Location: \(other.url("/feed"))"], text: "")
    other.answer("/feed", text: rss("News", [item(1, "First")]))
  }

  @Test func aTargetThatIsGoneGivesWayToTheConfiguredAddress() throws {
    for _ in 1...3 { #expect(try household.run("poll", "--force").exit == .status(0)) }
    let asked = server.requests("/feed").count
    // While the target answers, the configured address has rest.
    other.answer("/feed", text: rss("News", [item(2, "Second"), item(1, "First")]))
    #expect(try household.run("poll", "--force").output.contains("1 new"))
    #expect(server.requests("/feed").count == asked)

    other.answer("/feed", status: "404 Not Found", text: "")
    server.answer("/feed", text: rss("News", [item(3, "Third"), item(2, "Second")]))
    let back = try household.run("poll", "--force")
    #expect(back.output.contains("1 new"), "\(back.output)\(back.errors)")
    let dead = other.requests("/feed").count
    #expect(try household.run("poll", "--force").output == "news: Nothing new\n")
    #expect(other.requests("/feed").count == dead, "the dead address is forgotten")
    #expect(try household.messages().compactMap { $0["title"] as? String } == ["Third", "Second", "First"])
  }

  /// If neither responds, the failure of the remembered URL is reported.
  @Test func twoDeadAddressesAreOneFailure() throws {
    for _ in 1...3 { _ = try household.run("poll", "--force") }
    other.answer("/feed", status: "404 Not Found", text: "")
    let failed = try household.run("poll", "--force")
    #expect(failed.errors.contains("404"), "\(failed.errors)")
    other.answer("/feed", text: rss("News", [item(2, "Second"), item(1, "First")]))
    #expect(try household.run("poll", "--force").output.contains("1 new"))
  }

  /// Nothing is remembered of the source that was removed, but its messages.
  @Test func aSourceThatIsAddedAgainAsksTheGivenAddress() throws {
    for _ in 1...3 { _ = try household.run("poll", "--force") }
    let before = server.requests("/feed").count
    #expect(try household.run("remove", "news").exit == .status(0))
    other.answer("/feed", text: rss("News", [item(2, "Second"), item(1, "First")]))
    #expect(try household.run("add", server.url("/feed"), "--name", "news").errors == "")
    #expect(server.requests("/feed").count == before + 1)
    #expect(try household.messages().compactMap { $0["title"] as? String } == ["Second", "First"])
    try household.run("poll", "--force").expect("news: Nothing new\n")
    #expect(server.requests("/feed").count == before + 2)
  }
}
