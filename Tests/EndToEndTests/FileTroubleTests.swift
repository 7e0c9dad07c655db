import Foundation
import TerminalHarness
import Testing

/// Invalid settings and databases: one clear line, exit code 1, nothing overwritten.
@Suite struct FileTroubleTests {
  static let mistakes: [(text: String, said: String)] = [
    ("mouse = 3\n", "1: mouse: must be true or false"),
    ("\n\n[poll]\ninterval = \"soon\"\n", "4: interval: must be a time such as"),
    (
      "[poll]\ngrase = 1\n",
      "2: grase: is not a setting here; did you mean grace? known are connect_timeout, grace, "
    ),
    ("[[source]]\nurl = \"https://x.example/\"\n", "1: source[0]: a source needs a name"),
    ("[[source]]\nname = \"a\"\n", "1: source[0]: source \"a\" needs a url"),
    (
      "[[source]]\nname = \"a\"\nurl = \"gopher://x\"\n",
      "3: url: must be an http, https, http+unix or file address"
    ),
    (
      "[[source]]\nname = \"a\"\nurl = \"/a\"\n# two\n[[source]]\nname = \"a\"\nurl = \"/b\"\n",
      "6: name: \"a\" is already the name of the source on line 1"
    ),
    ("[[source]]\nname = \"a\"\nurl = \"/a\"\nkind = \"rss\"\n", "4: kind: must be one of \"feed\", "),
    ("mouse = true\nmouse = [\n", "is not TOML"),
  ]

  @Test(arguments: mistakes)
  func aMistakeInTheSettingsNamesFileLineAndKey(_ text: String, said: String) throws {
    let household = try Household()
    try household.write(household.settingsFile, text)
    for command in [["list"], ["poll"], ["add", "https://x.example/", "--force"]] {
      let ran = try household.run(command)
      #expect(ran.exit == .status(1))
      #expect(ran.output == "")
      #expect(ran.errors.hasPrefix("reddot: \(household.settingsFile):"))
      #expect(ran.errors.contains(said))
      #expect(ran.errors.filter { $0 == "\n" }.count == 1)
    }
    #expect(try household.text(of: household.settingsFile) == text)
  }

  @Test func aTokenInAFileThatOthersReadIsRefused() throws {
    let household = try Household()
    try household.settings(sources: [(name: "a", url: "https://a.example/", more: "token = \"s3cret-value\"")]
    )
    chmod(household.settingsFile, 0o644)
    let ran = try household.run("sources")
    #expect(ran.exit == .status(1))
    #expect(ran.errors.contains("config.toml:5: token: others can read this file"))
    #expect(!ran.errors.contains("s3cret"))
    chmod(household.settingsFile, 0o600)
    try household.run("sources").expect("  a  0/0  feed\n")
  }

