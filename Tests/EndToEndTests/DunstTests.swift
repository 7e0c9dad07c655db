import Foundation
import HangLimit
import TerminalHarness
import Testing

/// What runs a real notification daemon.
private enum Dunst {
  static let isThere = ["dbus-daemon", "dunst", "dunstctl", "Xvfb"].allSatisfy {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
  }
}

/// Notices under a real notification daemon: dunst on a screen in memory, where both are installed.
@Suite(.timeLimit(.minutes(HangLimit.minutes)), .enabled(if: Dunst.isThere)) struct DunstTests {
  private let household: Household
  private let environment: [String: String]
  private let programs: [Running]

  init() throws {
    household = try Household()
    let address = try NotificationDaemon.address(in: household)
    let bus = try Running(
      "/usr/bin/dbus-daemon",
      ["--session", "--nofork", "--nopidfile", "--nosyslog", "--print-address=1", "--address=\(address)"],
      environment: household.environment, keeping: household)
    try bus.wait(for: "the bus's address") { $0.outputBytes.contains(UInt8(ascii: "\n")) }
    // It chooses a display that is free, and says which.
    let screen = try Running(
      "/usr/bin/Xvfb", ["-displayfd", "1", "-screen", "0", "800x600x24"], environment: household.environment,
      keeping: household)
    try screen.wait(for: "a display") { $0.outputBytes.contains(UInt8(ascii: "\n")) }
    let display = String(decoding: screen.outputBytes, as: UTF8.self).trimmingCharacters(
      in: .whitespacesAndNewlines)
    let environment = household.environment.merging([
      "DBUS_SESSION_BUS_ADDRESS": address, "DISPLAY": ":\(display)",
    ]) { $1 }
    self.environment = environment
    let file = try household.write("dunstrc", "[global]\nmonitor = 0\n")
    let dunst = try Running(
      "/usr/bin/dunst", ["-config", file], environment: environment, keeping: household)
    programs = [bus, screen, dunst]
    try household.write(
      household.settingsFile,
      "notify_via = [\"desktop\"]\n[[source]]\nname = \"builds\"\nkind = \"local\"\nnotify = true\n")
    try wait(for: "dunst") { try control("count", "displayed") == "0" }
  }

  private func control(_ words: String...) throws -> String {
    let ran = try Running(
      "/usr/bin/dunstctl", words, environment: environment, keeping: household
    ).waitForEnd()
    return ran.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func wait(for what: String, until holds: () throws -> Bool) throws {
    let deadline = ContinuousClock.now + HangLimit.duration
    while try !holds() {
      if ContinuousClock.now > deadline { throw HouseholdFailure("no \(what): \(try control("history"))") }
      _ = poll(nil, 0, 50)
    }
  }

  private func displayed(_ count: Int) throws {
    try wait(for: "\(count) on the screen") { try control("count", "displayed") == "\(count)" }
  }

  private func push(_ title: String) throws {
    #expect(try household.run(["push", title], environment: environment).exit == .status(0))
  }

  @Test func noticesComeAndGoWithTheirMessages() throws {
    try push("Build <1> & co")
    try push("Build 2")
    try displayed(2)
    #expect(try household.run("mark", "1", "2", "--read").exit == .status(0))
    try displayed(0)
    #expect(try control("history").contains("Build <1> & co"))
  }

  @Test func aDismissedNoticeLeavesItsMessageUnread() throws {
    try push("Build")
    try displayed(1)
    _ = try control("close-all")
    try displayed(0)
    #expect(try household.messages("--unread").count == 1)
  }

  /// A message is told of, and only once, though the process that tells is killed.
  @Test(arguments: [false, true]) func aKilledHostLosesAndRepeatsNothing(_ isShown: Bool) throws {
    try push("Build")
    if isShown {
      try displayed(1)
    } else {
      try wait(for: "the host") { try !household.noticeHosts().isEmpty }
    }
    for process in try household.noticeHosts() { kill(process, SIGKILL) }
    try push("Other")
    try displayed(2)
    // Both are taken back by the process that lives.
    #expect(try household.run("mark", "--all", "--read").exit == .status(0))
    try displayed(0)
    let history = try control("history")
    #expect(history.components(separatedBy: "\"Build\"").count == 2, "\(history)")
  }
}
