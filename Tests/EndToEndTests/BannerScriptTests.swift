import Foundation
import TerminalHarness
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
      // Processes that have ended meanwhile are skipped.
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

  @Test func aScriptWithoutAnEndIsStoppedAndTheListAnswers() throws {
    let publisher = try publisher(
      """
      <p id="t">Here it is.</p><button onclick="document.getElementById('t').textContent = 'Begun'; while (true) {}">Go</button>
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

  // MARK: - Sizes
}
