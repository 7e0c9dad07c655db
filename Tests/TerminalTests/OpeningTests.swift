import Foundation
import TerminalHarness
import Testing

@Suite struct OpeningTests {
  @Test(arguments: [
    (["TERM": ""], "noTerminalType"), (["TERM": "dumb"], "unusableTerminalType(\"dumb\")"),
    (["TERM": "no-such-terminal"], "unknownTerminalType(\"no-such-terminal\")"),
  ])
  func aTerminalThatWillNotDoIsNamed(environment: [String: String], failure: String) throws {
    let terminal = try PseudoTerminal()
    let before = terminal.modes
    try terminal.start(BuiltProduct.path("TerminalProbe"), environment: environment)
    #expect(try terminal.waitForExit() == .status(3))
    #expect(terminal.screen.text.contains(failure))
    #expect(terminal.modes == before)
  }

  @Test(arguments: [
    ("</dev/null", "notATerminal(Terminal.TerminalFailure.Stream.input)"), ("|cat", "output"),
  ])
  func pipesAndFilesAreNotTerminals(redirection: String, failure: String) throws {
    let terminal = try PseudoTerminal()
    try terminal.start("/bin/sh", ["-c", "'\(BuiltProduct.path("TerminalProbe"))' \(redirection)"])
    _ = try terminal.waitForExit()
    #expect(terminal.screen.text.contains(failure))
    #expect(!terminal.screen.isAlternate)
  }

  @Test func noAnswersOfTheTerminalAreRequested() throws {
    let terminal = try startedProbe()
    terminal.send("twcr")
    terminal.send("q")
    #expect(try terminal.waitForExit() == .status(0))
    #expect(terminal.screen.unknown == [])
  }

  @Test func copiesReachTheClipboard() throws {
    let terminal = try startedProbe()
    terminal.send("yY")
    try terminal.wait(forText: "too long")
    #expect(terminal.screen.copies == [Data("a copy ●".utf8).base64EncodedString()])
  }

  @Test func theBellRings() throws {
    let terminal = try startedProbe()
    terminal.send("b")
    try terminal.wait(for: "the bell") { $0.screen.bells == 1 }
  }
}
