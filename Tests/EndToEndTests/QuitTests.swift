import Foundation
import TerminalHarness
import Testing

/// Quitting while something hangs: the terminal is restored first, and the process exits soon after.
///
/// It hangs until the test has ended, so that only quitting can restore the terminal.
@Suite(.serialized) struct QuitTests {
  private static let ways: [WayOut] = [.keys("q"), .signal(SIGTERM), .signal(SIGHUP)]

  /// - Parameter status: that of the key.
  private func expectEnd(
    _ terminal: PseudoTerminal, by way: WayOut, _ before: PseudoTerminal.Modes, status: Int32 = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    terminal.leave(by: way)
    try terminal.wait(for: "the terminal as it was", until: { !$0.screen.isAlternate && $0.modes == before })
    let exit = way.exit == .status(0) ? .status(status) : way.exit
    #expect(try terminal.waitForExit() == exit, sourceLocation: sourceLocation)
    terminal.expectRestored(before, sourceLocation: sourceLocation)
  }

  /// Ignores signals, like its child; both have ended when the lock is free.
  private static func deaf(_ household: Household) throws -> (command: [String], started: String) {
    let script = try household.write(
      "deaf",
      """
      trap '' TERM INT HUP
      exec 9>"$HOME/lock"
      flock 9
      echo > "$HOME/started"
      sleep 600 &
      wait
      sleep 600
      """)
    return (["/bin/sh", script], "\(household.home)/started")
  }

  private func isFree(_ lock: String) -> Bool {
    let file = open(lock, O_RDWR)
    defer { close(file) }
    return file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0
  }

  @Test(arguments: ways)
  func aTokenCommandThatHangsAndIgnoresSignals(way: WayOut) throws {
    let household = try Household()
    let server = try LyingServer()
    let (command, started) = try Self.deaf(household)
    let words = command.map { "\"\($0)\"" }.joined(separator: ", ")
    // More than the allowed number of programs: other sources and keys still work.
    try household.settings(
      "[poll]\ninitial_delay = \"1ms\"",
      sources: (2..<8).map {
        // Different hosts, so that the limit per host does not matter.
        ("s\($0)", "http://127.0.0.\($0):\(server.port)/", "token_command = [\(words)]")
      } + [
        ("open", server.url("/open"), "")
      ])
    server.answer(
      "/open",
      text: "<rss version=\"2.0\"><channel><title>t</title><item><title>Came</title></item></channel></rss>")
    let before = try PseudoTerminal().modes
    let terminal = try household.inbox()
    try terminal.wait(for: "the command") { _ in FileManager.default.fileExists(atPath: started) }
    try terminal.wait(forText: "Came")
    try expectEnd(terminal, by: way, before)
    try eventually("the command's whole group to be gone") { isFree("\(household.home)/lock") }
    let log = "\(household.home)/.local/state/reddot/reddot.log"
    if FileManager.default.fileExists(atPath: log) {
      #expect(try !household.text(of: log).contains("token_command"))
    }
  }

  @Test(arguments: ways)
  func aLongDocumentInTheReader(way: WayOut) throws {
    let household = try Household()
    let server = try LyingServer()
    try household.settings("[poll]\ninitial_delay = \"1ms\"", sources: [("long", server.url("/long"), "")])
    let item =
      "<item><title>a &amp;amp; b</title><description>&lt;p&gt;x &lt;b&gt;y&lt;/b&gt;</description></item>"
    let items = String(repeating: item, count: 200_000)
    server.answer("/long", text: "<rss version=\"2.0\"><channel><title>t</title>\(items)</channel></rss>")
    let before = try PseudoTerminal().modes
    let terminal = try household.inbox()
    try terminal.wait(for: "the request") { _ in !server.requests("/long").isEmpty }
    try expectEnd(terminal, by: way, before)
  }

