import Foundation
import TerminalHarness
import TestBasics
import Testing

/// The programs for a real notification daemon.
private enum Dunst {
  static let isThere = ["dbus-daemon", "dunst", "dunstctl", "Xvfb"].allSatisfy {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
  }
}

/// Notifications under a real notification daemon: dunst on a screen in memory, if both are installed.
@Suite(.timeLimit(.minutes(HangLimit.minutes)), .enabled(if: Dunst.isThere)) struct DunstTests {
  private let household: Household
  private let environment: [String: String]
  private let bus: SessionBus
  private let programs: [Running]

  init() throws {
    household = try Household()
    bus = try SessionBus(household)
    // The program chooses a free display, and prints its number.
    let screen = try Running(
      "/usr/bin/Xvfb", ["-displayfd", "1", "-screen", "0", "800x600x24"], environment: household.environment,
      keeping: household)
    try screen.wait(for: "a display") { $0.outputBytes.contains(UInt8(ascii: "\n")) }
    let display = String(decoding: screen.outputBytes, as: UTF8.self).trimmingCharacters(
      in: .whitespacesAndNewlines)
    let environment = household.environment.merging(bus.environment) { $1 }
      .merging(["DISPLAY": ":\(display)"]) { $1 }
    self.environment = environment
    let file = try household.write("dunstrc", "[global]\nmonitor = 0\n")
    let dunst = try Running(
      "/usr/bin/dunst", ["-config", file], environment: environment, keeping: household)
    programs = [screen, dunst]
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

  /// A message is shown exactly once, though the process that notifies is killed.
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
    // The surviving process withdraws both.
    #expect(try household.run("mark", "--all", "--read").exit == .status(0))
    try displayed(0)
    let history = try control("history")
    #expect(history.components(separatedBy: "\"Build\"").count == 2, "\(history)")
  }

  // MARK: What other programs show

  /// Starts `reddot catch` for everything that is shown.
  private func catching() throws -> Running {
    try household.write(household.settingsFile, "[[source]]\nname = \"desktop\"\nkind = \"desktop\"\n")
    let catching = try household.start(["catch"], environment: environment)
    try catching.wait(for: "the bus") { $0.errorText.contains("beside the notification daemon") }
    return catching
  }

  private func show(_ summary: String, _ more: String...) throws -> String {
    let ran = try Running(
      "/usr/bin/notify-send", ["-p", "-a", "Slack", summary] + more, environment: environment,
      keeping: household
    ).waitForEnd()
    #expect(ran.exit == .status(0))
    return ran.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test(.enabled(if: SessionBus.hasNotifySend)) func whatDunstShowsIsKept() throws {
    let catching = try catching()
    _ = try show("One")
    let number = try show("10 %")
    _ = try show("20 %", "-r", number)
    _ = try show("Volume", "-h", "string:x-canonical-private-synchronous:volume")
    _ = try show("Gone soon", "-h", "boolean:transient:true")
    _ = try show("Last", "-u", "critical", "<b>bold</b> &amp; more")
    try wait(for: "the last one") { try household.messages().contains { $0["title"] as? String == "Last" } }
    let messages = try household.messages()
    #expect(Set(messages.compactMap { $0["title"] as? String }) == ["One", "20 %", "Last", "Volume"])
    #expect(messages.allSatisfy { $0["channel"] as? String == "Slack" && $0["kind"] as? String == "desktop" })
    let last = messages.first { $0["title"] as? String == "Last" }
    #expect(last?["body"] as? String == "bold & more" && last?["priority"] as? Int == 5)
    // The user closes all notifications.
    _ = try control("close-all")
    try wait(for: "them to be read") { try household.messages("--unread").isEmpty }
    #expect(catching.isRunning)
  }
}
