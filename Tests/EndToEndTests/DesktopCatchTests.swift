import Foundation
import Notifications
import TerminalHarness
import TestBasics
import Testing

/// Other programs' notifications in the inbox, through a real session bus.
@Suite(.timeLimit(.minutes(HangLimit.minutes)), .enabled(if: SessionBus.isPossible))
struct DesktopCatchTests {
  private let household: Household
  private let bus: SessionBus

  init() throws {
    household = try Household()
    bus = try SessionBus(household)
    try settings("")
  }

  private func settings(_ lines: String) throws {
    try household.write(
      household.settingsFile, "[[source]]\nname = \"desktop\"\nkind = \"desktop\"\n" + lines)
  }

  private func catching(_ place: String = "beside") throws -> Running {
    let running = try household.start(["catch"], environment: bus.environment)
    try running.wait(for: "the bus") { $0.errorText.contains(place) }
    return running
  }

  /// The titles of all stored messages, once there are so many.
  private func titles(_ count: Int) throws -> Set<String> {
    let deadline = ContinuousClock.now + HangLimit.duration
    while true {
      let messages = try household.messages()
      if messages.count >= count { return Set(messages.compactMap { $0["title"] as? String }) }
      if ContinuousClock.now > deadline { throw HouseholdFailure("only \(messages)") }
    }
  }

  @Test func aNoticeIsKeptUpdatedAndRead() throws {
    let daemon = try NotificationDaemon(on: bus)
    let catching = try catching()
    let chat = try ShowingProgram("Slack", on: bus)
    try chat.show("10 %")
    try daemon.wait(for: "a notice") { $0.shown.count == 1 }
    #expect(try titles(1) == ["10 %"])
    let id = daemon.shown[0].id
    try chat.show("20 %", body: "<i>soon</i>", replacing: id)
    try daemon.wait(for: "a notice") { $0.shown.count == 2 }
    try chat.show("Other")
    try daemon.wait(for: "a notice") { $0.shown.count == 3 }
    #expect(try titles(2) == ["20 %", "Other"])
    try daemon.expire(id)
    try daemon.dismiss(daemon.shown[2].id)
    try daemon.wait(for: "the reading") { _ in try household.messages("--unread").count == 1 }
    #expect(try household.messages("--unread").first?["title"] as? String == "20 %")
    #expect(catching.isRunning)
  }

