import Foundation
import TerminalHarness
import TestBasics
import Testing

/// The list of commands in the help, and the earlier names of renamed commands.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct CommandGroupsTests {
  private static let groups: [(String, [String])] = [
    ("EVERY DAY", ["inbox", "add", "list", "search", "show", "mark", "snooze", "undo"]),
    ("NOTIFICATIONS", ["notify", "quiet", "remind", "push", "ask", "next", "run", "hooks", "catch"]),
    (
      "UPKEEP",
      ["config", "rename", "remove", "import", "export", "backup", "restore", "check", "prune", "sync"]
    ),
    ("LOOK", ["status", "sources", "why", "agenda", "poll", "rules", "inspect", "demo"]),
    ("FOR PUBLISHERS", ["publisher"]),
  ]

  @Test func theHelpListsEveryCommandOnceInItsGroup() throws {
    let help = try Household().run("--help")
    #expect(help.exit == .status(0) && help.errors.isEmpty)
    let lines = help.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for (title, names) in Self.groups {
      let start = try #require(lines.firstIndex(of: "\(title):"), "\(title)")
      let listed = lines[(start + 1)...].prefix { $0.hasPrefix("  ") }
        .compactMap { $0.firstMatch(of: #/^  ([a-z-]+) /#).map { String($0.1) } }
      #expect(listed == names, "\(title)")
    }
    for name in Self.groups.flatMap(\.1) {
      #expect(lines.count { $0.hasPrefix("  \(name) ") } == 1, "\(name)")
    }
    #expect(!help.output.contains("SUBCOMMANDS"))
    #expect(help.output.hasSuffix("  See 'reddot help <subcommand>' for detailed help.\n"))
    #expect(lines.allSatisfy { $0.count <= 80 })
  }

  @Test func whatOnlyPublishersNeedIsOneCommand() throws {
    let household = try Household()
    let help = try household.run("publisher", "--help").output
    for name in ["feed", "schedule", "banner", "apns", "features"] {
      #expect(help.contains("\n  \(name) "), "\(name)")
    }
    let root = try household.run("--help").output
    for name in ["schedule", "banner", "apns", "features"] { #expect(!root.contains("\n  \(name)")) }
  }

  @Test(arguments: [
    ["features"], ["features", "--json"], ["banner", "explain", "control.json"],
    ["banner", "explain", "control.json", "--json"], ["banner", "explain", "none.json"], ["banner", "reset"],
    ["schedule", "preview", "s.json", "--from", "2026-11-20T00:00:00Z"], ["schedule", "check", "s.json"],
    ["schedule", "check", "none.json"], ["apns", "make", "--alert", "Hello"], ["apns", "show", "p.json"],
    ["apns", "make", "--badge", "x"], ["banner", "--help"], ["apns", "show", "--help"], ["schedule"],
  ]) func anEarlierNameRunsTheSame(_ command: [String]) throws {
    let household = try householdWithTwoSources()
    try household.write(
      "control.json", #"{"b": {"entry": "v", "views": {"v": {"file": "https://a.example/v"}}}}"#)
    try household.write("s.json", #"[{"time": "19:30", "day": "Tuesday", "repeat": 7, "title": "T"}]"#)
    try household.write("p.json", #"{"aps": {"alert": "Hello"}}"#)
    func ran(_ words: [String]) throws -> Ran {
      try Running(
        "/bin/sh", ["-c", "cd; exec \"$0\" \"$@\"", BuiltProduct.path("reddot")] + words,
        environment: household.environment, keeping: household
      ).waitForEnd()
    }
    let earlier = try ran(command)
    #expect(try earlier == ran(["publisher"] + command))
    // There are no features here.
    #expect(command[0] == "features" || !earlier.output.isEmpty || !earlier.errors.isEmpty)
  }

  @Test func optionsForTheFilesMayStandInFrontOfAnEarlierName() throws {
    let household = try householdWithTwoSources()
    let files = ["--database", household.database]
    #expect(try household.run(files + ["features", "--json"]).exit == .status(0))
    #expect(try household.run(["features"] + files).exit == .status(0))
  }

  @Test func aMisspelledNameBelowAnEarlierOneIsAnsweredWithTheNearest() throws {
    let ran = try Household().run("banner", "explian", "x")
    #expect(ran.exit == .status(64) && ran.output.isEmpty)
    #expect(
      ran.errors.contains(
        "\"explian\" is not a command; did you mean \"explain\"? reddot publisher banner --help lists them"))
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func aShellCompletesThePresentNames(_ shell: String) throws {
    let script = try Household().run("--generate-completion-script", shell).output
    for name in ["publisher", "search", "config", "feed", "explain"] {
      #expect(script.contains(name), "\(name)")
    }
    // Hidden options are not completed.
    #expect(!script.contains("--query") && !script.contains("'query'") && script.contains("limit"))
  }

  @Test func aFeedWithProblemsFailsItsCheck() throws {
    let household = try Household()
    let good = try household.write(
      "good.json", #"{"list": [{"id": 2, "title": "A"}, {"id": 1, "title": "B"}]}"#)
    let bad = try household.write(
      "bad.json", #"{"list": [{"id": 2, "title": "A"}, {"id": {}}, {"id": 1, "title": "B"}]}"#)
    let ran = try household.run("publisher", "feed", good)
    #expect(ran.exit == .status(0) && ran.output.contains("A") && ran.errors.isEmpty)
    #expect(try household.run("inspect", good).output == ran.output)
    let failed = try household.run("publisher", "feed", bad, "--json")
    #expect(failed.exit == .status(1))
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(failed.outputBytes)) as? [String: Any])
    #expect((object["messages"] as? [Any])?.count == 2 && (object["problems"] as? [Any])?.count == 1)
    #expect(try household.run("inspect", bad).exit == .status(0))
  }

  // MARK: Search

  @Test func aSearchPrintsWhatAListWithThatQueryPrints() throws {
    let household = try householdWithTwoSources()
    try household.run("mark", "--read", "1", "3").expect("")
    for query in ["is:unread source:team", "cake", "title:releas*", "in:all", "nowhere"] {
      #expect(try household.run("search", query) == household.run("list", "--query", query), "\(query)")
    }
    #expect(
      try household.run("search", "is:unread", "source:team", "--json")
        == household.run("list", "--query", "is:unread source:team", "--json"))
    #expect(
      try household.run("search", "is:unread", "--limit", "1").output
        == household.run("list", "--unread", "--limit", "1").output)
    #expect(
      try household.run("search", "--", "-is:unread").output
        == household.run("list", "--query", "-is:unread").output)
    let wrong = try household.run("search", "tittle:cake")
    wrong.expectFailure("not a query: tittle is not a field; did you mean title?, at character 1")
    #expect(try household.run("search").exit == .status(64))
    #expect(try !household.run("list", "--help").output.contains("--query"))
  }
}
