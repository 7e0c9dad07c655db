import Foundation
import Synchronization
import TerminalHarness
import Testing

/// Certificates, cookies and Unix sockets by the built program.
@Suite struct ServerTrustTests {
  private let household: Household
  private let server: LyingServer

  init() throws {
    household = try Household()
    server = try LyingServer()
  }

  private static let poll = "animations = false\n[poll]\ninitial_delay = \"1ms\"\ngrace = \"1ms\""

  private static func page(_ number: Int, hasMore: Bool) -> Data {
    Data(#"{"list": [{"id": \#(number), "title": "Number \#(number)"}], "has_more": \#(hasMore)}"#.utf8)
  }

  /// The inbox polls repeatedly in one process.
  @Test func theNextPollOfTheInboxBeginsWithoutCookies() throws {
    let count = Mutex(0)
    server.answer("/board") { connection in
      let number = count.withLock { count in
        count += 1
        return count
      }
      connection.respond(
        "200 OK", ["Set-Cookie: visit=v\(number); Path=/"], Self.page(number, hasMore: number % 2 == 1))
    }
    try household.settings(
      Self.poll, sources: [("board", server.url("/board"), "kind = \"native\"")])
    let terminal = try household.inbox(columns: 120, rows: 30)
    try terminal.wait(forText: "Number 2")
    terminal.send("R")
    try terminal.wait(forText: "Number 4")
    try terminal.leave()
    let cookies = server.requests("/board").map { $0.headers["cookie"] }
    #expect(cookies.prefix(4) == [nil, "visit=v1", nil, "visit=v3"])
  }

  @Test func aSocketIsFollowedAndNothingElseLeadsToOne() throws {
    let path = "\(household.home)/s"
    let local = try LyingServer(socket: path)
    local.answer(
      "/feed", headers: ["Content-Type: application/rss+xml"], text: rss("Local", [item(1, "First")]))
    local.answer("/secret", text: rss("Secret", [item(1, "Secret")]))
    try household.run("add", local.url("/feed")).expect("added Local: \(local.url("/feed"))\n")
    #expect(try household.messages().compactMap { $0["title"] as? String } == ["First"])
    try household.run("poll", "--force").expect("Local: Nothing new\n")
    // A redirect, a link of a message, the feed of a page, a list of feeds.
    server.answer("/moved", status: "301 Moved", headers: ["Location: \(local.url("/secret"))"], text: "")
    server.answer(
      "/page", headers: ["Content-Type: text/html"],
      text:
        "<html><head><link rel=\"alternate\" type=\"application/rss+xml\" href=\"\(local.url("/secret"))\">")
    let moved = try household.run("add", server.url("/moved"))
    #expect(moved.exit == .status(1) && moved.errors.contains("redirects to"))
    let page = try household.run("add", server.url("/page"))
    #expect(
      page.exit == .status(1) && page.errors.contains("is on this machine and not on the page's server"))
    let list =
      "<opml><body><outline type=\"rss\" xmlUrl=\"\(local.url("/secret"))\" text=\"s\"/></body></opml>"
    let imported = try household.run("import", "-", input: list)
    #expect(
      (imported.output + imported.errors).contains("is the address of a Unix socket; add it with reddot add"))
    #expect(local.requests("/secret").isEmpty)
    #expect(local.requests("/feed").count == 2)
  }

  @Test func aSourceWhoseCertificatesAreNotVerifiedIsMarkedWhereverItIsShown() throws {
    server.answer("/feed", text: rss("Team", [item(1, "First")]))
    try household.run("add", server.url("/feed"), "--no-verify").expect(
      "added Team: \(server.url("/feed"))\n")
    #expect(try household.text(of: household.settingsFile).contains("verify = false"))
    #expect(try household.run("poll", "--all").exit == .status(0))
    let words = "certificates are not verified (verify = false)"
    #expect(try household.run("sources").output.contains(words))
    #expect(try household.run("sources", "--json").output.contains("\"verify\":false"))
    #expect(try household.run("why", "Team").output.contains(words))
    let terminal = try household.inbox(columns: 120, rows: 30)
    try terminal.wait(forText: "First")
    terminal.send("J")
    try terminal.wait(forText: "certificates not verified")
    try terminal.leave()
  }

  @Test func theProxyOfTheSettingsIsUsed() throws {
    server.answer("http://feeds.example/feed", text: rss("Team", [item(1, "By proxy")]))
    try household.settings(
      "proxy = \"http://127.0.0.1:\(server.port)\"\n" + Self.poll,
      sources: [("team", "http://feeds.example/feed", "")])
    #expect(try household.run("poll", "--all").output.contains("By proxy"))
    #expect(try household.run("inspect", "http://feeds.example/feed").output.contains("By proxy"))
  }
}
