import Foundation
import TerminalHarness
import Testing

/// The time at which the dot in the terminal's title disappears: once the user has had time to see the new messages.
@Suite struct SeenTests {
  private func household() throws -> Household {
    let household = try Household()
    try household.settings("animations = false", sources: [])
    #expect(try household.run("push", "First").exit == .status(0))
    return household
  }

  @Test func theListOfAllIsSeenAfterThreeSecondsInSightWithoutAKey() throws {
    let household = try household()
    let terminal = try household.inbox()
    try terminal.wait(for: "the dot") { $0.screen.title == "● 1 reddot" && $0.screen.text.contains("First") }
    let shown = ContinuousClock.now
    try terminal.wait(for: "the title without the dot") { $0.screen.title == "reddot" }
    // The three seconds may have begun a little before the title was read here.
    #expect(ContinuousClock.now - shown > .seconds(2))
    // Another message arrives while the terminal has no focus. Its dot stays until a key is pressed.
    terminal.send("\u{1B}[O")
    #expect(try household.run("push", "Second").exit == .status(0))
    try terminal.wait(for: "the dot") { $0.screen.title == "● 2 reddot" && $0.screen.text.contains("Second") }
    terminal.send("\u{1B}[I")
    terminal.send("j")
    try terminal.wait(for: "the title without the dot") { $0.screen.title == "reddot" }
    try terminal.leave()
    // The message stays unread.
    #expect(try household.messages().map { $0["unread"] as? Bool } == [true, true])
  }
}
