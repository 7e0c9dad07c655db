import Foundation
import TerminalHarness
import Testing

/// Descriptors 0, 1 and 2 that the starting program has closed, or that cannot be written.
@Suite struct StandardDescriptorsTests {
  private let household: Household

  init() throws {
    household = try householdWithTwoSources()
    // The poll fails, so that there is a report.
    let broken = "[[source]]\nname = \"broken\"\nurl = \"\(household.home)/missing.xml\"\n"
    try household.write(household.settingsFile, try household.text(of: household.settingsFile) + broken)
  }

  private func shell(_ command: String) throws -> Ran {
    let running = try Running(
      "/bin/sh", ["-c", "reddot() { '\(BuiltProduct.path("reddot"))' \"$@\"; }; \(command)"],
      environment: household.environment, keeping: household)
    return try running.waitForEnd()
  }

  @Test func aCommandEndsAsUsual() throws {
    let commands: [(String, Int32)] = [
      ("sources >&-", 0), ("sources 0<&- >&-", 0), ("poll --force 2>&-", 1), ("poll --force >&- 2>&-", 1),
      ("poll --force <&- >&- 2>&-", 1), ("nonsense 2>&-", 64), ("--help <&- >&- 2>&-", 0),
      ("run 2>&- -- true", 0), ("poll --force 2>/dev/full", 1),
    ]
    for (command, status) in commands {
      #expect(try shell("reddot \(command)").exit == .status(status), "\(command)")
    }
  }

  @Test func tooFewOpenFilesAreSaid() throws {
    for command in ["poll --force", "status", "list"] {
      let ran = try shell("ulimit -n 16; reddot \(command)")
      #expect(ran.exit == .status(1), "\(command)")
      #expect(
        ran.errors == """
          reddot: only 16 files may be open at the same time here, and reddot needs 64; raise the limit, as with ulimit -n 256

          """, "\(command)")
    }
    // The soft limit alone is raised.
    #expect(try shell("ulimit -Sn 16; reddot list").exit == .status(0))
  }

  @Test func nothingIsWrittenIntoAFileThatGotTheNumber() throws {
    let before = try household.messages().count
    for command in [
      "list >&-", "why nobody 2>&-", "poll --force <&- >&- 2>&-", "sources --nonsense <&- >&- 2>&-",
    ] {
      _ = try shell("reddot \(command)")
      let database = try Data(contentsOf: URL(fileURLWithPath: household.database))
      #expect(database.starts(with: Data("SQLite format 3".utf8)), "\(command)")
    }
    #expect(try household.messages().count == before)

  }
}
