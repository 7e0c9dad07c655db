import Foundation
import TerminalHarness
import Testing

/// Other programs use the terminal for a while: the shell after Ctrl-Z, or another program.
@Suite struct SuspensionTests {
  /// A shell with job control that has started the probe.
  private func shellWithProbe() throws -> (terminal: PseudoTerminal, modesOfShell: PseudoTerminal.Modes) {
    let terminal = try PseudoTerminal()
    terminal.pretend("\u{1B}]2;shell\u{7}")
    try terminal.start("/bin/sh", ["-i"], environment: ["PS1": "at-the-shell "])
    try terminal.wait(forText: "at-the-shell")
    let modes = terminal.modes
    terminal.send("\(BuiltProduct.path("TerminalProbe"))\n")
    try terminal.wait(forText: "probe 80x24")
    return (terminal, modes)
  }

  private func expectShell(_ terminal: PseudoTerminal, _ modes: PseudoTerminal.Modes) {
    #expect(terminal.modes == modes)
    #expect(!terminal.screen.isAlternate)
    #expect(terminal.screen.isCursorVisible)
    #expect(terminal.screen.modes == [7])
    #expect(terminal.screen.title == "shell")
  }

  @Test func ctrlZGoesToTheShellAndFgRestoresEverything() throws {
    let (terminal, modes) = try shellWithProbe()
    terminal.send("t")
    try terminal.wait(for: "the title") { $0.screen.title == "probe ● 3" }
    terminal.send("\u{1A}")
    try terminal.wait(forText: "Stopped")
    expectShell(terminal, modes)
    terminal.send("fg\n")
    try terminal.wait(forText: "key t")
    #expect(terminal.screen.isAlternate)
    #expect(terminal.screen.title == "probe ● 3")
    #expect(terminal.screen.modes == [1, 7, 1000, 1006, 1004, 2004])
    #expect(!terminal.screen.text.contains("at-the-shell"))
    terminal.send("q")
    try terminal.wait(for: "the shell") { !$0.screen.isAlternate && $0.screen.text.contains("closed") }
    terminal.readUntilQuiet()
    expectShell(terminal, modes)
  }

  @Test func aTerminalResizedMeanwhileIsDrawnInItsNewSize() throws {
    let (terminal, _) = try shellWithProbe()
    terminal.send("\u{1A}")
    try terminal.wait(forText: "Stopped")
    terminal.resize(columns: 60, rows: 12)
    terminal.send("fg\n")
    try terminal.wait(forText: "probe 60x12")
    try terminal.wait(forText: "resize 60x12")
  }

  @Test func aStoppedProgramDrawsAgainWhenContinued() throws {
    let (terminal, _) = try shellWithProbe()
    terminal.signal(SIGSTOP, toForeground: true)
    try terminal.wait(forText: "Stopped")
    terminal.send("fg\n")
    try terminal.wait(for: "a clean screen") {
      $0.screen.lines[0].hasPrefix("probe") && !$0.screen.text.contains("Stopped")
    }
    terminal.send("x")
    try terminal.wait(forText: "key x")
  }

  @Test func inTheBackgroundItLeavesTheTerminalAlone() throws {
    let (terminal, modes) = try shellWithProbe()
    terminal.send("\u{1A}")
    try terminal.wait(forText: "Stopped")
    terminal.send("bg\n")
    // The shell reports it when asked.
    try terminal.wait(for: "a second stop") {
      if !$0.read(for: 200) { $0.send("jobs\n") }
      return $0.screen.text.contains("tty output")
    }
    terminal.readUntilQuiet()
    expectShell(terminal, modes)
    terminal.send("fg\n")
    try terminal.wait(for: "the probe") { $0.screen.isAlternate && $0.screen.text.contains("probe 80x24") }
    terminal.send("x")
    try terminal.wait(forText: "key x")
  }

  @Test func aStoppedProgramThatIsAskedToEndEndsWithoutTheTerminal() throws {
    let (terminal, modes) = try shellWithProbe()
    terminal.send("\u{1A}")
    try terminal.wait(forText: "Stopped")
    terminal.send("kill %1; bg\n")
    try terminal.wait(forText: "asked to end by signal 15")
    terminal.readUntilQuiet()
    expectShell(terminal, modes)
  }

  @Test func anotherProgramHasTheTerminalToItself() throws {
    let terminal = try startedProbe()
    let before = try PseudoTerminal().modes
    terminal.send("l")
    try terminal.wait(forText: "another program")
    terminal.expectRestored(before)
    // These keys are for the other program.
    terminal.send("\u{3}\u{1C}")
    terminal.readUntilQuiet()
    terminal.send("some words\n")
    try terminal.wait(forText: "it read some words")
    #expect(terminal.screen.isAlternate)
    #expect(terminal.screen.modes == [1, 7, 1000, 1006, 1004, 2004])
    #expect(terminal.screen.lines[0].hasPrefix("probe 80x24"))
    terminal.send("x")
    try terminal.wait(forText: "key x")
  }
}
