import Foundation
import Synchronization
import TerminalHarness
import Testing

/// The response that `add` examines is the first poll: a server may allow one request within an hour.
@Suite struct FirstPollTests {
  private let server: LyingServer
  private let household: Household

  /// `/feed` answers its first request without a validator, and 429 to each further one.
  init() throws {
    server = try LyingServer()
    household = try Household()
    let isAnswered = Mutex(false)
    let feed = Data(rss("News", [item(2, "Second"), item(1, "First")]).utf8)
    server.answer("/feed") { connection in
      let isFirst = isAnswered.withLock { isAnswered in
        defer { isAnswered = true }
        return !isAnswered
      }
      if isFirst {
        connection.respond("200 OK", ["Content-Type: application/rss+xml", "ETag: \"v1\""], feed)
      } else {
        connection.respond("429 Too Many Requests", ["Retry-After: 3600"], Data())
      }
    }
  }

  private func titles() throws -> [String] {
    try household.messages().compactMap { $0["title"] as? String }
  }

  @Test(arguments: ["/feed", "/page"]) func addAndPollAreOneRequest(_ path: String) throws {
    server.answer(
      "/page", headers: ["Content-Type: text/html"],
      text:
        "<!doctype html><html><head><link rel=\"alternate\" type=\"application/rss+xml\" href=\"/feed\"></head></html>"
    )
    #expect(try household.run("add", server.url(path)).errors == "")
    #expect(try titles() == ["Second", "First"])
    #expect(try household.run("poll").exit == .status(0))
    #expect(server.requests("/feed").count == 1)
    let why = try household.run("why", "News").output
    #expect(why.contains("2 new") && !why.contains("429"), "\(why)")
  }

  @Test func theNextPollHasTheValidatorOfTheExaminedResponse() throws {
    try household.write(household.settingsFile, "[poll]\ngrace = \"1ms\"\n")
    #expect(try household.run("add", server.url("/feed")).errors == "")
    server.answer("/feed", status: "304 Not Modified", text: "")
    try household.run("poll", "News").expect("News: Nothing new\n")
    #expect(server.requests("/feed").map { $0.headers["if-none-match"] } == [nil, "\"v1\""])
  }

  @Test func theInboxAsksOnce() throws {
    let terminal = try household.inbox(columns: 110)
    try terminal.wait(forText: "Welcome to reddot")
    terminal.send("a")
    try terminal.wait(forText: "Address")
    terminal.send("\(server.url("/feed"))\r")
    try terminal.wait(forText: "Second")
    try terminal.leave()
    #expect(server.requests("/feed").count == 1)
    #expect(try titles() == ["Second", "First"])
  }

  /// The inbox notices the new source in the settings immediately. Without a lock it would poll the source before `add` has
  /// stored the response.
  @Test func anInboxBesideItDoesNotAskAgain() throws {
    let feeds = ["one", "two", "three"]
    for feed in feeds {
      server.answer(
        "/\(feed)", headers: ["Content-Type: application/rss+xml"],
        text: rss("News \(feed)", [item(1, "Of \(feed)")]))
    }
    try household.write(household.settingsFile, "[poll]\ninitial_delay = \"1ms\"\n")
    let terminal = try household.inbox(columns: 110)
    try terminal.wait(forText: "Welcome to reddot")
    for feed in feeds {
      #expect(try household.run("add", server.url("/\(feed)")).exit == .status(0))
      try terminal.wait(forText: "Of \(feed)")
    }
    try terminal.leave()
    for feed in feeds { #expect(server.requests("/\(feed)").count == 1) }
  }

  /// If `add` has not examined the source, the first poll sends a request.
  @Test func whatWasNotExaminedIsPolled() throws {
    #expect(try household.run("add", server.url("/feed"), "--force", "--name", "News").exit == .status(0))
    #expect(server.requests("/feed").isEmpty)
    try household.run("poll").expect("News: 2 new\n  Second\n  First\n")
    #expect(server.requests("/feed").count == 1)
  }

  @Test func aProgramRunsOnce() throws {
    let script = try household.write(
      "count.sh", "echo x >> \(household.home)/runs; echo first; echo second\n")
    let words = ["add", "--kind", "command", "--format", "lines", "--name", "lines", "--", "sh", script]
    #expect(try household.run(words).exit == .status(0))
    #expect(try household.run("poll").exit == .status(0))
    #expect(try household.text(of: "\(household.home)/runs") == "x\n")
    #expect(try Set(titles()) == ["first", "second"])
  }
}
