import Foundation
import TerminalHarness
import Testing

/// What the inbox does while nothing happens.
@Suite struct IdleTests {
  /// Longer than any timer of a thread pool, such as Dispatch's, which counts its threads once a second.
  private static let quiet: Int32 = 3000

  @Test func anInboxInWhichNothingHappensDoesNotWakeUp() throws {
    let household = try householdWithTwoSources()
    let terminal = try household.inbox()
    try terminal.wait(forText: "Lunch")
    // Keys, and what they read and write, use every part that might go on by itself.
    for key in ["j", "\r", "h", "u", "s"] {
      terminal.send(key)
      terminal.readUntilQuiet(for: 50)
    }
    try terminal.wait(for: "three seconds in which nothing happens") {
      let wakeUps = $0.wakeUps
      return !$0.read(for: Self.quiet) && $0.wakeUps == wakeUps
    }
    #expect(terminal.wakeUps > 0)
    try terminal.leaveFromAnywhere()
  }
}