  /// The daemon has shown it, urgent or not.
  @Test func nobodyIsToldASecondTime() throws {
    try household.write(
      household.settingsFile,
      """
      notify_via = ["desktop"]
      [[source]]
      name = "desktop"
      kind = "desktop"
      [[source]]
      name = "builds"
      kind = "local"
      notify = true
      """)
    let daemon = try NotificationDaemon(on: bus)
    let catching = try catching()
    try ShowingProgram("upower", on: bus).show("Battery low", hints: [("urgency", .byte(2))])
    try daemon.wait(for: "a notice") { $0.shown.count == 1 }
    #expect(try titles(1) == ["Battery low"])
    #expect(
      try household.run(["push", "Build", "--source", "builds"], environment: bus.environment).exit
        == .status(0))
    try daemon.wait(for: "the build") { $0.shown.contains { $0.summary == "Build" } }
    #expect(daemon.shown.map(\.summary) == ["Battery low", "Build"])
    #expect(try titles(2) == ["Battery low", "Build"] && household.messages().count == 2)
    #expect(catching.isRunning)
  }

  @Test func programsAreChosenByTheSettings() throws {
    try settings(
      "only = [\"slack\", \"CI\"]\n[[source]]\nname = \"rest\"\nkind = \"desktop\"\nexcept = [\"Slack\"]\n")
    let catching = try catching()
    for name in ["Slack", "ci", "Spotify"] { try ShowingProgram(name, on: bus).showUnanswered("of \(name)") }
    #expect(try titles(4) == ["of Slack", "of ci", "of Spotify"])
    #expect(try household.messages("--search", "app:SLACK").count == 1)
    #expect(try household.messages("--source", "desktop").count == 2)
    #expect(try household.messages("--source", "rest").count == 2)
    // While it runs.
    try settings("except = [\"Slack\"]\n")
    try catching.wait(for: "the settings") { $0.errorText.components(separatedBy: "beside").count == 3 }
    for name in ["Slack", "Evolution"] { try ShowingProgram(name, on: bus).showUnanswered("new of \(name)") }
    // Messages of the source that is no longer followed aren't listed.
    #expect(try titles(3) == ["of Slack", "of ci", "new of Evolution"])
  }

  @Test func nothingStoredIsLostByAKill() throws {
    let first = try catching()
    let chat = try ShowingProgram("Slack", on: bus)
    for number in 1...20 { try chat.showUnanswered("\(number)") }
    _ = try titles(20)
    #expect(first.kill(after: .zero).exit == .signal(SIGKILL))
    let second = try catching()
    try chat.showUnanswered("21")
    #expect(try titles(21).count == 21)
    #expect(try household.run("check").output.hasSuffix("everything agrees\n"))
    #expect(second.isRunning)
  }

  /// Two processes store each notification once, and if one of them ends, the other continues.
  @Test func oneOfSeveralProcessesDoesIt() throws {
    let first = try catching()
    let second = try household.start(["catch"], environment: bus.environment)
    let chat = try ShowingProgram("Slack", on: bus)
    try chat.showUnanswered("1")
    _ = try titles(1)
    _ = first.kill(after: .zero)
    try second.wait(for: "the bus") { $0.errorText.contains("beside") }
    try chat.showUnanswered("2")
    #expect(try titles(2) == ["1", "2"] && household.messages().count == 2)
  }

  @Test func hostileNoticesAreBounded() throws {
    let catching = try catching()
    let program = try ShowingProgram("bad\u{1B}[2Jprogram", on: bus)
    var deep = BusValue.byte(1)
    for _ in 0..<40 { deep = .variant(deep) }
    try program.showUnanswered(
      "Long", body: String(repeating: "<b>x</b>\u{1B}]0;title\u{7}", count: 200_000))
    try program.showUnanswered(
      "Picture",
      hints: [("image-data", .bytes([UInt8](repeating: 1, count: 9 << 20))), ("urgency", .byte(2))])
    try program.showUnanswered("Deep", hints: [("x", deep)])
    try program.showUnanswered("Many", hints: (0..<30_000).map { ("\($0)", .boolean(true)) })
    try program.showUnanswered("\u{1B}[31mred\r\nline\u{202E}", body: "\u{9B}1m")
    let titles = try titles(5)
    #expect(titles.isSuperset(of: ["Long", "Picture", "Deep", "Many"]))
    let long = try household.messages().first { $0["title"] as? String == "Long" }
    #expect((long?["body"] as? String ?? "").utf8.count < 20_000)
    let printed = try household.run("list").outputBytes
    #expect(!printed.contains(0x1B) && !printed.contains(0x9B) && !printed.contains(7))
    #expect(catching.isRunning && catching.errorText.components(separatedBy: "\n").count == 2)
  }

  @Test func manyNoticesAreAllKept() throws {
    let catching = try catching()
    let program = try ShowingProgram("flood", on: bus)
    for number in 0..<10_000 { try program.showUnanswered("\(number)") }
    try program.showUnanswered("last")
    try catching.wait(for: "all of them") { _ in
      try household.run("status", "--json").output.contains("\"unread\":10001")
    }
    #expect(try household.run("check").output.hasSuffix("everything agrees\n"))
  }

  @Test func theInboxKeepsAndShowsThem() throws {
    try settings("[[source]]\nname = \"builds\"\nkind = \"local\"\n")
    let terminal = try household.inbox(columns: 120, environment: bus.environment)
    let (chat, mail) = (try ShowingProgram("Slack", on: bus), try ShowingProgram("Evolution", on: bus))
    // Until the inbox listens, the notifications are lost.
    try catchUp { try chat.showUnanswered("Ada wrote") }
    try mail.showUnanswered("A letter")
    try terminal.wait(for: "the messages") { terminal in
      ["Ada wrote", "Slack", "A letter", "Evolution"].allSatisfy { terminal.screen.text.contains($0) }
    }
    try terminal.leave()
  }

  @Test func keysWorkInAFlood() throws {
    let terminal = try household.inbox(environment: bus.environment)
    let program = try ShowingProgram("flood", on: bus)
    try catchUp { try program.showUnanswered("The first") }
    try terminal.wait(forText: "The first")
    for number in 0..<10_000 { try program.showUnanswered("\(number)") }
    terminal.send("?")
    try terminal.wait(forText: "Keys here: list")
    terminal.send("?")
    try terminal.wait(forNoText: "Keys here: list")
    try terminal.leave()
    #expect(try household.run("check").output.hasSuffix("everything agrees\n"))
  }

  private func catchUp(_ show: () throws -> Void) throws {
    let deadline = ContinuousClock.now + HangLimit.duration
    while try household.messages().isEmpty {
      if ContinuousClock.now > deadline { throw HouseholdFailure("nothing came") }
      try show()
    }
  }

  // MARK: Without a daemon

  @Test(.enabled(if: SessionBus.hasNotifySend)) func inTheDaemonsPlaceItAnswers() throws {
    try settings("own = true\n")
    let catching = try catching("in the place of a notification daemon")
    let environment = household.environment.merging(bus.environment) { $1 }
    let ran = try Running(
      "/usr/bin/notify-send", ["-p", "-a", "cron", "Backup", "<b>done</b>"], environment: environment,
      keeping: household
    ).waitForEnd()
    #expect(ran.exit == .status(0) && ran.output == "1\n")
    #expect(try titles(1) == ["Backup"])
    // reddot's own would not be shown.
    let test = try household.run(["notify", "test"], environment: bus.environment)
    #expect(test.output.contains("no notification daemon runs here"))
    // Another daemon takes over the name on the bus.
    let daemon = try NotificationDaemon(on: bus, replacing: true)
    try catching.wait(for: "the other daemon") { $0.errorText.contains("beside the notification daemon") }
    try ShowingProgram("cron", on: bus).show("Again")
    try daemon.wait(for: "a notice") { $0.shown.count == 1 }
    #expect(try titles(2) == ["Backup", "Again"])
  }

  @Test func theNameIsGivenBackAndTakenAgain() throws {
    try settings("own = true\n")
    let first = try catching("in the place of")
    _ = first.kill(after: .zero)
    let connection = try bus.connection()
    #expect(
      try connection.callBus("NameHasOwner", [.string("org.freedesktop.Notifications")]).body == [
        .boolean(false)
      ])
    var daemon: NotificationDaemon? = try NotificationDaemon(on: bus)
    let second = try catching("beside")
    #expect(daemon?.shown == [])
    daemon = nil
    try second.wait(for: "the free name") { $0.errorText.contains("in the place of") }
  }

  // MARK: Without a bus

  @Test func withoutABusItIsSaidAndNothingFails() throws {
    let away = ["DBUS_SESSION_BUS_ADDRESS": ""]
    let ran = try household.run(["catch"], environment: away)
    #expect(ran.exit == .status(1) && ran.errors.contains("the session bus was not found"))
    #expect(try household.run("sources").output.contains("the session bus was not found"))
    #expect(try household.run("why", "desktop").output.contains("the session bus was not found"))
    let check = try household.run("check")
    #expect(check.exit == .status(0) && check.output.contains("the session bus was not found"))
    try household.write(household.settingsFile, "")
    let none = try household.run(["catch"], environment: bus.environment)
    #expect(none.exit == .status(1) && none.errors.contains("no source of kind desktop"))
  }
}
