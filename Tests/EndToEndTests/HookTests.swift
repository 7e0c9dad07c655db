import Foundation
import TerminalHarness
import TestBasics
import Testing

/// `reddot push --hook`, which programs start when they wait for the user: it never fails and never waits.
@Suite struct HookTests {
  private let household: Household

  init() throws { household = try Household() }

  private func hook(_ text: String, _ more: [String: String] = [:]) throws {
    let ran = try household.run(["push", "--hook"], input: text, environment: more)
    ran.expect("")
  }

  @Test func waitingTwiceIsOneMessageUntilItGoesOn() throws {
    try hook(
      #"{"hook_event_name":"Notification","session_id":"s1","cwd":"/home/ada/parser","message":"May I run make?"}"#
    )
    let first = try household.message { $0["title"] as? String == "parser: May I run make?" }
    #expect(first["body"] as? String == "May I run make?")
    #expect(first["tags"] as? [String] == ["waiting"])
    #expect(first["channel"] as? String == "parser")
    #expect(first["unread"] as? Bool == true)

    try hook(
      #"{"hook_event_name":"PermissionRequest","session_id":"s1","cwd":"/home/ada/parser","message":"And rm?"}"#
    )
    let second = try household.message { $0["body"] as? String == "And rm?" }
    #expect(second["id"] as? Int == first["id"] as? Int)
    #expect(try household.messages().count == 1)

    // This record is from another session.
    try hook(
      #"{"type":"agent-turn-complete","thread-id":"t9","cwd":"/srv/site/","last-assistant-message":"All green"}"#
    )
    _ = try household.message { $0["title"] as? String == "site: ✓ All green" }
    #expect(try household.messages("--unread").count == 2)

    try hook(#"{"hook_event_name":"Stop","session_id":"s1","cwd":"/home/ada/parser"}"#)
    _ = try household.message { $0["title"] as? String == "parser: ✓ Done" }
    _ = try household.message { $0["id"] as? Int == first["id"] as? Int && $0["unread"] as? Bool == false }
  }

  /// Failures are not folded with successes, nor one command with another.
  @Test func runsOfOneCommandAreOneRowAndAFailureHasItsOwn() throws {
    let runs = [
      ("make", 2), ("sleep", 0), ("sleep", 0), ("make", 2), ("make", 2), ("make", 0), ("make", 0),
      ("make", 0),
    ]
    for (index, (command, status)) in runs.enumerated() {
      let words = ["hooks", "record", "command", "--status", "\(status)", "--seconds", "\(20 + index)"]
      try household.run(words, input: command).expect("")
      _ = try household.message { ($0["body"] as? String)?.contains("after \(20 + index) s") == true }
    }
    let terminal = try household.inbox()
    try terminal.wait(forText: "×3 ✓ make, 27 s")
    let rows = terminal.screen.lines.filter { $0.contains("✓") || $0.contains("✗") }
    let titles = [
      "×3 ✓ make, 27 s", "! ×2 ✗ make failed (2) after 24 s", "×2 ✓ sleep, 22 s",
      "! ✗ make failed (2) after 20 s",
    ]
    #expect(rows.count == 4)
    for (row, title) in zip(rows, titles) { #expect(row.contains(title)) }
    // Only the opened message is read.
    terminal.send("j\r")
    try terminal.wait(forText: "after 24 s")
    _ = try household.message {
      ($0["body"] as? String)?.contains("after 24 s") == true && $0["unread"] as? Bool == false
    }
    #expect(try household.messages("--unread").count == 7)
    terminal.send(" ")
    try terminal.wait(forText: "after 23 s")
    try terminal.leave()
    #expect(try household.messages("--unread").count == 6)
  }

  /// While `check --repair` locks the file, a hook leaves its record and a push is refused. Afterwards nothing is lost.
  @Test func aRepairMeanwhileLosesNothing() throws {
    #expect(try household.run("push", "Before").exit == .status(0))
    let lock = open("\(household.database).locks/use", O_RDWR | O_CLOEXEC)
    defer { close(lock) }
    #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
    try hook(#"{"event":"Deployed","cwd":"/srv/shop","version":"4.2"}"#)
    let refused = try household.run("push", "Meanwhile")
    #expect(refused.exit == .status(1) && refused.output.isEmpty)
    #expect(refused.errors.contains("reddot check is repairing this database; try again when it is done"))
    let spool = household.database + ".hooks"
    let waiting = try FileManager.default.contentsOfDirectory(atPath: spool).filter { !$0.hasPrefix(".") }
    #expect(waiting.count == 1)
    #expect(flock(lock, LOCK_UN) == 0)
    #expect(try household.run("push", "Meanwhile").exit == .status(0))
    try hook(#"{"event":"Rolled back","cwd":"/srv/shop","version":"4.1"}"#)
    for title in ["shop: deployed", "shop: rolled back", "Before", "Meanwhile"] {
      _ = try household.message { $0["title"] as? String == title }
    }
    #expect(try household.messages().count == 4)
    #expect(try household.run("check").output.hasSuffix("everything agrees\n"))
  }

  /// A record that can't be stored, between two that can: it delays neither, and is kept.
  @Test func aRecordThatCannotBeStoredHoldsNothingBack() throws {
    let spool = household.database + ".hooks"
    try FileManager.default.createDirectory(atPath: spool, withIntermediateDirectories: true)
    #expect(mkfifo("\(spool)/0000000000000001-pipe", 0o600) == 0)
    try Data("{}".utf8).write(to: URL(filePath: "\(spool)/0000000000000002-other"))
    let long = String(repeating: "s", count: 1020)
    try hook(
      #"{"hook_event_name":"Notification","session_id":"\#(long)","cwd":"/srv/shop","message":"Long"}"#)
    try hook(#"{"event":"Deployed","cwd":"/srv/shop","version":"4.2"}"#)
    _ = try household.message { $0["title"] as? String == "shop: deployed" }
    let kept = try FileManager.default.contentsOfDirectory(atPath: "\(spool)/.refused").sorted()
    let names = ["0000000000000001-pipe", "0000000000000002-other"]
    #expect(kept == names.flatMap { [$0, "\($0).reason"] })
    // The commands show the number, the folder, the reason, and the remedy.
    for command in ["check", "sources"] {
      let ran = try household.run(command)
      #expect(ran.exit == .status(0))
      #expect(
        ran.errors == """
          reddot: 2 records of hooks could not be stored; the last: it is not a record of a hook; move what you want to keep from \
          \(spool)/.refused back to \(spool), and delete the rest

          """, "\(command)")
    }
    _ = try household.message { $0["body"] as? String == "Long" }
  }

  /// A record that cannot be moved or removed does not delay others either, and is tried once by each process.
  @Test(arguments: ["", "/.refused"])
  func whatCannotBeSetAsideHoldsNothingBack(_ file: String) throws {
    let spool = household.database + ".hooks"
    // A folder, an old unfinished one, a link to nothing, too much, no UTF-8, another type.
    for folder in ["0000000000000001-folder/inner", ".old"] {
      try FileManager.default.createDirectory(atPath: "\(spool)/\(folder)", withIntermediateDirectories: true)
    }
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)], ofItemAtPath: "\(spool)/.old")
    try FileManager.default.createSymbolicLink(
      atPath: "\(spool)/0000000000000002-link", withDestinationPath: "/nowhere")
    for (number, bytes) in [Data(count: 3 << 20), Data([0xFF]), Data("[1]".utf8), Data()].enumerated() {
      try bytes.write(to: URL(filePath: "\(spool)/000000000000000\(number + 3)-bytes"))
    }
    // A file has the name of the folder for records that are set aside.
    if !file.isEmpty { try Data().write(to: URL(filePath: spool + file)) }
    try hook(#"{"event":"Deployed","cwd":"/srv/shop","version":"4.2"}"#)
    _ = try household.message { $0["title"] as? String == "shop: deployed" }
    #expect(try household.run("hooks", "store").exit == .status(0))
    let left = try FileManager.default.contentsOfDirectory(atPath: spool).filter { !$0.hasPrefix(".") }
    #expect(left.count == (file.isEmpty ? 0 : 6))
    let said = try household.run("check").errors
    #expect(said.hasPrefix("reddot: 6 records of hooks could not be stored") == file.isEmpty, "\(said)")
  }

  /// An assistant reports these many times a minute: only an event that waits for the user, or a final one, is a
  /// message.
  @Test(arguments: ["PreToolUse", "PostToolUse", "PreCompact", "SubagentStop"])
  func workThatContinuesIsNoMessage(_ event: String) throws {
    func leave(_ name: String, _ session: String) throws {
      try hook(
        #"{"hook_event_name":"\#(name)","session_id":"\#(session)","cwd":"/home/ada/parser","tool_name":"Bash"}"#
      )
    }
    for name in ["Notification", event, event, "Stop"] { try leave(name, "s1") }
    try leave("Notification", "s2")
    _ = try household.message {
      $0["unread"] as? Bool == true && ($0["title"] as? String)?.contains("notification") == true
        && ($0["title"] as? String)?.contains("job 2") == true
    }
    let titles = try household.messages().compactMap { $0["title"] as? String }.sorted()
    #expect(titles == ["parser (job 2): notification", "parser: notification", "parser: ✓ Done"])
  }

  @Test func anEmptyMessageLeavesTheTextEmpty() throws {
    try hook(#"{"hook_event_name":"Stop","session_id":"s1","cwd":"/home/ada/parser","message":""}"#)
    let message = try household.message { $0["title"] as? String == "parser: ✓ Done" }
    #expect((message["body"] as? String ?? "").isEmpty)
  }

  @Test func theObjectMayBeTheLastArgument() throws {
    try household.run("push", "--hook", #"{"event":"Deployed","cwd":"/srv/shop","version":"4.2"}"#).expect("")
    let message = try household.message { $0["title"] as? String == "shop: deployed" }
    #expect((message["body"] as? String)?.contains("4.2") == true)
  }

  @Test(arguments: [
    "", "not JSON", "[1,2]", "{\"event\":", "\u{0}\u{1B}[2J\u{7}", "{\"cwd\":7,\"message\":{\"a\":[[[[]]]]}}",
    String(repeating: "[", count: 100_000),
    "{\"message\":\"" + String(repeating: "x", count: 1_000_000) + "\"}",
  ])
  func whateverComesItDoesNotFail(_ text: String) throws {
    try hook(text)
    // The record adds one message or none, and does not prevent the next message.
    try hook(#"{"event":"next","cwd":"/a/b","message":"after"}"#)
    _ = try household.message { $0["title"] as? String == "b: next" }
    #expect(try household.messages().count <= 2)
    for message in try household.run("list").output.split(separator: "\n") {
      #expect(PlainText.problems(Array(message.utf8)) == [])
    }
  }

  @Test func anInputThatNeverEndsIsNotWaitedFor() throws {
    let pipe = "\(household.home)/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    let running = try household.start([
      "run", "--", "sh", "-c",
      "exec 3<>'\(pipe)'; '\(BuiltProduct.path("reddot"))' push --hook <&3; echo ended",
    ])
    #expect(try running.waitForEnd().output == "ended\n")
  }

  @Test func withSettingsThatAreBrokenItIsStoredLater() throws {
    try household.write(household.settingsFile, "this is [not TOML")
    try hook(#"{"event":"kept","cwd":"/a/b","message":"for later"}"#)
    try household.write(
      household.settingsFile, "language = \"en\"\n[[source]]\nname = \"local\"\nkind = \"local\"\n")
    _ = try household.run("poll")
    let message = try household.message { $0["title"] as? String == "b: kept" }
    #expect(message["body"] as? String == "for later")
  }

  @Test func noneIsLostWhileTheDatabaseIsLocked() throws {
    try household.run("push", "first").expect("")
    let count = 40
    do {
      let other = try SQLite(household.database)
      try other.run("BEGIN EXCLUSIVE")
      for number in 1...count {
        try hook("{\"event\":\"e\(number)\",\"session_id\":\"s\",\"cwd\":\"/w/p\",\"message\":\"m\"}")
      }
      try other.run("COMMIT")
    }
    // The next process stores the remaining records.
    try hook(#"{"event":"last","session_id":"s","cwd":"/w/p","message":"m"}"#)
    _ = try household.message { $0["title"] as? String == "p: last" }
    let titles = Set(try household.messages().compactMap { $0["title"] as? String })
    #expect(titles == Set((1...count).map { "p: e\($0)" } + ["p: last", "first"]))
    #expect(try household.messages().count == count + 2)
  }

  /// A record that stays in the spool would be stored without an end.
  @Test func whatCannotBeRemovedEndsTheProcessThatStores() throws {
    try hook(#"{"event":"first","cwd":"/a/b"}"#)
    _ = try household.message { $0["title"] as? String == "b: first" }
    try household.write("\(household.database).hooks/0000000000000001-folder/file", "")
    #expect(try household.run("hooks", "store").exit == .status(0))
    let log = try household.text(of: "\(household.home)/.local/state/reddot/reddot.log")
    #expect(log.contains("0000000000000001-folder"))
  }

  @Test func whatAKilledHookBeganIsRemovedAndWhatAnotherIsWritingStays() throws {
    let spool = "\(household.database).hooks"
    for name in [".0001-killed", ".0002-writing"] { try household.write("\(spool)/\(name)", "{\"ev") }
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -3700)], ofItemAtPath: "\(spool)/.0001-killed")
    try hook(#"{"event":"first","cwd":"/a/b"}"#)
    _ = try household.message { $0["title"] as? String == "b: first" }
    let left = try FileManager.default.contentsOfDirectory(atPath: spool).filter { $0.hasPrefix(".0") }
    #expect(left == [".0002-writing"])
    #expect(try household.messages().count == 1)
  }

  @Test func aFolderThatCannotBeWrittenDoesNoHarm() throws {
    try household.write(".local/share/reddot", "a file where the folder should be")
    try hook(#"{"event":"lost","cwd":"/a/b"}"#)
    #expect(
      try household.text(of: "\(household.home)/.local/state/reddot/reddot.log").contains("cannot be written")
    )
  }
}

extension Household {
  /// The first message that is so, once there is one.
  func message(where holds: ([String: Any]) -> Bool) throws -> [String: Any] {
    let clock = ContinuousClock()
    let deadline = clock.now + HangLimit.duration
    while clock.now < deadline {
      let all = FileManager.default.fileExists(atPath: database) ? try messages() : []
      if let found = all.first(where: holds) { return found }
    }
    throw HouseholdFailure("no such message; there are \(try messages())")
  }
}
