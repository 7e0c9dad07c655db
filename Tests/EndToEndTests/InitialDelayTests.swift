import Foundation
import TerminalHarness
import Testing

/// Acts before `initial_delay` has passed.
@Suite struct InitialDelayTests {
  private let household: Household
  private let server: LyingServer

  init() throws {
    household = try Household()
    server = try LyingServer()
    for name in ["team", "builds"] {
      server.answer("/\(name)", text: rss(name, [item(1, "News of \(name)", site: name)]))
    }
    try household.settings(
      "animations = false\n[poll]\ninitial_delay = \"1h\"",
      sources: ["team", "builds"].map { ($0, server.url("/\($0)"), "") })
  }

  private var requests: Int { server.requests("/team").count + server.requests("/builds").count }

  /// The timeline of a source, oldest first.
  private func attempts(of name: String) throws -> [String] {
    let why = try household.run("why", name, "--json").output
    let object = try JSONSerialization.jsonObject(with: Data(why.utf8)) as? [String: Any]
    let attempts = try #require(object?["attempts"] as? [[String: Any]])
    return attempts.reversed().map { "\($0["trigger"] ?? ""): \($0["result"] ?? "")" }
  }

  /// Goes to the sources, and opens the one that many lines below All.
  private func choose(_ terminal: PseudoTerminal, _ place: Int) {
    terminal.send("h")
    terminal.send(String(repeating: "j", count: place))
    terminal.send("\r")
  }

  @Test func focusAndAChosenSourceWaitForItAndForceDoesNot() throws {
    let terminal = try household.inbox(columns: 120, rows: 30)
    try terminal.wait(forText: "builds")
    // The terminal's reports of losing and getting the focus.
    terminal.send("\u{1B}[O\u{1B}[I")
    choose(terminal, 2)
    terminal.send("p")
    // The timeline shows the result of the refresh.
    try terminal.wait(forText: "held back until")
    #expect(requests == 0)
    terminal.send("R")
    try terminal.wait(forText: "News of team")
    try terminal.wait(for: "both polls") { _ in requests == 2 }
    try terminal.leave()
    #expect(requests == 2)
    let team = try attempts(of: "team")
    #expect(team.count == 2)
    #expect(team.first?.hasPrefix("soft: held back until ") == true)
    #expect(team.first?.hasSuffix(": start") == true)
    #expect(team.last == "forced: 1 new")
    #expect(try attempts(of: "builds") == ["forced: 1 new"])
  }
}
