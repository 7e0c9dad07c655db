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

  // MARK: The first screen

  @Test func theInstallLineNamesTheTarFileOfThisVersion() throws {
    let version = try Household().run("--version").output.split(separator: " ")[1].prefix { $0 != "," }
    let name = "reddot-\(version)-x86_64"
    #expect(try Self.block("sh") == ["tar xzf \(name).tar.gz && \(name)/bin/reddot demo"])
  }

  @Test func thePictureIsAtTheTop() throws {
    let lines = try Project.text("README.md").components(separatedBy: "\n").prefix(10)
    for name in ["list-dark.svg", "list-light.svg"] {
      #expect(lines.contains { $0.contains("Resources/pictures/\(name)") })
    }
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
        // Servers of the network are on this machine; everything else is as it is written.
        let lines = try Self.block("sh", below: "## The first five minutes").map(Self.withoutComment)
        #expect(lines.last == "reddot")
        let script = lines.dropLast().map { line in
          line.replacing("https://www.swift.org/atom.xml", with: "file://\(feed)").replacing(
            "reddot add github --token-command \"gh auth token\"",
            with: "reddot add github --server \(GitHubStandIn.address(at: server.origin))"
              + " --token-command \"cat '\(household.home)/token'\"")
        }
        // Normally the program that synchronises the folder has created it.
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
        // The rule applies to messages after the first poll, which happened when the service was added.
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
    let page = try Project.text("Sources/Programs/reddot/Documentation.docc/Numbers.md")
    let facts = try Project.text("README.md").components(separatedBy: "\n").filter { $0.contains(" ms") }
    #expect(facts.count == 1)
    let numbers = facts.joined().matches(of: #/[0-9.]+ ms/#).map { String($0.0) }
    #expect(numbers.count == 2)
    for number in numbers { #expect(page.contains(number), "\(number)") }
  }
}