  @Test(arguments: ways)
  func anActThatWaitsForAnotherProcess(way: WayOut) throws {
    let household = try Household()
    try household.pushNeighbour("Older")
    #expect(try household.run("push", "Alpha").exit == .status(0))
    try household.pushNeighbour("Newer")
    let before = try PseudoTerminal().modes
    let terminal = try household.inbox()
    try terminal.wait(forText: "Alpha")
    // Another process, this one, is in the middle of a write, and stays there.
    let writer = try SQLite(household.database)
    try writer.run("BEGIN IMMEDIATE")
    terminal.send("js")
    // Shown before it is stored.
    try terminal.wait(forText: "★")
    try expectEnd(terminal, by: way, before, status: 1)
    #expect(terminal.screen.text.contains("the last action was not stored"), "\(terminal.screen.text)")
  }

  @Test(arguments: ways)
  func aPictureThatIsBeingDrawn(way: WayOut) throws {
    let team = try Team()
    try team.serve(
      #"{"id": 1, "type": 2, "actiondata": {"title": "Older", "msg": "Nothing to see."}}"#,
      #"""
      {"id": 2, "type": 2, "poster": "\#(team.server.url("/poster"))",
        "actiondata": {"title": "Festival", "msg": "Light to you."}}
      """#,
      #"{"id": 3, "type": 2, "actiondata": {"title": "Newer", "msg": "Nothing to see."}}"#)
    team.server.answer("/poster", headers: ["Content-Type: image/png"], body: try PosterTests.png)
    let (command, started) = try Self.deaf(team.household)
    // The decoder is given no HOME.
    let chafa = try team.household.write(
      "bin/chafa",
      "#!/bin/sh\nHOME='\(team.household.home)' exec \(command.map { "'\($0)'" }.joined(separator: " "))\n")
    chmod(chafa, 0o700)
    let before = try PseudoTerminal().modes
    let terminal = try team.household.inbox(
      columns: 120,
      environment: ["PATH": "\(team.household.home)/bin:/usr/bin:/bin", "TERM": "xterm-256color"])
    try terminal.wait(forText: "Festival")
    terminal.send("j\r")
    try terminal.wait(for: "the decoder") { _ in FileManager.default.fileExists(atPath: started) }
    try expectEnd(terminal, by: way, before)
    try eventually("the decoder to be gone") { isFree("\(team.household.home)/lock") }
  }

  @Test(arguments: ways)
  func aScriptWithoutAnEnd(way: WayOut) throws {
    let publisher = try Publisher()
    publisher.view(
      "<p id=\"t\">Here.</p><button onclick=\"for (;;) { /(a+)+b/.test('aaaaaaaaaaaaaaaaaaaaaaaaaaaa') }\">Go</button>"
    )
    publisher.control(publisher.banner("a"))
    let household = try publisher.reader()
    let before = try PseudoTerminal().modes
    let terminal = try household.inbox()
    try terminal.wait(forText: "Here.")
    // Pressed, and back to the list.
    terminal.send("\t\r\u{1B}[Z")
    try expectEnd(terminal, by: way, before)
  }

  /// Ctrl-C isn't sent to a program in its own session.
  @Test func aPollThatIsInterruptedLeavesNoCommandBehind() throws {
    let household = try Household()
    let (command, started) = try Self.deaf(household)
    let words = command.map { "\"\($0)\"" }.joined(separator: ", ")
    try household.settings(sources: [("a", "http://127.0.0.1:9/", "token_command = [\(words)]")])
    let poll = try household.start(["poll"])
    try eventually("the command") { FileManager.default.fileExists(atPath: started) }
    kill(poll.process, SIGINT)
    #expect(try poll.waitForEnd().exit == .signal(SIGINT))
    try eventually("the command's whole group to be gone") { isFree("\(household.home)/lock") }
  }

  @Test func whatIsTypedAfterQuittingIsForTheShell() throws {
    let household = try Household()
    #expect(try household.run("push", "Alpha").exit == .status(0))
    let terminal = try PseudoTerminal()
    try terminal.start(
      "/bin/sh", ["-c", "\"$0\"; read line; echo \"typed: $line\"", BuiltProduct.path("reddot")],
      environment: household.environment, keeping: household)
    try terminal.wait(forText: "Alpha")
    terminal.send("q")
    try terminal.wait(for: "the end of the inbox") { !$0.screen.isAlternate }
    terminal.send("ls\n")
    try terminal.wait(forText: "typed: ls")
  }
}
