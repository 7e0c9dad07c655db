import Foundation
import TerminalHarness
import TestBasics
import Testing

/// Everything that stores messages, and everything that follows: programs of rules, notifications, other machines,
/// panes.
@Suite(
  .timeLimit(.minutes(HangLimit.minutes)), .enabled(if: TmuxSession.isAvailable, "tmux is not installed"))
struct ArrivalTests {
  /// The ways into the inbox.
  enum Door: String, CaseIterable, Sendable {
    case push, apns, run, hook, remind, poll, inbox, `catch`

    /// The command that a pane runs; `nil` if it is started elsewhere.
    var command: String? {
      switch self {
      case .push: "push Wanted"
      case .apns: #"push --apns - <<<'{"aps":{"alert":"Wanted"}}'"#
      case .run: "run --title Wanted -- true"
      case .hook: #"push --hook '{"event":"Wanted","cwd":"/a/b"}'"#
      case .remind, .poll, .inbox, .catch: nil
      }
    }

    /// Whether the message is one of a pane; a payload belongs to its server.
    var hasPane: Bool { command != nil && self != .apns }
    /// Whether the user is notified of it now.
    var isNotified: Bool { self != .remind }
    /// Whether other machines get the message from this one.
    var isSent: Bool { command != nil || self == .remind }
  }

  private let here: Household
  private let there: Household

  init() throws {
    (here, there) = (try Household(), try Household())
    try here.write("news.xml", rss("News", [item(1, "First")]))
    for machine in [here, there] {
      let program = try machine.write("keep", "#!/bin/sh\ncat >> \"$1\"\n")
      chmod(program, 0o755)
      try machine.write(
        machine.settingsFile,
        """
        notify = "wanted"
        notify_via = ["command"]
        notify_command = ["\(program)", "\(machine.home)/told"]

        [[rule]]
        name = "wanted"
        when = "wanted"
        do = ["run"]
        command = ["\(program)", "\(machine.home)/ran"]

        [[source]]
        name = "own"
        kind = "local"
        shared = true

        [[source]]
        name = "news"
        url = "\(here.home)/news.xml"

        [[source]]
        name = "desktop"
        kind = "desktop"
        """)
      #expect(try machine.run("push", "Before").exit == .status(0))
      #expect(try machine.run("poll").exit == .status(0))
    }
    let place = "\(here.home)/place"
    #expect(try here.run("sync", "init", place).exit == .status(0))
    let key = try here.run("sync", "key").output.trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(try there.run("sync", "join", place, key).exit == .status(0))
  }

  private func wait(for what: String, _ door: Door, until holds: () throws -> Bool) throws {
    let deadline = ContinuousClock.now + HangLimit.duration
    while try !holds() {
      if ContinuousClock.now > deadline { throw HouseholdFailure("\(door.rawValue): no \(what)") }
      _ = Foundation.poll(nil, 0, 20)
    }
  }

  /// The titles that a program got.
  private func titles(_ file: String) -> [String] {
    let text = (try? here.text(of: "\(here.home)/\(file)")) ?? ""
    return text.split(separator: "\n").compactMap { line in
      let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return object?["title"] as? String
    }
  }

  @Test(arguments: Door.allCases) func everythingFollows(_ door: Door) throws {
    if door == .catch, !SessionBus.isPossible { return }
    let tmux = try TmuxSession(
      columns: 80, rows: 24, program: "/usr/bin/bash", arguments: ["--norc", "-i"],
      environment: here.environment.merging(["PS1": "> "]) { $1 })
    for _ in 1...2 {
      try tmux.run(
        ["new-window", "-d", "env"] + here.environment.map { "\($0.key)=\($0.value)" } + [
          "PS1=> ", "/usr/bin/bash", "--norc", "-i",
        ])
    }
    // This keeps the message coming in until the end of the test.
    var running: [Any] = []
    switch door {
    case .push, .apns, .run, .hook:
      let line = "'\(BuiltProduct.path("reddot"))' \(door.command ?? "")"
      try tmux.run(["send-keys", "-t", "%1", line, "Enter"])
    case .remind: #expect(try here.run("remind", "2h", "Wanted").exit == .status(0))
    case .poll:
      try here.write("news.xml", rss("News", (1...3).map { item($0, $0 == 2 ? "Wanted" : "Other") }))
      #expect(try here.run("poll", "--force").exit == .status(0))
    case .inbox:
      let terminal = try here.inbox()
      running = [terminal]
      try terminal.wait(forText: "Before")
      try here.write("news.xml", rss("News", (1...3).map { item($0, $0 == 2 ? "Wanted" : "Other") }))
      // There are no notifications of messages on a focused screen.
      terminal.send("\u{1B}[O")
      terminal.send("r")
    case .catch:
      let bus = try SessionBus(here)
      let daemon = try NotificationDaemon(on: bus)
      let catching = try here.start(["catch"], environment: bus.environment)
      try catching.wait(for: "the bus") { $0.errorText.contains("beside") }
      let program = try ShowingProgram("Chat", on: bus)
      running = [bus, daemon, catching, program]
      for title in ["Other", "Wanted", "More"] { try program.show(title) }
    }
    try wait(for: "program of a rule", door) { !titles("ran").isEmpty }
    if door.isNotified {
      // The daemon shows the notification itself: there is no second one.
      if door != .catch { try wait(for: "notification", door) { !titles("told").isEmpty } }
    }
    if door.isSent {
      try wait(for: "message on the other machine", door) {
        _ = try there.run("sync")
        let found =
          door == .remind ? try there.messages("--snoozed") : try there.messages("--query", "wanted in:all")
        return found.count == 1
      }
    }
    if door.hasPane {
      try wait(for: "mark of its pane", door) {
        try tmux.run(["show-options", "-pqv", "-t", "%1", "@reddot"]) == "1\n"
      }
    }
    for pane in door.hasPane ? ["%0", "%2"] : ["%0", "%1", "%2"] {
      #expect(try tmux.run(["show-options", "-pqv", "-t", pane, "@reddot"]) == "")
    }
    // The next command finds nothing left to do.
    #expect(try here.run("push", "After").exit == .status(0))
    let name = door == .hook ? "b: wanted" : door == .run ? "✓ Wanted, " : "Wanted"
    #expect(titles("ran").count == 1 && titles("ran")[0].hasPrefix(name), "\(door.rawValue)")
    #expect(titles("told").allSatisfy { $0.contains(name) }, "\(door.rawValue)")
    withExtendedLifetime(running) {}
  }
}
