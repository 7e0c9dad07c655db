import Foundation
import TerminalHarness
import Testing

/// `reddot backup` and `reddot restore`
@Suite struct BackupTests {
  private func mode(_ path: String) throws -> Int {
    try #require(
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
    ).intValue
  }

  /// Two sources, of which one is a script, a reminder, and messages with marks.
  private func household() throws -> Household {
    let household = try Household()
    let feed = try household.write("feed.xml", rss("Team", (1...3).reversed().map { item($0, "News \($0)") }))
    let script = try household.write("bin/checks", "#!/bin/sh\necho checked\n")
    chmod(script, 0o700)
    try household.write(
      household.settingsFile,
      """
      # mine
      [[source]]
      name = "team"
      url = "file://\(feed)"
      token = "hunter2"

      [[source]]
      name = "checks"
      kind = "command"
      command = ["../../bin/checks", "--all"]
      format = "lines"
      """)
    chmod(household.settingsFile, 0o600)
    #expect(try household.run("poll", "--all").exit == .status(0))
    #expect(try household.run("mark", "--star", "1").exit == .status(0))
    #expect(try household.run("remind", "--every", "day 9:00", "Tea").exit == .status(0))
    return household
  }

  @Test func everythingComesBackOnAnotherMachine() throws {
    let old = try household()
    let file = "\(old.home)/all"
    let ran = try old.run("backup", file)
    #expect(ran.exit == .status(0))
    #expect(
      ran.output.hasPrefix("\(file): 4 messages, the settings, reminders, 2 files that the settings name\n"))
    #expect(ran.output.contains("tokens are in it"))
    #expect(try mode(file) == 0o600)
    let new = try Household()
    let restored = try new.run("restore", file)
    #expect(restored.exit == .status(0), "\(restored.errors)")
    #expect(try new.text(of: new.settingsFile) == old.text(of: old.settingsFile))
    #expect(try mode(new.settingsFile) == 0o600)
    #expect(try new.text(of: "\(new.home)/bin/checks") == "#!/bin/sh\necho checked\n")
    #expect(try mode("\(new.home)/bin/checks") == 0o700)
    #expect(try new.run("list").output == old.run("list").output)
    #expect(try new.run("list", "--starred").output == old.run("list", "--starred").output)
    #expect(try new.run("remind", "--list").output.contains("Tea"))
    #expect(try new.run("check").output.hasSuffix("everything agrees\n"))
    // The message that comes again is known.
    try new.run("poll", "checks", "--force").expect("checks: Nothing new\n")
  }

  @Test func nothingIsReplacedWithoutAFlagAndWhatWasThereCanBeBroughtBack() throws {
    let household = try household()
    let file = "\(household.home)/all"
    #expect(try household.run("backup", file).exit == .status(0))
    let again = try household.run("backup", file)
    #expect(again.exit == .status(1) && again.errors.contains("--force"))
    let before = try household.run("list").output
    #expect(try household.run("push", "After the backup").exit == .status(0))
    let later = try household.run("list").output
    let settings = try household.text(of: household.settingsFile) + "\nmouse = false\n"
    let refused = try household.run("restore", file)
    #expect(refused.exit == .status(1) && refused.errors.contains("--force"))
    #expect(try household.run("list").output == later)
    try household.write(
      household.settingsFile, "mouse = false\n" + settings.replacing("\nmouse = false\n", with: ""))
    chmod(household.settingsFile, 0o600)
    let ran = try household.run("restore", "--force", file)
    #expect(ran.exit == .status(0), "\(ran.errors)")
    #expect(try household.run("list").output == before)
    #expect(try !household.text(of: household.settingsFile).contains("mouse"))
    let saved = try #require(ran.output.firstMatch(of: #/before: (.+) \(reddot restore/#)).1
    #expect(try household.run("restore", "--force", String(saved)).exit == .status(0))
    #expect(try household.run("list").output == later)
    #expect(try household.text(of: household.settingsFile).hasPrefix("mouse = false"))
  }

  @Test func aBackupIsWrittenWhileTheInboxRunsWhichShowsWhatARestoreBringsBack() throws {
    let household = try household()
    let terminal = try household.inbox(columns: 100)
    try terminal.wait(forText: "News 3")
    let file = "\(household.home)/all"
    #expect(try household.run("backup", file).exit == .status(0))
    #expect(try household.run("push", "After the backup").exit == .status(0))
    try terminal.wait(forText: "After the backup")
    #expect(try household.run("restore", "--force", file).exit == .status(0))
    try terminal.wait(for: "the restored list") { !$0.screen.text.contains("After the backup") }
    try terminal.leave()
  }

  @Test func aDamagedDatabaseIsReplacedAndKept() throws {
    let household = try household()
    let file = "\(household.home)/all"
    let before = try household.run("list").output
    #expect(try household.run("backup", file).exit == .status(0))
    for suffix in ["-wal", "-shm"] { unlink(household.database + suffix) }
    try Data("this was a database once".utf8).write(to: URL(fileURLWithPath: household.database))
    #expect(try household.run("list").exit == .status(1))
    let ran = try household.run("restore", "--force", file)
    #expect(ran.exit == .status(0), "\(ran.errors)")
    #expect(try household.run("list").output == before)
    let folder = (household.database as NSString).deletingLastPathComponent
    let kept = try FileManager.default.contentsOfDirectory(atPath: folder).filter {
      $0.hasSuffix(".unreadable")
    }
    #expect(try household.text(of: "\(folder)/\(try #require(kept.first))") == "this was a database once")
  }

  private static let changes = [
    ("UPDATE sqlar SET name = 'home/../../evil' WHERE name LIKE 'home/bin/%'", "../../evil"),
    ("UPDATE sqlar SET name = 'home/../' || char(769) || 'evil' WHERE name LIKE 'home/bin/%'", "evil"),
    ("UPDATE sqlar SET name = '/etc/evil' WHERE name LIKE 'home/bin/%'", "/etc/evil"),
    ("UPDATE sqlar SET name = 'elsewhere' WHERE name LIKE 'home/bin/%'", "elsewhere"),
    (
      "UPDATE sqlar SET name = 'home/.local/share/reddot/reddot.sqlite' WHERE name LIKE 'home/bin/%'",
      "reddot.sqlite"
    ),
    ("UPDATE sqlar SET mode = 0xA1FF WHERE name LIKE 'home/bin/%'", "link"),
    ("UPDATE sqlar SET mode = 0x21B6 WHERE name LIKE 'home/bin/%'", "device"),
    ("UPDATE sqlar SET sz = 1 << 40 WHERE name LIKE 'home/bin/%'", "compressed"),
    ("UPDATE sqlar SET data = zeroblob(300 << 20) WHERE name LIKE 'home/bin/%'", "may hold"),
    ("UPDATE sqlar SET data = 'x = ', sz = 4 WHERE name = 'config.toml'", "config.toml in"),
    ("DROP TABLE sqlar; CREATE VIEW sqlar AS SELECT 1 AS name", "view"),
    ("PRAGMA application_id = 7", "reddot didn't write it"),
    ("PRAGMA user_version = 9999", "newer reddot"),
  ]

  @Test func aHostileBackupIsRefusedAndChangesNothing() throws {
    let old = try household()
    let file = "\(old.home)/all"
    #expect(try old.run("backup", file).exit == .status(0))
    for (index, (change, sentence)) in Self.changes.enumerated() {
      let changed = "\(old.home)/changed\(index)"
      try FileManager.default.copyItem(atPath: file, toPath: changed)
      try sqlite(changed, change)
      let new = try Household()
      let ran = try new.run("restore", changed)
      #expect(ran.exit == .status(1), "\(change)")
      #expect(ran.errors.contains(sentence), "\(change): \(ran.errors)")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: new.home).filter { !$0.hasPrefix(".standard") }
          == [], "\(change)")
    }
  }

  @Test func aBackupNeverReplacesWhatItIsMadeOf() throws {
    let household = try household()
    let before = try household.run("list").output
    for file in [household.database, household.settingsFile] {
      let ran = try household.run("backup", "--force", file)
      #expect(ran.exit == .status(1) && ran.errors.contains("give another name"), "\(ran.errors)")
    }
    #expect(try household.run("list").output == before)
    let ran = try household.run("backup", "/nowhere/at/all")
    #expect(
      ran.exit == .status(1) && ran.errors.hasPrefix("reddot: /nowhere/at/all cannot be"), "\(ran.errors)")
  }

  @Test func whatIsNoBackupIsNamed() throws {
    let household = try Household()
    let text = try household.write(
      "notes.txt", "a text, and no database, which is long enough to be looked at")
    for path in [text, "/dev/null", "\(household.home)/missing", household.home] {
      let ran = try household.run("restore", path)
      #expect(ran.exit == .status(1) && ran.errors.contains(path), "\(ran.errors)")
    }
  }
}
