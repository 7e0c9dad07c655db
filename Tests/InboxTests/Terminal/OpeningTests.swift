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
    #expect(terminal.screen.unknown == [] && terminal.screen.positionAnswers == [])
  }

  /// Before the first frame, and nothing of it stays on the screen.
  @Test(arguments: [false, true])
  func aTerminalIsAskedOnceHowWideASignIs(isWide: Bool) throws {
    let terminal = try startedProbe(environment: ["WIDTH": "1"], hasWideSigns: isWide)
    #expect(terminal.screen.positionAnswers == ["\u{1B}[2;\(isWide ? 3 : 2)R"])
    #expect(terminal.screen.lines[1].allSatisfy { $0.isASCII })
    terminal.answerPositions()
    terminal.send("x")
    try terminal.wait(forText: "key x")
    #expect(terminal.screen.text.contains("signs are wide") == isWide)
    // Neither after another program had the terminal, nor is the answer a key or a second one heard.
    terminal.send("l")
    try terminal.wait(forText: "another program")
    terminal.send("\r")
    try terminal.wait(forText: "it read")
    #expect(terminal.screen.positionAnswers == [])
    terminal.send("\u{1B}[2;3Rz")
    try terminal.wait(forText: "key z")
    #expect(terminal.screen.lines.count { $0.contains("signs are wide") } == (isWide ? 1 : 0))
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
