import Basics
import Foundation
import StandIns
import TerminalHarness
import TestBasics
import Testing

/// The README: its screen, its commands, its numbers.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct ReadmeTests {
  /// The lines of the fenced block of a language below a heading; the first block of all without a heading.
  private static func block(_ language: String, below heading: String = "# reddot") throws -> [String] {
    let readme = try Project.text("README.md")
    let section = try #require(readme.components(separatedBy: "\(heading)\n").dropFirst().first)
    let block = try #require(section.components(separatedBy: "\n```\(language)\n").dropFirst().first)
    return block.components(separatedBy: "\n```\n")[0].components(separatedBy: "\n")
  }

  private static func withoutComment(_ line: String) -> String {
    String(line.replacing(#/ +# .*$/#, with: ""))
  }

  @Test func itIsShort() throws {
    #expect(
      try Project.text("README.md").split(separator: "\n", omittingEmptySubsequences: false).count <= 151)
  }

  // MARK: The screen

  /// Times and dates are those of the day.
  private static func withoutTimes(_ line: String) -> String {
    let day = #/[A-Z][a-z]+day \d+ [A-Z][a-z]+ \d{4}, /#
    return line.replacing(#/\d\d:\d\d(:\d\d)?/#, with: "00:00").replacing(day, with: "DAY ")
      .trimmingCharacters(in: .whitespaces)
  }

  @Test func theScreenIsWhatTheProgramShows() throws {
    let household = try Household()
    // At noon, so that all times are of one day.
    let hour = Calendar(identifier: .gregorian).dateComponents(in: .gmt, from: Date()).hour ?? 0
    let zone = "Etc/GMT" + (hour > 12 ? "+\(hour - 12)" : hour == 12 ? "" : "-\(12 - hour)")
    let now = Date()
    let board = """
      {"title": "Team board", "list": [
        {"id": 2, "title": "Release 4.2 is out", "time": "\(now.addingTimeInterval(-1500).ISO8601Format())"},
        {"id": 1, "title": "Lunch is at one today", "time": "\(now.addingTimeInterval(-7800).ISO8601Format())"}]}
      """
    let blog = """
      {"version": "https://jsonfeed.org/version/1.1", "title": "Kernel weekly", "items": [
        {"id": "2", "title": "What is new in 6.19", "url": "https://kernel.example/6.19",
         "date_published": "\(now.addingTimeInterval(-2400).ISO8601Format())",
         "content_html": "<p>The merge window is over. Three changes that you may notice:</p><ul><li>Swap is compressed with zstd.</li><li>A laptop that sleeps no longer wakes up for the network.</li><li>io_uring has a limit for each user, set by <a href='https://kernel.example/limits'>one number</a>.</li></ul><p>The release is planned for January.</p>"},
        {"id": "1", "title": "A scheduler for small machines", "date_published": "\(now.addingTimeInterval(-10_200).ISO8601Format())"}]}
      """
    try household.settings(
      "[poll]\ninitial_delay = \"2h\"",
      sources: [
        ("kernel", "file://\(try household.write("blog.json", blog))", ""),
        ("team", "file://\(try household.write("board.json", board))", "kind = \"native\""),
      ])
    let environment = ["TZ": zone]
    #expect(try household.run("poll", "--all", environment: environment).exit == .status(0))
    let made = try household.run(
      "run", "--title", "make test", "--", "sh", "-c", "echo '2 of 1,200 tests failed'; exit 1",
      environment: environment)
    #expect(made.exit == .status(1))
    #expect(
      try household.run("push", "Backup finished", "--body", "41 GB", environment: environment).exit
        == .status(0))
    let terminal = try household.inbox(columns: 104, rows: 18, environment: environment)
    try terminal.wait(forText: "What is new in 6.19")
    terminal.send("jjj\r")
    try terminal.wait(for: "the message, read") {
      $0.screen.text.contains("planned for January") && $0.screen.text.contains("5 unread")
    }
    let lines = terminal.screen.lines
    let screen = lines.map(Self.withoutTimes)
    try terminal.leaveFromAnywhere()
    let shown = try Self.block("").map(Self.withoutTimes)
    #expect(
      shown == screen, "the README's first screen is:\n\(lines.joined(separator: "\n"))")
  }

  // MARK: The commands

  @Test func theTwoCommandsAreThoseOfTheGate() throws {
    let lines = try Self.block("sh", below: "## Two commands")
    #expect(
      lines == [
        "Resources/install-packages && swift run reddot demo",
        "Resources/install-packages && Resources/run-tests",
      ])
    #expect(try Project.text(".ci/run").split(separator: "\n").contains(lines[1][...]))
  }

  @Test func theFirstFiveMinutesWork() async throws {
    let household = try Household()
    let hub = GitHubStandIn(StandInConditions(clock: { Date() }))
    hub.arrive()
    let feed = try household.write("atom.xml", rss("Swift", [item(1, "First"), item(2, "Second")]))
    try household.write("token", hub.conditions.token + "\n")
    try await StandInServer.with(hub) { server in
      try await onThread { () throws in
        // What is in the network is on this machine, all else is as it is written.
        let lines = try Self.block("sh", below: "## The first five minutes").map(Self.withoutComment)
        #expect(lines.last == "reddot")
        let script = lines.dropLast().map { line in
          line.replacing("https://www.swift.org/atom.xml", with: "file://\(feed)").replacing(
            "reddot add github --token-command \"gh auth token\"",
            with: "reddot add github --server \(GitHubStandIn.address(at: server.origin))"
              + " --token-command \"cat '\(household.home)/token'\"")
        }
        // As what carries the folder has made it.
        try FileManager.default.createDirectory(
          atPath: household.home + "/Sync", withIntermediateDirectories: true)
        let folder = URL(fileURLWithPath: BuiltProduct.path("reddot")).deletingLastPathComponent().path
        let ran = try Running(
          "/bin/sh", ["-euc", script.joined(separator: "\n")],
          environment: household.environment.merging(["PATH": "\(folder):/usr/bin:/bin"]) { $1 },
          input: "/dev/null", keeping: household
        ).waitForEnd()
        #expect(ran.exit == .status(0) && ran.errors.isEmpty, "\(ran.errors)\n\(ran.output)")
        #expect(ran.output.contains("Backup finished") && ran.output.contains("First"), "\(ran.output)")
        // The service, and the rule.
        #expect(try household.text(of: household.settingsFile).contains("kind = \"github\""))
        let rule = try Self.block("toml", below: "## The first five minutes").joined(separator: "\n")
        let settings = try household.text(of: household.settingsFile)
        try household.write(household.settingsFile, settings + "\n\(rule)\n")
        let rules = try household.run("rules", "list")
        #expect(rules.exit == .status(0) && rules.output.contains("only reviews"), "\(rules.errors)")
        // The rule judges what arrives after the first poll, which was made when the service was added.
        hub.arrive()
        #expect(try household.run("poll", "--force").exit == .status(0))
        #expect(try household.messages("--hidden").count == 1)
        let terminal = try household.inbox(columns: 110)
        try terminal.wait(forText: "Backup finished")
        try terminal.leave()
      }
    }
  }

  // MARK: The numbers

  @Test func theNumbersAreThoseOfTheirPage() throws {
    let page = try Project.text("Sources/Programs/reddot/Documentation.docc/Numbers.md").components(
      separatedBy: "\n")
    let rows = try Project.text("README.md").components(separatedBy: "\n").filter { $0.hasPrefix("| ") }
    #expect(rows.count == 7)
    for row in rows { #expect(page.contains(row), "\(row)") }
  }
}