  private func expectUntouched(
    _ household: Household, _ bytes: Data, says words: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for command in [["list"], ["poll"], ["push", "x"], ["mark", "--read", "--all"], ["status"]] {
      let ran = try household.run(command)
      #expect(ran.exit == .status(1), sourceLocation: sourceLocation)
      #expect(ran.output == "", sourceLocation: sourceLocation)
      #expect(ran.errors.filter { $0 == "\n" }.count == 1, sourceLocation: sourceLocation)
      for word in [household.database] + words {
        #expect(ran.errors.contains(word), sourceLocation: sourceLocation)
      }
    }
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: household.database)) == bytes, sourceLocation: sourceLocation)
    let inbox = try household.inbox()
    #expect(try inbox.waitForExit() == .status(1), sourceLocation: sourceLocation)
    #expect(inbox.screen.text.contains("reddot: /"), sourceLocation: sourceLocation)
    #expect(!inbox.screen.isAlternate, sourceLocation: sourceLocation)
  }

  @Test func otherFilesThanDatabasesAreUnchanged() throws {
    let household = try Household()
    let bytes = Data("My only copy of a novel.\n".utf8)
    try household.write(household.database, bytes)
    try expectUntouched(household, bytes, says: "is damaged: this is not an SQLite database")
  }

  /// The database of a first start, with its log written to it.
  private func filled() throws -> (Household, Data) {
    let household = try householdWithTwoSources()
    for suffix in ["-wal", "-shm"] { unlink(household.database + suffix) }
    return (household, try Data(contentsOf: URL(fileURLWithPath: household.database)))
  }

  @Test func aNewerDatabaseAsksForAnUpdate() throws {
    var (household, bytes) = try filled()
    // user_version stands at byte 60 of the header (SQLite's file format, section 1.3).
    bytes.replaceSubrange(60..<64, with: [0, 0, 0x27, 0x0F])
    try household.write(household.database, bytes)
    try expectUntouched(household, bytes, says: "was written by a newer reddot (its schema is 9999")
  }

  @Test func anotherProgramsDatabaseIsLeftAlone() throws {
    var (household, bytes) = try filled()
    // So does application_id at byte 68.
    bytes.replaceSubrange(68..<72, with: [1, 2, 3, 4])
    try household.write(household.database, bytes)
    try expectUntouched(household, bytes, says: "is the database of another program")
  }

  @Test func aDamagedDatabaseIsLeftAlone() throws {
    var (household, bytes) = try filled()
    for index in bytes.indices.dropFirst(100) { bytes[index] = UInt8(truncatingIfNeeded: index &* 31) }
    try household.write(household.database, bytes)
    try expectUntouched(household, bytes, says: "is damaged: ")
  }

  /// Root may write everywhere: there the commands run as nobody.
  @Test(.enabled("needs a way to be somebody else than root") { geteuid() != 0 || Nobody.isAvailable })
  func aDirectoryThatCannotBeWrittenIsNamed() throws {
    let household = try householdWithTwoSources()
    let before = try Data(contentsOf: URL(fileURLWithPath: household.database))
    let directory = (household.database as NSString).deletingLastPathComponent
    chmod(household.home, 0o755)
    for folder in [".config", ".local", ".config/reddot", ".local/share"] {
      chmod("\(household.home)/\(folder)", 0o755)
    }
    chmod(household.settingsFile, 0o644)
    // As their owner may: else nobody would fail at the locks already.
    let locks = household.database + ".locks"
    chmod(locks, 0o777)
    for lock in try FileManager.default.contentsOfDirectory(atPath: locks) {
      chmod("\(locks)/\(lock)", 0o666)
    }
    chmod(directory, 0o555)
    chmod(household.database, 0o444)
    defer { chmod(directory, 0o755) }
    for command in [["push", "x"], ["poll", "--force"], ["mark", "--read", "--all"]] {
      let ran = try Nobody.run(household, command)
      #expect(ran.exit == .status(1))
      #expect(ran.output == "")
      #expect(ran.errors.hasPrefix("reddot: \(directory)"))
      #expect(ran.errors.contains("cannot be written: Permission denied"))
      #expect(ran.errors.filter { $0 == "\n" }.count == 1)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: household.database)) == before)
  }

  /// An administrator's folder is often in PATH.
  @Test(.enabled("needs a way to be somebody else than root") { geteuid() != 0 || Nobody.isAvailable })
  func aProgramIsNotInstalledWhereAFolderOfPATHMayNotBeRead() throws {
    let household = try Household()
    chmod(household.home, 0o755)
    let shut = "\(household.home)/shut"
    try household.write("\(shut)/there", "#!/bin/sh\n")
    chmod(shut, 0)
    defer { chmod(shut, 0o700) }
    func complaint(_ program: String) throws -> String {
      try Nobody.run(
        household, ["inspect", "--kind", "command", "--", program], path: "\(shut):/usr/bin:/bin"
      ).errors
    }
    #expect(try complaint("no-such-program").contains("cannot be started: no-such-program is not installed"))
    // By its path it may be there.
    #expect(try complaint("\(shut)/there").contains("cannot be started: \(shut)/there: Permission denied"))
  }

  @Test func aDirectoryThatIsAFileIsNamed() throws {
    let household = try Household()
    let file = try household.write("file", "x")
    let ran = try household.run("list", "--database", "\(file)/reddot.sqlite")
    #expect(ran.exit == .status(1))
    #expect(ran.errors.contains(file))
    #expect(ran.errors.filter { $0 == "\n" }.count == 1)
    #expect(try household.text(of: file) == "x")
  }
}
