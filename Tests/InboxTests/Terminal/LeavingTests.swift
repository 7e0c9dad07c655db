import Foundation
import TerminalHarness
import Testing

/// The terminal is restored at every exit.
@Suite struct LeavingTests {
  enum WayOut: Sendable, CustomTestStringConvertible {
    case key(String, PseudoTerminal.Exit)
    case signal(Int32, PseudoTerminal.Exit)

    var testDescription: String {
      switch self {
      case .key(let key, let exit): "key \(key.debugDescription), \(exit)"
      case .signal(let signal, let exit): "signal \(signal), \(exit)"
      }
    }
  }

  static let waysOut: [WayOut] = [
    .key("q", .status(0)), .key("e", .status(7)), .key("\u{3}", .status(128 + SIGINT)),
    .key("s", .signal(SIGSEGV)), .key("a", .signal(SIGABRT)), .key("o", .signal(SIGSEGV)),
    .key("\u{1C}", .signal(SIGQUIT)), .key("\u{1B}[92;5u", .signal(SIGQUIT)),
    // As kitty's keyboard protocol reports Ctrl-C: alone, with Caps Lock, with Num Lock, with the kind of event.
    .key("\u{1B}[99;5u", .status(128 + SIGINT)), .key("\u{1B}[99;69u", .status(128 + SIGINT)),
    .key("\u{1B}[99;133u", .status(128 + SIGINT)), .key("\u{1B}[99;5:1u", .status(128 + SIGINT)),
    .signal(SIGTERM, .status(128 + SIGTERM)),
    .signal(SIGHUP, .status(128 + SIGHUP)), .signal(SIGINT, .status(128 + SIGINT)),
    .signal(SIGQUIT, .signal(SIGQUIT)), .signal(SIGPIPE, .signal(SIGPIPE)), .signal(SIGBUS, .signal(SIGBUS)),
    .signal(SIGFPE, .signal(SIGFPE)), .signal(SIGTRAP, .signal(SIGTRAP)), .signal(SIGUSR1, .signal(SIGUSR1)),
  ]

  @Test(arguments: waysOut)
  func theTerminalIsRestored(_ way: WayOut) throws {
    let terminal = try startedProbe()
    // The modes as they were before are those of a fresh terminal.
    let before = try PseudoTerminal().modes
    terminal.send("t")
    try terminal.wait(for: "the title") { $0.screen.title == "probe ● 3" }
    #expect(terminal.modes != before)
    #expect(terminal.screen.modes == [1, 7, 1000, 1006, 1004, 2004])
    let expected: PseudoTerminal.Exit
    switch way {
    case .key(let key, let exit):
      terminal.send(key)
      expected = exit
    case .signal(let signal, let exit):
      terminal.signal(signal)
      expected = exit
    }
    #expect(try terminal.waitForExit() == expected)
    terminal.expectRestored(before)
  }

  @Test func aTrapRestoresTheTerminalAndItsMessageIsReadable() throws {
    // Room for the stack trace that the runtime of a debug build adds.
    let terminal = try startedProbe(columns: 250, rows: 80)
    let before = try PseudoTerminal().modes
    terminal.send("f")
    let exit = try terminal.waitForExit()
    #expect(exit == .signal(SIGILL) || exit == .signal(SIGTRAP))
    terminal.expectRestored(before)
    #expect(terminal.screen.text.contains("the probe trapped"))
  }

  @Test func standardErrorIsPrintedAfterTheScreenIsRestored() throws {
    let terminal = try startedProbe()
    terminal.send("g")
    try terminal.wait(forText: "key g")
    #expect(!terminal.screen.text.contains("noise"))
    terminal.send("q")
    #expect(try terminal.waitForExit() == .status(0))
    #expect(terminal.screen.text.contains("noise on stderr"))
  }

  @Test func aClosedWindowEndsTheProgram() throws {
    let terminal = try startedProbe()
    terminal.hangUp()
    #expect(try terminal.waitForExit() == .status(128 + SIGHUP))
  }

  @Test func aProgramThatHangsEndsWhenAskedAgain() throws {
    let terminal = try startedProbe()
    let before = try PseudoTerminal().modes
    terminal.send("z")
    try terminal.wait(forText: "it hangs")
    try terminal.wait(for: "the end") { terminal in
      terminal.signal(SIGTERM)
      terminal.checkExit()
      return terminal.exit != nil
    }
    #expect(terminal.exit == .signal(SIGTERM))
    terminal.readUntilQuiet()
    terminal.expectRestored(before)
  }
}
