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

  /// The query is sent before the first frame, and leaves nothing on the screen.
  @Test(arguments: [false, true])
  func aTerminalIsAskedOnceHowWideASignIs(isWide: Bool) throws {
    let terminal = try startedProbe(environment: ["WIDTH": "1"], hasWideSigns: isWide)
    #expect(terminal.screen.positionAnswers == ["\u{1B}[2;\(isWide ? 3 : 2)R"])
    #expect(terminal.screen.lines[1].allSatisfy { $0.isASCII })
    terminal.answerPositions()
    terminal.send("x")
    try terminal.wait(forText: "key x")
    #expect(terminal.screen.text.contains("signs are wide") == isWide)
    // The query is not repeated after another program had the terminal. A response is not read as a key, and a second one is
    // ignored.
    terminal.send("l")
    try terminal.wait(forText: "another program")
    terminal.send("\r")
    try terminal.wait(forText: "it read")
    #expect(terminal.screen.positionAnswers == [])
    terminal.send("\u{1B}[2;3Rz")
    try terminal.wait(forText: "key z")
    #expect(terminal.screen.lines.count { $0.contains("signs are wide") } == (isWide ? 1 : 0))
  }

  @Test(arguments: [
    ("11;rgb:1e1e/1e1e/2e2e\u{7}", "on dark"), ("11;rgb:ff/ff/ff\u{1B}\\", "on light"),
    ("11;rgba:fdfd/f6f6/e3e3/ffff\u{7}", "on light"), ("11;rgb:f/f/f\u{7}", "on light"),
  ])
  func aTerminalIsAskedOnceForItsBackground(answer: String, said: String) throws {
    let terminal = try startedProbe(environment: ["BACKGROUND": "1", "TERM": "xterm-256color"])
    #expect(terminal.screen.backgroundQuestions == 1)
    terminal.send("\u{1B}]" + answer + "x")
    try terminal.wait(forText: "key x")
    #expect(terminal.screen.text.contains(said))
    #expect(terminal.screen.lines.count { $0.contains("key ") } == 1, "no byte of the answer is a key")
    // No other answer is heard, and another program that had the terminal changes nothing.
    terminal.send("l")
    try terminal.wait(forText: "another program")
    terminal.send("\r")
    try terminal.wait(forText: "it read")
    terminal.send("\u{1B}]11;rgb:0/0/0\u{7}\u{1B}]11;rgb:f/f/f\u{7}z")
    try terminal.wait(forText: "key z")
    #expect(terminal.screen.lines.count { $0.contains("on dark") || $0.contains("on light") } == 1)
    #expect(terminal.screen.backgroundQuestions == 1)
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
