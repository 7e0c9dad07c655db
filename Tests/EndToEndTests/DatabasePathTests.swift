import Foundation
import TerminalHarness
import Testing

/// A path of a database is a file, whatever it looks like, and one file has one set of locks.
@Suite struct DatabasePathTests {
  private let household: Household

  init() throws { household = try Household() }

  /// Runs the program in the household's folder.
  private func run(_ arguments: String...) throws -> Ran {
    try Running(
      "/usr/bin/env", ["-C", household.home, BuiltProduct.path("reddot")] + arguments,
      environment: household.environment, input: "/dev/null", keeping: household
    ).waitForEnd()
  }

  private func push(_ title: String, into name: String) throws {
    let ran = try run("push", title, "--database", name)
    #expect(ran.exit == .status(0), "\(ran.errors)")
  }

  private func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: "\(household.home)/\(name)")
  }

  @Test(arguments: ["a", "sub/b", "file:x.db", "file:///y.db?vfs=unix-none", "./c", "d/", "ümlaut"])
  func aNameIsAFileInTheFolder(_ name: String) throws {
    try push("One", into: name)
    let file = name.hasSuffix("/") ? String(name.dropLast()) : name
    #expect(exists(file))
    #expect(exists("\(file).locks"))
    let listed = try run("list", "--json", "--database", name)
    #expect(listed.output.contains("\"One\""), "\(listed.output)\(listed.errors)")
    #expect(try run("check", "--database", name).output.contains("everything agrees"))
  }

  @Test func aLinkHasTheLocksOfItsFile() throws {
    try push("One", into: "real/inbox.db")
    for (link, target) in [("link.db", "real/inbox.db"), ("folder", "real")] {
      try FileManager.default.createSymbolicLink(
        atPath: "\(household.home)/\(link)", withDestinationPath: target)
    }
    for name in ["link.db", "folder/inbox.db"] {
      try push("Two", into: name)
      #expect(!exists("link.db.locks"))
    }
    #expect(exists("real/inbox.db.locks"))
    // A link to a file that isn't there yet.
    try FileManager.default.createSymbolicLink(
      atPath: "\(household.home)/later.db", withDestinationPath: "real/later.db")
    try push("One", into: "later.db")
    #expect(exists("real/later.db.locks") && !exists("later.db.locks"))
  }

  @Test(arguments: ["a", "file:x.db", "file:y.db?mode=memory", "z.db?vfs=none"])
  func aFileOfABackupIsOneInTheFolder(_ name: String) throws {
    try push("One", into: "inbox.db")
    let written = try run("backup", name, "--database", "inbox.db")
    #expect(written.exit == .status(0), "\(written.errors)")
    #expect(exists(name) && !exists("\(name).unfinished"))
    let restored = try run("restore", name, "--yes", "--database", "new.db")
    #expect(restored.exit == .status(0), "\(restored.errors)")
    #expect(try run("list", "--database", "new.db").output.contains("One"))
    let saved = try run("check", "--salvage", "\(name)-saved", "--database", "inbox.db")
    #expect(saved.exit == .status(0), "\(saved.errors)")
    #expect(try run("list", "--database", "\(name)-saved").output.contains("One"))
  }
}
