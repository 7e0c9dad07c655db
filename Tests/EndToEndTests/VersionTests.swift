import Foundation
import TerminalHarness
import TestBasics
import Testing

/// The version is defined in one file, and all other files have the same.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct VersionTests {
  /// Returns the version that the program prints, for example "0.2.0".
  private static func version() throws -> String {
    let output = try Household().run("--version").output
    return String(try #require(output.firstMatch(of: #/^reddot (\d+\.\d+\.\d+), commit /#)).1)
  }

  @Test func itComesWithTheCommitAndTheLibraries() throws {
    let ran = try Household().run("--version")
    #expect(ran.exit == .status(0) && ran.errors.isEmpty)
    let lines =
      #/reddot [\d.]+, commit (unknown|[0-9a-f]{7,}(\+changes)?)\nSQLite 3\.[\d.]+\nlibcurl [78]\.\S+\nncurses \S+\n/#
    #expect(ran.output.wholeMatch(of: lines) != nil, "\(ran.output)")
  }

  @Test(
    .enabled(
      if: FileManager.default.fileExists(atPath: "/proc/self/exe"), "skipped: libraries by another name"))
  func withoutLibcurlItSaysWhatToInstall() throws {
    let household = try Household()
    // The loader finds this file first, and cannot read it.
    try household.write("libraries/libcurl.so.4", "")
    var environment = household.environment
    environment["LD_LIBRARY_PATH"] = "\(household.home)/libraries"
    let ran = try Running(BuiltProduct.path("reddot"), ["--version"], environment: environment).waitForEnd()
    #expect(ran.exit == .status(0))
    let lines = ran.output.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(
      lines.dropFirst(2).first?.hasPrefix("libcurl cannot be opened (Debian's package is libcurl4): ")
        == true,
      "\(ran.output)")
  }

  @Test func theChangelogBeginsWithIt() throws {
    let entry = try #require(
      try Project.text("Resources/CHANGELOG.md").firstMatch(of: #/(?m)^## (\S+), (\d{4}-\d\d-\d\d)$/#))
    #expect(try String(entry.1) == Self.version())
  }
}
