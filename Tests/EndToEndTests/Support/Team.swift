import Foundation
import TerminalHarness
import TestBasics

/// An app's team with a native feed on loopback, and a household that follows it as `app`.
struct Team {
  let server: LyingServer
  let household: Household

  init() throws {
    server = try LyingServer()
    household = try Household()
    try settings("")
  }

  /// - Parameters:
  ///   - lines: of the settings, before the sources.
  ///   - more: lines of the source's table.
  func settings(_ lines: String, more: String = "") throws {
    try household.settings(
      "\(lines)\n[poll]\ninitial_delay = \"1ms\"\ngrace = \"1ms\"",
      sources: [(name: "app", url: server.url("/app"), more: "kind = \"native\"\n\(more)")])
  }

  /// The feed's items from now on, oldest first.
  func serve(_ items: String...) throws {
    server.answer("/app", text: #"{"list": [\#(items.joined(separator: ",\n"))]}"#)
  }

  /// The number of requests for the feed.
  var requests: Int { server.requests("/app").count }
}

/// Repeats a check, which itself takes some time, until it is true.
func eventually(_ what: String, _ holds: () throws -> Bool) throws {
  let deadline = ContinuousClock.now + HangLimit.duration
  while try !holds() {
    if ContinuousClock.now > deadline {
      throw HouseholdFailure("waited \(HangLimit.duration) for \(what)")
    }
  }
}
