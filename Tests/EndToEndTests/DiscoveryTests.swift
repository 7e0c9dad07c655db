import Foundation
import TerminalHarness
import Testing

/// Pages that name their feeds.
@Suite struct DiscoveryTests {
  private let server: LyingServer
  private let household: Household

  /// A page with two feeds of posts and one of comments at `/`, and one with a single feed of posts at `/blog`.
  init() throws {
    server = try LyingServer()
    household = try Household()
    func link(_ path: String, _ title: String) -> String {
      "<link rel=\"alternate\" type=\"application/rss+xml\" title=\"\(title)\" href=\"\(path)\">"
    }
    let html = ["Content-Type: text/html; charset=utf-8"]
    let several =
      link("/comments.xml", "Site: Comments") + link("/news.xml", "Site: News") + link("/talks.xml", "")
    server.answer("/", headers: html, text: "<!doctype html><html><head>\(several)</head></html>")
    let one = link("/comments/feed", "Comments") + link("/posts.xml", "Posts")
    server.answer("/blog", headers: html, text: "<!doctype html><html><head>\(one)</head></html>")
    for name in ["comments", "news", "talks", "posts"] {
      server.answer(
        "/\(name).xml", headers: ["Content-Type: application/rss+xml"],
        text: rss("The \(name)", [item(1, "First of \(name)")]))
    }
  }

  private var settings: String {
    FileManager.default.fileExists(atPath: household.settingsFile)
      ? (try? household.text(of: household.settingsFile)) ?? "" : ""
  }

  @Test func theOnlyFeedOfPostsIsChosen() throws {
    let ran = try household.run("add", server.url("/blog"))
    #expect(ran.exit == .status(0), "\(ran.errors)")
    #expect(ran.output.contains("The posts") && settings.contains("url = \"\(server.url("/posts.xml"))\""))
    #expect(!settings.contains("/comments"))
    let again = try household.run("add", server.url("/blog"))
    #expect(again.exit == .status(1) && again.errors.contains("already followed"), "\(again.errors)")
  }

  /// Feeds of posts come first, with their titles.
  @Test func ofSeveralNoneIsChosenAndAllAreNamed() throws {
    let ran = try household.run("add", server.url("/"))
    #expect(ran.exit == .status(1) && settings == "")
    let named =
      "the page names several feeds; add one of them: \(server.url("/news.xml")) (Site: News), "
      + "\(server.url("/talks.xml")), \(server.url("/comments.xml")) (Site: Comments)"
    #expect(ran.errors.contains(named), "\(ran.errors)")
  }

  /// The inbox, which asks for one of the feeds of `/`.
  private func choice() throws -> PseudoTerminal {
    let terminal = try household.inbox(columns: 110)
    try terminal.wait(forText: "Welcome to reddot")
    terminal.send("a")
    try terminal.wait(forText: "Address")
    terminal.send("\(server.url("/"))\r")
    try terminal.wait(forText: "several feeds")
    return terminal
  }

  @Test func theInboxShowsTheChoiceAndAddsTheChosenOne() throws {
    let terminal = try choice()
    let rows = ["1  Site: News", "2  \(server.url("/talks.xml"))", "3  Site: Comments"].map(terminal.row)
    #expect(rows.allSatisfy { $0 != nil } && rows == rows.sorted { ($0 ?? 0) < ($1 ?? 0) })
    terminal.send("j\r")
    try terminal.wait(forText: "First of talks")
    try terminal.leave()
    #expect(settings.contains("url = \"\(server.url("/talks.xml"))\""))
    #expect(!settings.contains("news.xml") && !settings.contains("comments.xml"))
  }
}
