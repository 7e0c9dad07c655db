import Foundation
import TerminalHarness
import TestBasics
import Testing

/// Scripts that misbehave, and quitting while a view is shown.
@Suite(.serialized) struct BannerScriptTests {
  private static let stopped = "Its script used too much time or memory"

  private func publisher(_ html: String) throws -> Publisher {
    let publisher = try Publisher()
    publisher.control(publisher.banner("news", height: 96))
    publisher.view(html)
    return publisher
  }

  /// The processes that run scripts for an inbox.
  private func scriptHosts(of parent: Int32) throws -> [Int32] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }.filter { process in
      // Without those that have ended meanwhile.
      guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
        let command = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
      else { return false }
      let fields = status.split(separator: ")").last?.split(separator: " ") ?? []
      return command.contains("script-host") && fields.count > 1 && Int32(fields[1]) == parent
    }
  }

  private func isRunning(_ process: Int32) -> Bool {
    // A zombie has ended.
    guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else {
      return false
    }
    return status.split(separator: ")").last?.split(separator: " ").first != "Z"
  }

  @Test(arguments: ["while (true) {}", "var s = 'x'; while (true) s += s;"])
  func aScriptWithoutAnEndIsStoppedAndTheListAnswers(_ script: String) throws {
    let publisher = try publisher(
      """
      <p id="t">Here it is.</p><button onclick="document.getElementById('t').textContent = 'Begun'; \(script)">Go</button>
      <button onclick="document.getElementById('t').textContent = 'Once more'">Next</button>
      """)
    let household = try publisher.reader()
    let terminal = try household.inbox(columns: 120)
    try terminal.wait(forText: "Here it is.")
    terminal.send("\t\r")
    // Keys work while it runs and after.
    terminal.send("\u{1B}[Z")
    for place in ["Older", "Newer", "Older"] {
      terminal.send(place == "Older" ? "j" : "k")
      try terminal.wait(for: "the bar at \(place)") { $0.chosen.contains(place) }
    }
    try terminal.wait(for: "a sentence") {
      $0.screen.text.contains(Self.stopped) || $0.screen.text.contains("Its script failed")
    }
    if terminal.screen.text.contains(Self.stopped) {
      #expect(try scriptHosts(of: terminal.process).filter(isRunning) == [])
    }
    try terminal.leave()
  }

  @Test func anEndlessScriptBlockIsSaidAndTheViewStays() throws {
    let publisher = try publisher("<p>Before it.</p><script>for (;;) {}</script><p>After it.</p>")
    let household = try publisher.reader()
    let terminal = try household.inbox(columns: 120)
    try terminal.wait(forText: Self.stopped)
    #expect(terminal.screen.text.contains("Before it."))
    #expect(terminal.screen.text.contains("After it."))
    try terminal.leave()
  }

  @Test func aKilledInboxLeavesNoScriptBehind() throws {
    for script in ["", "while (true) {}"] {
      let publisher = try publisher(
        "<p id=\"t\">Here.</p><script>document.getElementById('t').textContent = 'Running.'; </script>"
          + "<button onclick=\"\(script)\">Go</button>")
      let household = try publisher.reader()
      let terminal = try household.inbox()
      try terminal.wait(forText: "Running.")
      let hosts = try scriptHosts(of: terminal.process)
      #expect(hosts.count == 1)
      if !script.isEmpty { terminal.send("\t\r") }
      terminal.signal(SIGKILL)
      #expect(try terminal.waitForExit() == .signal(SIGKILL))
      let deadline = ContinuousClock.now + HangLimit.duration
      while hosts.contains(where: isRunning), ContinuousClock.now < deadline {
        terminal.readUntilQuiet(for: 20)
      }
      #expect(!hosts.contains(where: isRunning))
    }
  }

  @Test func aClosedViewEndsItsScript() throws {
    let publisher = try publisher(
      "<p id=\"t\">Here.</p><script>document.getElementById('t').textContent = 'Running.';</script>")
    let household = try publisher.reader()
    let terminal = try household.inbox()
    try terminal.wait(forText: "Running.")
    let hosts = try scriptHosts(of: terminal.process)
    terminal.send("\t\u{1B}")
    try terminal.wait(for: "its end") { _ in !hosts.isEmpty && !hosts.contains(where: isRunning) }
    try terminal.leave()
  }

  @Test(arguments: WayOut.all)
  func everyExitWithABannerRestoresTheTerminal(_ way: WayOut) throws {
    let publisher = try publisher(
      "<p id=\"t\">Here.</p><script>document.getElementById('t').textContent = 'Running.';</script>")
    let household = try publisher.reader()
    let before = try PseudoTerminal().modes
    let terminal = try household.inbox()
    try terminal.wait(forText: "Running.")
    let hosts = try scriptHosts(of: terminal.process)
    #expect(hosts.count == 1)
    terminal.leave(by: way)
    #expect(try terminal.waitForExit() == way.exit)
    terminal.expectRestored(before)
    #expect(terminal.screen.lines[0] == "$ reddot")
    #expect(!hosts.contains(where: isRunning))
  }

  @Test func aClosedWindowEndsTheInboxAndItsScript() throws {
    let publisher = try publisher(
      "<p id=\"t\">Here.</p><script>document.getElementById('t').textContent = 'Running.';</script>")
    let household = try publisher.reader()
    let terminal = try household.inbox()
    try terminal.wait(forText: "Running.")
    let hosts = try scriptHosts(of: terminal.process)
    terminal.hangUp()
    #expect(try terminal.waitForExit() == .signal(SIGHUP))
    #expect(!hosts.isEmpty && !hosts.contains(where: isRunning))
  }

  // MARK: - Sizes

  @Test(arguments: [(80, 24), (20, 5)], ["top", "bottom"])
  func aBannerFitsEveryTerminalAndEveryKeyIsTaken(_ size: (Int, Int), origin: String) throws {
    let publisher = try publisher("")
    publisher.control(publisher.banner("news", origin: origin))
    publisher.view("<p><b>Hello</b> there</p><p><button onclick=\"close()\">Away</button></p>")
    let household = try publisher.reader()
    let terminal = try household.inbox(columns: size.0, rows: size.1)
    try terminal.wait(forText: "Hello")
    for (columns, rows) in [(20, 5), (200, 60), (1, 1), (40, 10), (120, 40), (80, 24), size] {
      terminal.resize(columns: columns, rows: rows)
      if columns < 20 { continue }
      try terminal.wait(for: "a frame of \(columns)×\(rows)") {
        $0.screen.text.contains("Hello") && $0.screen.lines.last?.contains("help") == true
      }
    }
    for key in ["j", "k", "\t", "j", "k", "\u{1B}[C", "\u{1B}[D", "G", "g", "?", "?", "p", "p", "\u{1B}[Z"] {
      terminal.send(key)
      terminal.readUntilQuiet(for: 10)
    }
    terminal.checkExit()
    #expect(terminal.exit == nil)
    #expect(terminal.screen.unknown == [])
    terminal.send("\u{3}")
    #expect(try terminal.waitForExit() == .signal(SIGINT))
  }
}
