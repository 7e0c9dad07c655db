import Foundation
import TerminalHarness
import Testing

/// Quitting while work is in progress.
@Suite struct QuittingTests {
  /// Quitting at different moments while the list is being read.
  @Test func quittingWhileMessagesArriveLogsNoError() throws {
    let server = try LyingServer()
    server.answer("/feed", text: rss("Team", (1...3000).map { item($0, "Message \($0)") }))
    for round in 0..<4 {
      let household = try Household()
      try household.settings(
        "[poll]\ninitial_delay = \"1ms\"\n",
        sources: (1...4).map { (name: "team\($0)", url: server.url("/feed?\($0)"), more: "") })
      let before = server.requests("/feed").count
      let terminal = try household.inbox()
      try terminal.wait(for: "the polls to be under way") { _ in
        server.requests("/feed").count > before + round
      }
      terminal.send("q")
      #expect(try terminal.waitForExit() == .status(0))
      #expect(log(household) == "")
    }
  }

  /// There is no log file without log lines.
  private func log(_ household: Household) -> String {
    let file = FileManager.default.contents(atPath: "\(household.home)/.local/state/reddot/reddot.log")
    return String(decoding: file ?? Data(), as: UTF8.self)
  }

  @Test func quittingDuringAPollLogsNoError() throws {
    let server = try LyingServer()
    let household = try Household()
    try household.settings(
      "[poll]\ninitial_delay = \"1ms\"\n",
      sources: (1...4).map { (name: "team\($0)", url: server.url("/feed\($0)"), more: "") })
    server.answer("/feed1") { connection in connection.waitForClose() }
    server.answer("/feed2") { connection in
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n<rss>")
      connection.waitForClose()
    }
    server.answer("/feed3", status: "302 Found", headers: ["Location: /feed1"], text: "")
    server.answer("/feed4", text: rss("Team", [item(1, "First")]))
    let terminal = try household.inbox()
    try terminal.wait(for: "the polls to be under way") { _ in
      server.requests("/feed1").count + server.requests("/feed2").count >= 2
    }
    terminal.send("q")
    #expect(try terminal.waitForExit() == .status(0))
    #expect(log(household) == "")
  }
}
