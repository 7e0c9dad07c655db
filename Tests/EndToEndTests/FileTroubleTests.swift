import Foundation
import TerminalHarness
import Testing

/// Invalid settings and databases: one clear line, exit code 1, nothing overwritten.
@Suite struct FileTroubleTests {
  @Test func aMistakeInTheSettingsNamesFileLineAndKey() throws {
    let household = try Household()
    let text = "[poll]\ngrase = 1\n"
    try household.write(household.settingsFile, text)
    for command in [["list"], ["poll"], ["add", "https://x.example/", "--force"]] {
      let ran = try household.run(command)
      #expect(ran.exit == .status(1))
      #expect(ran.output == "")
      #expect(
        ran.errors.hasPrefix(
          "reddot: \(household.settingsFile):2: grase: is not a setting here; did you mean grace? known are connect_timeout, "
        ))
      #expect(ran.errors.filter { $0 == "\n" }.count == 1)
    }
    #expect(try household.text(of: household.settingsFile) == text)
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
    // user_version is at byte 60 of the header (SQLite's file format, section 1.3).
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

  /// Root may write everywhere. For root, the commands run as the user `nobody`.
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
    // The permissions are for the owner; without this, the user `nobody` would already fail at the locks.
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
    // A program that is named by its path exists, but cannot be reached.
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
