import Foundation
import HTTP
import Messages
import Services
import Testing

/// If a response is partial according to its server, no element counts as gone.
struct PartialAnswerTests {
  private static let checks = "https://checks.example/api/v3/checks/"

  private static func check(_ name: String) -> String {
    #"{"name": "\#(name)", "uuid": "\#(name)", "status": "grace", "last_ping": "2026-11-20T08:00:00+00:00"}"#
  }

  private static func list(
    _ names: String..., headers: HeaderFields = [:], status: Int = 200, more: String = ""
  ) -> Exchange {
    .ok(
      checks, #"{"checks": [\#(names.map(check).joined(separator: ","))]\#(more)}"#, headers, status: status)
  }

  private func poll(_ answer: Exchange, from position: PollPosition = PollPosition()) async throws
    -> PollContent
  {
    let there = source("https://checks.example", .healthchecks)
    return try #require(try await ServicesTests.poll(there, from: position, [answer]).content)
  }

  @Test(arguments: [
    ("status", list("a", status: 206), false), ("flag", list("a", more: #", "partial": true"#), false),
    ("incomplete", list("a", more: #", "meta": {"incomplete_results": true}"#), false),
    ("range", list("a", headers: ["Content-Range": "items 0-0/3"]), false),
    ("whole range", list("a", headers: ["Content-Range": "items 0-0/1"]), true),
    ("no range", list("a", headers: ["Content-Range": "items 0-0/-9223372036854775808"]), true),
    ("whole", list("a", more: #", "partial": false"#), true),
  ])
  func aPartialListEndsNothing(_ name: String, _ answer: Exchange, isWhole: Bool) async throws {
    let first = try await poll(Self.list("a", "b", "c"))
    #expect(first.messages.count == 3 && first.upstream?.isComplete == true)
    let second = try await poll(answer, from: first.position)
    #expect(second.messages.map(\.title) == ["a: late"])
    #expect(second.upstream?.isComplete == isWhole, "\(name)")
    #expect(second.problems.isEmpty == isWhole)
    // The next complete response ends the missing ones, and knows when the others began.
    let third = try await poll(Self.list("a", "c"), from: second.position)
    #expect(third.upstream?.isComplete == true && third.upstream?.open?.count == 2)
  }

  @Test(arguments: [(206, false), (200, true)])
  func thePagesOfAListToo(status: Int, isWhole: Bool) async throws {
    let (source, context) = try service(.gotify, "https://push.example")
    let body = #"""
      {"messages": [{"id": 2, "appid": 1, "message": "b", "date": "2026-11-20T08:00:00Z"}], "paging": {}}
      """#
    let content = try #require(
      try await ServicesTests.poll(
        source, context: context,
        [
          .ok("https://push.example/message?limit=100", body, status: status),
          .ok("https://push.example/application", "[]"),
        ]
      ).content)
    #expect(content.messages.count == 1)
    #expect((content.upstream?.open != nil) == isWhole)
  }
}
