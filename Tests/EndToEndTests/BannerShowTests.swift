import Foundation
import TerminalHarness
import TestBasics
import Testing

/// `reddot banner show` on the sample campaigns, in a terminal.
@Suite(.serialized) struct BannerShowTests {
  /// The samples on loopback, in place of the address that they are written for.
  private func samples() throws -> (server: LyingServer, control: String) {
    let server = try LyingServer()
    let folder = Project.folder.appending(path: "Resources/samples/banners")
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
        .replacing("http://127.0.0.1:8099", with: server.url(""))
      let type = file.hasSuffix(".json") ? "application/json" : "text/html; charset=utf-8"
      server.answer("/\(file)", headers: ["Content-Type: \(type)"], text: text)
    }
    return (server, server.url("/control.json"))
  }

  private func show(
    _ household: Household, _ arguments: String..., columns: Int = 100
  ) throws -> PseudoTerminal {
    try household.inbox(columns: columns, arguments: ["banner", "show"] + arguments)
  }

  @Test func theTipsButtonsChangeItsTextAndItsEndIsTheProgramsEnd() throws {
    let household = try Household()
    let (server, control) = try samples()
    let before = try PseudoTerminal().modes
    let terminal = try show(household, control, "--banner", "tip")
    try terminal.wait(forText: "Tip 1. Press z to put a message off.")
    terminal.send("\t")
    try terminal.wait(forText: "press")
    terminal.send("\r")
    try terminal.wait(forText: "Tip 2. Press / to search")
    terminal.send("\r")
    try terminal.wait(forText: "Tip 3. reddot status")
    terminal.send("\r")
    try terminal.wait(forText: "Tip 1. Press z")
    // "Never show again" is the third.
    terminal.send("\t\t\r")
    #expect(try terminal.waitForExit() == .status(0))
    terminal.expectRestored(before)
    #expect(server.requests("/tip.html").count == 1)
    // Nothing is stored: there is no database.
    #expect(!FileManager.default.fileExists(atPath: household.database))
  }

  @Test func withoutANameTheFirstIsShownAndEscEnds() throws {
    let household = try Household()
    let (server, control) = try samples()
    let terminal = try show(household, control)
    try terminal.wait(forText: "Board 4.2 is here.")
    // At the top: above the list.
    #expect(try #require(terminal.row(of: "Board 4.2")) < 4)
    terminal.send("\t\r")
    // The question stays after the banner is closed, and then the program ends.
    try terminal.wait(for: "the question alone") {
      $0.screen.text.contains("Open https://board.example/releases/4.2?")
        && !$0.screen.text.contains("Board 4.2 is here.")
    }
    terminal.send("\u{1B}")
    #expect(try terminal.waitForExit() == .status(0))
    #expect(server.requests("/control.json").count == 1)
  }

  @Test func aFileIsShownToo() throws {
    let household = try Household()
    let (server, control) = try samples()
    let page = server.url("/tip.html")
    let file = try household.write("c.json", #"{"a": {"entry": "v", "views": {"v": {"file": "\#(page)"}}}}"#)
    let terminal = try show(household, file)
    try terminal.wait(forText: "Tip 1.")
    terminal.send("\t\u{1B}")
    #expect(try terminal.waitForExit() == .status(0))
    #expect(server.requests("/control.json").isEmpty && !control.isEmpty)
  }

  @Test func whatCannotBeShownIsRefusedInOneLine() throws {
    let household = try Household()
    let (server, control) = try samples()
    let standardInput = try household.run("banner", "show", "-", input: "{}")
    #expect(standardInput.exit == .status(64))
    #expect(standardInput.errors.contains("the keyboard is needed for the banner"))
    try household.run("banner", "show", control).expectFailure(
      "the inbox needs a terminal, but standard input is not a terminal; see reddot --help for commands")
    for (arguments, said) in [
      ([control, "--banner", "tipp"], "contains no banner named \"tipp\"; banners: update, tour, tip"),
      ([server.url("/none.json")], "The server answered 404 Not Found."),
      ([server.url("/tip.html")], "\"<\" where a value is expected"),
    ] {
      let terminal = try household.inbox(columns: 200, arguments: ["banner", "show"] + arguments)
      #expect(try terminal.waitForExit() == .status(1))
      #expect(terminal.screen.text.contains(said), "\(terminal.screen.text)")
      #expect(!terminal.screen.isAlternate)
    }
  }
}
