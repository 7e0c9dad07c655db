import Foundation
import TerminalHarness
import Testing

/// Unknown keys of a native feed are reported once, whichever process polls.
@Suite struct IgnoredKeysTests {
  private let household: Household
  private let server: LyingServer

  init() throws {
    household = try Household()
    server = try LyingServer()
    try household.settings(
      "[poll]\ninitial_delay = \"1ms\"\ngrace = \"1ms\"",
      sources: [("team", server.url("/feed"), "kind = \"native\"")])
  }

  private func serve(_ members: String...) {
    let items = members.enumerated().map { #"{"id": \#($0 + 1), "title": "Item \#($0 + 1)", \#($1)}"# }
    server.answer("/feed", text: #"{"list": [\#(items.joined(separator: ", "))]}"#)
  }

  private func poll() throws { #expect(try household.run("poll", "--all").exit == .status(0)) }

  /// The log's lines about keys, without the times.
  private func logged() throws -> [String] {
    let path = "\(household.home)/.local/state/reddot/reddot.log"
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    return try household.text(of: path).split(separator: "\n").compactMap { line in
      line.contains("is unknown here") ? line.drop { $0 != " " }.dropFirst().description : nil
    }
  }

  private let a = "notice team: $.list[*].a: is unknown here and was ignored"
  private let b = "notice team: $.list[*].b: is unknown here and was ignored"

  @Test func eachKeyIsLoggedWhenItFirstAppears() throws {
    serve(#""a": 1"#)
    try poll()
    #expect(try logged() == [a])
    serve(#""a": 1"#, #""a": 1, "b": 2"#)
    try poll()
    #expect(try logged() == [a, b])
    serve(#""b": 1"#, #""a": 1"#, #""b": 2"#)
    try poll()
    #expect(try logged() == [a, b])
    // The timeline shows the poll.
    let timeline = try household.run("why", "team").output.split(separator: "\n").map(String.init)
    let keys = timeline.filter { $0.contains("is unknown here") }
    #expect(
      keys == ["    $.list[*].b: ", "    $.list[*].a: "].map { $0 + "is unknown here and was ignored" })
  }
}
