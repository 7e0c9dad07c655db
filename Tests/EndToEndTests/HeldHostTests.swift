import Foundation
import TerminalHarness
import Testing

/// A server with a Retry-After gets no request, by any way of polling.
@Suite struct HeldHostTests {
  @Test func aRedirectToAHostWithRetryAfterIsNotFollowed() throws {
    let server = try LyingServer()
    let busy = try LyingServer()
    let household = try Household()
    try household.settings(sources: [
      (name: "moved", url: server.url("/feed"), more: ""), (name: "busy", url: busy.url("/busy"), more: ""),
    ])
    server.answer("/feed", status: "302 Found", headers: ["Location: \(busy.url("/feed"))"], text: "")
    busy.answer("/feed", text: rss("Team", [item(1, "First")]))
    busy.answer("/busy", status: "429 Too Many Requests", headers: ["Retry-After: 3600"], text: "")
    let first = try household.run("poll", "--force", "moved")
    #expect(first.output.contains("1 new"), "\(first.output)\(first.errors)")
    _ = try household.run("poll", "--force", "busy")
    #expect(busy.requests("/feed").count == 1)

    let second = try household.run("poll", "--force", "moved")
    #expect(second.exit == .status(0), "\(second.errors)")
    #expect(second.output.lowercased().contains("held back until"), "\(second.output)")
    #expect(second.output.contains("127.0.0.1:\(busy.port)"), "\(second.output)")
    #expect(server.requests("/feed").count == 2)
    #expect(busy.requests("/feed").count == 1, "it heard nothing")
    // Everything is as it was, and the timeline says what happened.
    #expect(try household.messages().map { $0["title"] as? String } == ["First"])
    let sources = try household.run("sources", "--json").output
    #expect(sources.contains("\"failures\":0"))
    let why = try household.run("why", "moved").output
    #expect(why.lowercased().contains("held back until") && why.contains("127.0.0.1:\(busy.port)"), "\(why)")
  }
}
