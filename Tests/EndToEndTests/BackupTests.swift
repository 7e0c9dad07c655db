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
    let restored = try new.run("restore", "--yes", "--with-files", file)
    #expect(restored.exit == .status(0), "\(restored.errors)")
    #expect(try new.text(of: new.settingsFile) == old.text(of: old.settingsFile))
    #expect(try mode(new.settingsFile) == 0o600)
    #expect(try new.text(of: "\(new.home)/bin/checks") == "#!/bin/sh\necho checked\n")
    #expect(try mode("\(new.home)/bin/checks") == 0o700)
    #expect(try new.run("list").output == old.run("list").output)
    #expect(try new.run("list", "--starred").output == old.run("list", "--starred").output)
    #expect(try new.run("remind", "--list").output.contains("Tea"))
    #expect(try new.run("check").output.hasSuffix("everything agrees\n"))
    // The message that the source lists again is recognised.
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
    let ran = try household.run("restore", "--yes", "--force", file)
    #expect(ran.exit == .status(0), "\(ran.errors)")
    #expect(try household.run("list").output == before)
    #expect(try !household.text(of: household.settingsFile).contains("mouse"))
    let saved = try #require(ran.output.firstMatch(of: #/state is in (.+);/#)).1
    #expect(try household.run("restore", "--yes", "--force", String(saved)).exit == .status(0))
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
    #expect(try household.run("restore", "--yes", "--force", file).exit == .status(0))
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
    let ran = try household.run("restore", "--yes", "--force", file)
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
    ("UPDATE sqlar SET data = zeroblob(300 << 20) WHERE name LIKE 'home/bin/%'", "may contain"),
    ("UPDATE sqlar SET data = 'x = ', sz = 4 WHERE name = 'config.toml'", "config.toml in"),
    (
      "UPDATE sqlar SET name = 'home/.local/share/reddot/reddot.sqlite-wal' WHERE name LIKE 'home/bin/%'",
      "-wal"
    ),
    (
      "CREATE TABLE other AS SELECT * FROM sqlar; DROP TABLE sqlar; ALTER TABLE other RENAME TO sqlar; "
        + "INSERT INTO sqlar SELECT * FROM sqlar WHERE name LIKE 'home/bin/%'", "two files"
    ),
    (
      "UPDATE sqlar SET data = 'x = ', sz = 4 WHERE name = 'reminders.json'; "
        + "UPDATE sqlar SET name = 'sources.toml' WHERE name = 'reminders.json'", "sources.toml in"
    ),
    ("DROP TABLE sqlar; CREATE VIEW sqlar AS SELECT 1 AS name", "the view \"sqlar\""),
    ("CREATE TRIGGER gone AFTER INSERT ON message BEGIN DELETE FROM message; END", "the trigger \"gone\""),
    (
      "DROP TRIGGER status_goes; CREATE TRIGGER status_goes AFTER DELETE ON status BEGIN DELETE FROM message; END",
      "the trigger \"status_goes\""
    ),
    ("CREATE VIRTUAL TABLE words USING fts5(word)", "the virtual table \"words\""),
    (
      "DROP TABLE search_terms; CREATE VIRTUAL TABLE search_terms USING fts5vocab(search, row)",
      "the virtual table \"search_terms\""
    ),
    ("DROP TABLE journal", "\"journal\" is missing"),
    ("PRAGMA application_id = 7", "reddot did not write it"),
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
      let ran = try new.run("restore", "--yes", "--with-files", changed)
      #expect(ran.exit == .status(1), "\(change)")
      #expect(ran.errors.contains(sentence), "\(change): \(ran.errors)")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: new.home).filter { !$0.hasPrefix(".standard") }
          == [], "\(change)")
    }
  }

  private static let rows = [
    ("ALTER TABLE detail RENAME COLUMN body TO text", "the column \"body\""),
    (
      "ALTER TABLE message DROP COLUMN title; ALTER TABLE message ADD COLUMN title TEXT AS (kind || 'x') VIRTUAL",
      "the column \"title\""
    ),
    ("UPDATE store SET last_message = 9223372036854775807", "last_message"),
    ("UPDATE message SET id = 9223372036854775807 WHERE id = 1", "id in the table \"message\""),
    ("UPDATE sqlite_sequence SET seq = 9223372036854775807 WHERE name = 'journal'", "\"journal\""),
    ("PRAGMA foreign_keys = OFF; INSERT INTO polling (source_id) VALUES (77)", "\"polling\""),
    ("DELETE FROM store", "\"store\""),
    // This change is allowed, as a control.
    ("UPDATE store SET last_message = 90000", ""),
  ]

  @Test func rowsThatReddotNeverWritesAreRefusedBeforeAnythingIsReplaced() throws {
    let old = try household()
    let file = "\(old.home)/all"
    #expect(try old.run("backup", file).exit == .status(0))
    for (index, (change, sentence)) in Self.rows.enumerated() {
      let changed = "\(old.home)/changed\(index)"
      try FileManager.default.copyItem(atPath: file, toPath: changed)
      try sqlite(changed, change)
      let new = try Household()
      #expect(try new.run("push", "Mine").exit == .status(0))
      let before = try new.run("list").output
      let ran = try new.run("restore", "--yes", "--force", changed)
      if sentence.isEmpty {
        #expect(ran.exit == .status(0), "\(change): \(ran.errors)")
        continue
      }
      #expect(ran.exit == .status(1), "\(change)")
      #expect(
        ran.errors.contains(sentence) && ran.errors.contains("nothing was changed"),
        "\(change): \(ran.errors)")
      #expect(try new.run("list").output == before, "\(change)")
      let folder = (new.database as NSString).deletingLastPathComponent
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder).allSatisfy {
          !$0.contains("restor")
        }, "\(change)")
    }
  }

  /// Returns a backup whose settings name files that an attacker wants to be written.
  private func hostile() throws -> (household: Household, file: String) {
    let old = try Household()
    try old.write(
      old.settingsFile,
      """
      [[source]]
      name = "checks"
      kind = "command"
      command = ["~/bin/ls", "~/.bashrc", "~/folder/inside", "../../deep/er/text", "/etc/evil"]
      format = "lines"
      """)
    chmod(old.settingsFile, 0o644)
    #expect(try old.run("push", "Hello").exit == .status(0))
    let file = "\(old.home)/all"
    #expect(try old.run("backup", file).exit == .status(0))
    for (name, mode) in [
      (".bashrc", "0x81A4"), (".ssh/authorized_keys", "0x81A4"), ("bin/ls", "0x81FF"),
      ("folder/inside", "0x8924"),
      ("deep/er/text", "0x81B6"),
    ] {
      try sqlite(file, "INSERT INTO sqlar VALUES ('home/\(name)', \(mode), 0, 5, CAST('evil!' AS BLOB))")
    }
    return (old, file)
  }

  @Test func otherFilesAreOnlyThoseThatTheSettingsNameWhereNothingIsYet() throws {
    let (old, file) = try hostile()
    defer { withExtendedLifetime(old) {} }
    let outside = try Household()
    let new = try Household()
    try new.write(".bashrc", "mine")
    try FileManager.default.createSymbolicLink(
      atPath: "\(new.home)/folder", withDestinationPath: outside.home)
    let ran = try new.run("restore", "--yes", "--with-files", file)
    #expect(ran.exit == .status(0), "\(ran.errors)")
    for line in [
      "\(new.database): new", "\(new.settingsFile): new", "\(new.home)/.bashrc: left: it exists",
      "\(new.home)/.ssh/authorized_keys: left: the settings in the backup do not name it",
      "\(new.home)/folder/inside: left: through a link, \(new.home)/folder", "\(new.home)/bin/ls: new",
      "\(new.home)/deep/er/text: new",
    ] { #expect(ran.output.contains(line + "\n"), "\(line): \(ran.output)") }
    #expect(try new.text(of: "\(new.home)/.bashrc") == "mine")
    #expect(!FileManager.default.fileExists(atPath: "\(new.home)/.ssh"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: outside.home) == [])
    #expect(try mode("\(new.home)/bin/ls") == 0o700)
    #expect(try mode("\(new.home)/deep/er/text") == 0o600)
    #expect(try mode("\(new.home)/deep/er") == 0o700)
    #expect(try mode(new.settingsFile) == 0o600)
  }

  /// A named file is written if nothing is in its way.
  @Test func aNamedFileIsWrittenWhereNothingIsInItsWay() throws {
    let (old, file) = try hostile()
    defer { withExtendedLifetime(old) {} }
    let new = try Household()
    let without = try new.run("restore", "--yes", file)
    #expect(without.exit == .status(0))
    #expect(without.output.contains("\(new.home)/.bashrc: left: it needs --with-files\n"))
    #expect(!FileManager.default.fileExists(atPath: "\(new.home)/.bashrc"))
    let ran = try new.run("restore", "--yes", "--force", "--with-files", file)
    #expect(ran.exit == .status(0), "\(ran.errors)")
    #expect(try new.text(of: "\(new.home)/.bashrc") == "evil!")
    #expect(try new.text(of: "\(new.home)/folder/inside") == "evil!")
    #expect(try mode("\(new.home)/.bashrc") == 0o600 && mode("\(new.home)/folder/inside") == 0o600)
  }

  @Test func nothingIsChangedBeforeItIsConfirmed() throws {
    let (old, file) = try hostile()
    defer { withExtendedLifetime(old) {} }
    let new = try Household()
    let listed = try new.run("restore", file)
    #expect(listed.exit == .status(64) && listed.errors.contains("--yes"), "\(listed.errors)")
    #expect(listed.output.contains("\(new.settingsFile): new\n"))
    for (answer, code) in [("\r", Int32(1)), ("n\r", 1), ("y\r", 0)] {
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: new.home).filter { !$0.hasPrefix(".standard") }
          == [])
      let terminal = try new.inbox(columns: 150, arguments: ["restore", file])
      try terminal.wait(forText: "Restore? [y/N]")
      #expect(terminal.screen.text.contains("config.toml: new"))
      terminal.send(answer)
      #expect(try terminal.waitForExit() == .status(code), "\(answer)")
    }
    #expect(try new.run("list").output.contains("Hello"))
  }

  @Test func aMachineWithSettingsAndNoMessagesGetsThoseOfABackup() throws {
    let old = try household()
    let file = "\(old.home)/all"
    #expect(try old.run("backup", file).exit == .status(0))
    let new = try Household()
    try new.write(new.settingsFile, "mouse = false\n")
    let ran = try new.run("restore", "--yes", "--force", file)
    #expect(ran.exit == .status(0), "\(ran.errors)")
    #expect(try new.run("list").output == old.run("list").output)
    #expect(try new.text(of: new.settingsFile) == old.text(of: old.settingsFile))
    let saved = try #require(ran.output.firstMatch(of: #/state is in (.+);/#)).1
    #expect(try new.run("restore", "--yes", "--force", String(saved)).exit == .status(0))
    #expect(try new.text(of: new.settingsFile) == "mouse = false\n")
  }

  @Test func whatAppearsBeforeTheAnswerIsNotReplaced() throws {
    let (old, file) = try hostile()
    defer { withExtendedLifetime(old) {} }
    let new = try Household()
    let terminal = try new.inbox(columns: 150, arguments: ["restore", file])
    try terminal.wait(forText: "Restore? [y/N]")
    #expect(try new.run("push", "Mine").exit == .status(0))
    terminal.send("y\r")
    #expect(try terminal.waitForExit() == .status(1))
    #expect(terminal.screen.text.contains("meanwhile"))
    #expect(try new.run("list").output.contains("Mine"))
    #expect(!FileManager.default.fileExists(atPath: new.settingsFile))
  }

  @Test func settingsThatAreALinkStayOne() throws {
    let old = try household()
    let file = "\(old.home)/all"
    #expect(try old.run("backup", file).exit == .status(0))
    let new = try Household()
    let settings = try new.write("dotfiles/reddot.toml", "mouse = false\n")
    try new.write(".config/reddot/other", "")
    try FileManager.default.createSymbolicLink(atPath: new.settingsFile, withDestinationPath: settings)
    #expect(try new.run("restore", "--yes", "--force", file).exit == .status(0))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: new.settingsFile) == settings)
    #expect(try new.text(of: settings) == old.text(of: old.settingsFile))
    #expect(try mode(settings) == 0o600)
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
