import Foundation
import TerminalHarness
import Testing

/// `daily_limit`: a server that always has more fills no disk, and nothing is skipped.
@Suite struct DailyLimitTests {
  /// Answers with the ten items after `since_id`, and always has more.
  private func endless(_ server: LyingServer, _ path: String, bytes: Int = 10) {
    server.answer(path) { [weak server] connection in
      let query = server?.requests(path).last?.query ?? ""
      let since = query.components(separatedBy: "since_id=").dropFirst().first
      let last = since.flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
      let body = String(repeating: "x", count: bytes)
      let items = (last + 1...last + 10).map { number in
        "{\"id\": \(number), \"title\": \"Item \(number)\", \"body\": \"\(body)\"}"
      }
      connection.respond(
        "200 OK", [],
        Data("{\"list\": [\(items.joined(separator: ","))], \"has_more\": true}".utf8))
    }
  }

  private func ids(_ household: Household, _ name: String) throws -> [Int] {
    try household.messages("--source", name, "--limit", "1000")
      .compactMap { ($0["remote_id"] as? String).flatMap { Int($0) } }.sorted()
  }

  @Test func aServerThatAlwaysHasMoreIsStoppedBetweenTwoPagesAndGoesOn() throws {
    let server = try LyingServer()
    let household = try Household()
    for path in ["/small", "/endless"] { endless(server, path) }
    server.answer("/feed", text: rss("Team", (1...60).reversed().map { item($0, "News \($0)") }))
    func settings(_ limit: Int) throws {
      try household.settings(
        "daily_limit = \(limit)",
        sources: [
          ("small", server.url("/small"), "kind = \"native\"\ndaily_limit = 500"),
          ("endless", server.url("/endless"), "kind = \"native\""),
          ("team", server.url("/feed"), ""),
        ])
    }
    try settings(35)
    let first = try household.run("poll", "--all")
    #expect(first.exit == .status(0))
    #expect(
      first.output.contains("daily_limit of 35 new messages reached: polls continue there at "))
    // Whole pages, also the one that went beyond the limit.
    #expect(try ids(household, "endless") == Array(1...40))
    #expect(server.requests("/endless").count == 4)
    // A feed is always read completely, and the other source has a separate limit.
    #expect(try ids(household, "team").count == 60)
    #expect(try ids(household, "small") == Array(1...500))
    let why = try household.run("why", "endless").output
    #expect(why.contains("(daily_limit is reached; the server keeps the rest)"))
    #expect(why.contains("daily_limit: 40 new messages came within a day; the next poll continues there"))
    // The source is not polled before the limit ends, and other sources are not delayed.
    let forced = try household.run("poll", "endless", "--force").output
    #expect(forced.contains("daily_limit is reached; the server keeps the rest"))
    #expect(server.requests("/endless").count == 4)
    try household.run("poll", "team", "--force").expect("team: Nothing new\n")
    // With another limit, the poll continues where it stopped.
    try settings(55)
    #expect(try household.run("poll", "endless", "--force").exit == .status(0))
    #expect(server.requests("/endless")[4].query.contains("since_id=40"))
    #expect(try ids(household, "endless") == Array(1...60))
  }

  @Test func longTextsCountAsSeveralMessages() throws {
    let server = try LyingServer()
    let household = try Household()
    endless(server, "/long", bytes: 9000)
    endless(server, "/short")
    try household.settings(
      "daily_limit = 50",
      sources: [
        ("long", server.url("/long"), "kind = \"native\""),
        ("short", server.url("/short"), "kind = \"native\""),
      ])
    #expect(try household.run("poll", "--all").exit == .status(0))
    #expect(try ids(household, "short") == Array(1...50))
    #expect(try ids(household, "long") == Array(1...30))
  }
}
