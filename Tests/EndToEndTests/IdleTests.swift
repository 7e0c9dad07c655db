import Foundation
import TerminalHarness
import Testing

/// The inbox while nothing happens.
@Suite struct IdleTests {
  /// Longer than any timer of a thread pool, such as Dispatch's, which counts its threads once a second.
  private static let quiet: Int32 = 3000

  @Test func anInboxInWhichNothingHappensDoesNotWakeUp() throws {
    let household = try householdWithTwoSources()
    let terminal = try household.inbox()
    try terminal.wait(forText: "Lunch")
    // Keys, and their reads and writes, use every part that could continue on its own.
    for key in ["j", "\r", "h", "u", "s"] {
      terminal.send(key)
      terminal.readUntilQuiet(for: 50)
    }
    var last: [String: Int] = [:]
    // Work left by the start is done within some seconds; timers of a minute and more may end in one of these spans.
    for _ in 0..<20 {
      let before = terminal.wakeUpsOfThreads
      let hasWritten = terminal.read(for: Self.quiet)
      last = terminal.wakeUpsOfThreads.filter { $0.value != before[$0.key] }
      if last.isEmpty, !hasWritten { break }
    }
    #expect(last.isEmpty, "threads that woke up, and how often in all")
    #expect(terminal.wakeUps > 0)
    try terminal.leaveFromAnywhere()
  }
}
