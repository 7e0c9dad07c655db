import Foundation
import TerminalHarness
import Testing

/// The article of a page, from a server to the screen.
@Suite(.serialized) struct ArticleTests {
  private static let text = String(
    repeating: "The harbour was quiet that morning, and the boats lay on the mud. ", count: 6)

  private static func page(_ start: String) -> String {
    """
    <html><head><title>Low tide</title></head><body><nav><a href="/">Home</a></nav><article><h1>Low tide</h1>
    <p>\(start) \(text)</p></article><footer>Imprint</footer></body></html>
    """
  }

  /// Returns a household that follows a feed with three messages, each with a separate page of the server; the first
  /// one is between the third and the second.
  private func household(_ server: LyingServer, more: String = "") throws -> Household {
    let household = try Household()
    let items = [3, 1, 2].enumerated().map { place, number in
      "<item><guid isPermaLink=\"false\">\(number)</guid><title>Message \(number)</title>"
        + "<link>\(server.url("/page/\(number)"))</link><description>Excerpt \(number)</description>"
        + "<pubDate>Fri, 20 Nov 2026 00:0\(3 - place):00 GMT</pubDate></item>"
    }
    try household.write("feed.xml", rss("Harbour", items))
    try household.settings(sources: [(name: "harbour", url: "\(household.home)/feed.xml", more: more)])
    let ran = try household.run("poll", "--all")
    guard ran.exit == .status(0) else { throw HouseholdFailure(ran.errors) }
    server.answer("/page/1", headers: ["Content-Type: text/html", "ETag: \"1\""], text: Self.page("First."))
    return household
  }

  private func inbox(_ household: Household) throws -> PseudoTerminal {
    let terminal = try household.inbox(columns: 80, rows: 24)
    try terminal.wait(forText: "Message 2")
    terminal.send("ggj")
    return terminal
  }

  @Test func aKeyFetchesItOnceAndItIsThereOffline() throws {
    let server = try LyingServer()
    let household = try household(server)
    let terminal = try inbox(household)
    terminal.send("\r")
    try terminal.wait(forText: "Excerpt 1")
    #expect(server.requests("/page/1").isEmpty, "nothing is fetched unasked")
    terminal.send("F")
    try terminal.wait(forText: "First. The harbour was quiet")
    #expect(terminal.screen.text.contains("Article from 127.0.0.1"))
    for part in ["Home", "Imprint", "Excerpt 1"] { #expect(!terminal.screen.text.contains(part)) }
    terminal.send("F")
    try terminal.wait(forText: "Excerpt 1")
    try terminal.leave()
    #expect(server.requests("/page/1").count == 1)
    #expect(server.requests("/page/1")[0].headers["authorization"] == nil)
    #expect(server.requests("/page/1")[0].headers["user-agent"]?.hasPrefix("reddot/") == true)

    // The server no longer responds, but the next session and the command have the stored article.
    server.answer("/page/1") { _ in }
    let second = try inbox(household)
    second.send("F")
    try second.wait(forText: "First. The harbour was quiet")
    try second.leave()
    let id = try #require(household.messages().first { $0["title"] as? String == "Message 1" }?["id"] as? Int)
    let shown = try household.run("show", "--full-text", "\(id)")
    #expect(shown.exit == .status(0), "\(shown.errors)")
    #expect(shown.output.contains("First. The harbour was quiet") && !shown.output.contains("Excerpt 1"))
    #expect(server.requests("/page/1").count == 1)
    // Without the option, the command shows the message itself.
    #expect(try household.run("show", "\(id)").output.contains("Excerpt 1"))
  }

  @Test func aCommandFetchesItAndSaysWhatIsWrong() throws {
    let server = try LyingServer()
    let household = try household(server)
    let ids = try household.messages().reduce(into: [String: Int]()) { ids, message in
      if let title = message["title"] as? String { ids[title] = message["id"] as? Int }
    }
    let first = try household.run("show", "\(try #require(ids["Message 1"]))", "--full-text")
    #expect(
      first.output.contains("Low tide") && first.output.contains("First. The harbour"), "\(first.errors)")
    server.answer("/page/2", headers: ["Content-Type: application/pdf"], text: "%PDF")
    let second = try household.run("show", "\(try #require(ids["Message 2"]))", "--full-text")
    second.expectFailure(
      "No article from 127.0.0.1:\(server.port): it sent application/pdf, not a web page; a browser opens it."
    )
  }
}
