import Foundation
import Storage
import TerminalHarness
import TestBasics
import Testing

/// Notifying the user of messages, with the built program.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct NoticeTests {
  private let household: Household

  init() throws { household = try Household() }

  private func settings(_ lines: String) throws {
    try household.write(
      household.settingsFile,
      "\(lines)\n[[source]]\nname = \"builds\"\ntitle = \"Build server\"\nkind = \"local\"\nnotify = true\n")
  }

  /// Writes a program that appends its input to a file.
  private func teller() throws -> String {
    let program = try household.write("tell", "#!/bin/sh\ncat >> '\(household.home)/told'\n")
    chmod(program, 0o755)
    return "notify_via = [\"command\"]\nnotify_command = [\"\(program)\"]"
  }

  private var told: [[String: Any]] {
    let text = (try? household.text(of: "\(household.home)/told")) ?? ""
    return text.split(separator: "\n").compactMap {
      (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any]
    }
  }

  /// The program that notifies runs in parallel with the test.
  private func wait(for what: String, until holds: () throws -> Bool) throws {
    let deadline = ContinuousClock.now + HangLimit.duration
    while try !holds() {
      if ContinuousClock.now > deadline { throw HouseholdFailure("no \(what); told: \(told)") }
      _ = poll(nil, 0, 20)
    }
  }

  @Test func aProgramGetsWhatWasPushedOnceThoughSeveralPushAtOnce() throws {
    try settings(teller())
    let pushes = try (1...3).map { try household.start(["push", "Build \($0)", "--body", "x\u{1B}[2Jy"]) }
    for push in pushes { #expect(try push.waitForEnd().exit == .status(0)) }
    try wait(for: "three messages") { told.count >= 3 }
    #expect(Set(told.compactMap { $0["title"] as? String }) == ["Build 1", "Build 2", "Build 3"])
    #expect(told.count == 3)
    let first = try #require(told.first)
    #expect(first["form"] as? String == "message" && first["count"] as? Int == 1)
    let body = try #require(first["body"] as? String)
    #expect(body.hasPrefix("Build server\n") && !body.contains("\u{1B}"))
    #expect((first["messages"] as? [[String: Any]])?.count == 1)
  }

  /// If it is not known whether the program has shown a message, the message is not shown twice.
  @Test(.enabled(if: Household.showsProcesses)) func whatAKilledHostWasTellingIsNotRepeated() throws {
    let program = try household.write(
      "tell",
      "#!/bin/sh\ncat >> '\(household.home)/told'\n[ -e '\(household.home)/hangs' ] && exec sleep 60\n:\n"
    )
    chmod(program, 0o755)
    try settings("notify_via = [\"command\"]\nnotify_command = [\"\(program)\"]")
    try household.write("hangs", "")
    #expect(try household.run("push", "One").exit == .status(0))
    try wait(for: "the first") { told.count == 1 }
    for process in try household.noticeHosts() { kill(process, SIGKILL) }
    try FileManager.default.removeItem(atPath: "\(household.home)/hangs")
    #expect(try household.run("push", "Two").exit == .status(0))
    try wait(for: "the second") { told.count >= 2 }
    #expect(told.compactMap { $0["title"] as? String } == ["One", "Two"])
    let store = try Store(path: household.database, now: Date())
    #expect(try store.check.compareAll().isEmpty)
    try store.close()
  }

  // MARK: The desktop

  @Test(.enabled(if: NotificationDaemon.isPossible))
  func aNoticeOfTheDesktopHasButtonsAndIsTakenBack() throws {
    try settings("notify_via = [\"desktop\"]")
    let daemon = try NotificationDaemon(household)
    for title in ["Build <1>", "Build 2"] {
      #expect(
        try household.run(["push", title, "--body", "a < b"], environment: daemon.environment).exit
          == .status(0))
    }
    try daemon.wait(for: "two notices") { $0.shown.count == 2 }
    let first = try #require(daemon.shown.first { $0.summary == "Build <1>" })
    #expect(first.body == "Build server\na &lt; b")
    #expect(first.actions == ["mark-read", "Mark read", "later", "Later (1 h)"])
    #expect(Set(daemon.shown.map(\.caller)).count == 1, "one process tells for both")
    // A button of the desktop.
    try daemon.press("mark-read", of: first.id)
    try daemon.wait(for: "the message to be read") { _ in
      try household.messages("--unread").count == 1
    }
    // Read elsewhere.
    let left = try #require(try household.messages("--unread").first?["id"] as? Int)
    #expect(try household.run("mark", "\(left)", "--read").exit == .status(0))
    let second = try #require(daemon.shown.first { $0.summary == "Build 2" })
    // The first one is closed by the daemon, and by reddot too if that hadn't been read by then.
    try daemon.wait(for: "the notice to be taken back") { $0.closed.contains(second.id) }
    #expect(daemon.closed.filter { $0 != first.id } == [second.id])
    // Then no notification is shown, and no process is left.
    try daemon.wait(for: "the process to end") { _ in
      let store = try Store(path: household.database, now: Date())
      defer { try? store.close() }
      return try store.tryLock(.noticeHost(hasDesktop: true)) != nil
    }
  }

  @Test(.enabled(if: NotificationDaemon.isPossible))
  func aNoticeThatTheDesktopRefusesHoldsNoOtherBack() throws {
    try settings("notify_via = [\"desktop\"]")
    let daemon = try NotificationDaemon(household)
    daemon.refusedTitle = "Build 1"
    // Told in one round: the first one is refused.
    for number in 1...3 { #expect(try household.run("push", "Build \(number)").exit == .status(0)) }
    #expect(
      try household.run(["poll"], environment: daemon.environment).exit == .status(0))
    try daemon.wait(for: "the other notices") { $0.shown.count == 2 }
    #expect(Set(daemon.shown.map(\.summary)) == ["Build 2", "Build 3"])
    #expect(try household.run(["push", "Build 4"], environment: daemon.environment).exit == .status(0))
    try daemon.wait(for: "a later notice") { $0.shown.count == 3 }
    #expect(daemon.shown.last?.summary == "Build 4")
    // The daemon does not get the request repeatedly.
    #expect(daemon.refusals == 1)
  }

  @Test(.enabled(if: NotificationDaemon.isPossible))
  func laterComesBackInAnHour() throws {
    try settings("notify_via = [\"desktop\"]")
    let daemon = try NotificationDaemon(household)
    #expect(try household.run(["push", "Build"], environment: daemon.environment).exit == .status(0))
    try daemon.wait(for: "a notice") { $0.shown.count == 1 }
    try daemon.press("later", of: daemon.shown[0].id)
    try daemon.wait(for: "the snooze") { _ in try household.messages().isEmpty }
  }

  @Test func withoutABusTheTestOfNoticesSaysWhy() throws {
    try settings("notify_via = [\"desktop\", \"command\"]\nnotify_command = [\"/bin/false\"]")
    let ran = try household.run("notify", "test")
    #expect(ran.exit == .status(1))
    let lines = ran.output.split(separator: "\n").map(String.init)
    #expect(lines.count == 5)
    #expect(lines[0] == "terminal: does not work (not in notify_via): standard output is not a terminal")
    #expect(lines[1].hasPrefix("desktop: does not work: the session bus was not found"))
    #expect(lines[3] == "command: does not work: notify_command ended with status 1")
    // And a message is still only a message.
    #expect(try household.run("push", "Build").exit == .status(0))
  }

  @Test(.enabled(if: NotificationDaemon.isPossible))
  func theTestOfNoticesShowsOneOnTheDesktop() throws {
    try settings("notify_via = [\"desktop\"]")
    let daemon = try NotificationDaemon(household)
    let running = try household.start(["notify", "test"], environment: daemon.environment)
    try daemon.wait(for: "a notice") { $0.shown.count == 1 }
    let ran = try running.waitForEnd()
    #expect(ran.exit == .status(0))
    #expect(ran.output.contains("desktop: works: stand-in reddot 1\n"))
  }

  // MARK: The terminal

  private static let kitty = ["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"]

  private func text(_ terminal: PseudoTerminal) -> String { String(decoding: terminal.bytes, as: UTF8.self) }

  @Test func whatIsOnTheFocusedScreenIsNotTold() throws {
    try settings("animations = false")
    let terminal = try household.inbox(environment: Self.kitty)
    try terminal.wait(forText: "Build server")
    terminal.send("\u{1B}[I")
    #expect(try household.run("push", "Seen").exit == .status(0))
    try terminal.wait(forText: "Seen")
    terminal.send("\u{1B}[O")
    #expect(try household.run("push", "Missed").exit == .status(0))
    let missed = Data("Missed".utf8).base64EncodedString()
    try terminal.wait(for: "the notice") { self.text($0).contains(";\(missed)\u{1B}\\") }
    #expect(!text(terminal).contains(Data("Seen".utf8).base64EncodedString()))
    terminal.send("q")
    #expect(try terminal.waitForExit() == .status(0))
  }
}
