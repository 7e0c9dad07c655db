import Foundation
import TerminalHarness
import TestBasics
import Testing

/// `--json`, of every command that has it.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct JSONOutputTests {
  /// Arguments by which a command prints something in the household below.
  private static let arguments: [String: [String]] = [
    "list": [], "search": ["is:unread"], "sources": [], "agenda": ["30"], "show": ["1"], "why": ["team"],
    "status": [], "poll": ["--all"], "push": ["Title"], "remind": ["--list"], "rules list": [],
    "rules test": ["is:unread", "--do", "hide"], "inspect": ["board.json"], "notify test": [], "quiet": [],
    "prune": ["--dry-run"], "check": [], "backup": ["b", "--force"], "sync status": [],
    "publisher feed": ["board.json"], "publisher features": [], "publisher schedule preview": ["s.json"],
    "publisher schedule check": ["s.json"], "publisher banner explain": ["control.json"],
    "publisher apns show": ["p.json"],
  ]

  /// The commands and their help.
  private func helps(_ path: [String], _ household: Household) throws -> [(command: String, text: String)] {
    let help = try household.run(path + ["--help"]).output
    let names = CommandReferenceTests.listed(help)
    if names.isEmpty { return [(path.joined(separator: " "), help)] }
    return try names.flatMap { try helps(path + [$0], household) }
  }

  @Test func everyCommandThatClaimsItPrintsJSON() throws {
    let household = try householdWithTwoSources()
    try household.write(
      "control.json", #"{"b": {"entry": "v", "views": {"v": {"file": "https://a.example/v"}}}}"#)
    try household.write("s.json", #"[{"time": "19:30", "day": "Tuesday", "repeat": 7, "title": "T"}]"#)
    try household.write("p.json", #"{"aps": {"alert": "Hello"}}"#)
    let settings = try household.text(of: household.settingsFile)
    try household.write(
      household.settingsFile,
      settings + "\n[[rule]]\nname = \"quiet builds\"\nwhen = \"source:build\"\ndo = [\"read\"]\n")
    #expect(try household.run("remind", "2099-12-24 18:00", "Candles").exit == .status(0))
    #expect(try household.run("sync", "init", "\(household.home)/place").exit == .status(0))
    let helps: [(command: String, text: String)] = try self.helps([], household)
    let claiming: [String] = helps.filter { $0.text.contains("\n  --json ") }.map(\.command)
    #expect(Set(claiming) == Set(Self.arguments.keys))
    // These print a line for each row, of which there is none here.
    let empty: Set = ["publisher features", "agenda"]
    for command in claiming {
      var words: [String] = command.split(separator: " ").map { String($0) }
      words += Self.arguments[command] ?? []
      words.append("--json")
      let ran = try Running(
        "/bin/sh", ["-c", "cd; exec \"$0\" \"$@\"", BuiltProduct.path("reddot")] + words,
        environment: household.environment, keeping: household
      ).waitForEnd()
      let lines = ran.output.split(separator: "\n")
      #expect(empty.contains(command) || !lines.isEmpty, "\(command): \(ran.errors)")
      for line in lines {
        #expect(throws: Never.self, "\(command): \(line)") {
          let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
          #expect(value is [String: Any], "\(command)")
        }
      }
    }
  }

  private func object(_ household: Household, _ words: String..., status: Int32 = 0) throws -> [String: Any] {
    let ran = try household.run(words + ["--json"])
    #expect(ran.exit == .status(status), "\(words): \(ran.errors)")
    return try #require(try JSONSerialization.jsonObject(with: Data(ran.outputBytes)) as? [String: Any])
  }

  @Test func aRuleIsTestedAsAnObject() throws {
    let household = try householdWithTwoSources()
    try household.run("mark", "--read", "1").expect("")
    let test = try object(household, "rules", "test", "source:team", "--do", "hide", "--last", "3650d")
    #expect(test["query"] as? String == "source:team" && test["do"] as? [String] == ["hide"])
    #expect(["examined", "matched", "opened", "starred"].map { test[$0] as? Int } == [5, 3, 1, 0])
    let sources = try #require(test["sources"] as? [[String: Any]])
    #expect(
      sources.count == 1 && sources[0]["source"] as? String == "team" && sources[0]["messages"] as? Int == 3)
    let days = try #require(test["days"] as? [[String: Any]])
    #expect(days.map { $0["messages"] as? Int } == [3])
    #expect((test["samples"] as? [[String: Any]])?.map { $0["id"] as? Int } == [3, 2, 1])
  }

  @Test func pruningIsAnObject() throws {
    let household = try householdWithTwoSources()
    #expect(try object(household, "prune", "--dry-run")["reason"] is String)
    try household.run("mark", "--read", "--all").expect("")
    let settings = try household.text(of: household.settingsFile)
    try household.write(household.settingsFile, "keep_messages = 1\n" + settings)
    for isDry in [true, false] {
      let pruning = try isDry ? object(household, "prune", "--dry-run") : object(household, "prune")
      #expect(pruning["dry_run"] as? Bool == isDry && pruning["reason"] is NSNull)
      #expect(pruning["messages"] as? Int == 3)
      let sources = try #require(pruning["sources"] as? [[String: Any]])
      #expect(sources.map { $0["source"] as? String } == ["team", "board"])
      #expect(sources.map { $0["messages"] as? Int } == [2, 1])
    }
    #expect(try household.messages().count == 2)
  }

  @Test func aCheckIsAnObject() throws {
    let household = try householdWithTwoSources()
    let right = try object(household, "check")
    #expect(right["agrees"] as? Bool == true && (right["problems"] as? [Any])?.isEmpty == true)
    let holdings = try #require(right["holdings"] as? [String: Int])
    #expect(holdings["messages"] == 5 && holdings["sources"] == 2 && holdings["articles"] == 0)
    try SQLite(household.database).run("CREATE VIEW stranger AS SELECT 1")
    let wrong = try object(household, "check", status: 1)
    #expect(wrong["agrees"] as? Bool == false)
    #expect((wrong["problems"] as? [[String: Any]])?.map { $0["part"] as? String } == ["schema"])
    let repaired = try object(household, "check", "--repair")
    #expect(repaired["agrees"] as? Bool == true)
    #expect(try household.run("check", "--salvage", "x", "--json").exit == .status(64))
  }

  @Test func aBackupAndTheChannelsOfNoticesAreObjects() throws {
    let household = try householdWithTwoSources()
    let backup = try object(household, "backup", "\(household.home)/b")
    #expect(backup["file"] as? String == "\(household.home)/b" && backup["messages"] as? Int == 5)
    #expect(backup["settings"] as? Bool == true && backup["reminders"] as? Bool == false)
    // There is neither a terminal nor a desktop.
    let test = try object(household, "notify", "test", status: 1)
    #expect(test["works"] as? Bool == false)
    let channels = try #require(test["channels"] as? [[String: Any]])
    #expect(channels.map { $0["channel"] as? String } == ["terminal", "desktop", "bell", "command", "phone"])
    #expect(channels[0]["problem"] as? String == "standard output is not a terminal")
    #expect(try object(household, "quiet")["quiet"] as? Bool == false)
    #expect(
      try object(household, "quiet", "until", "2099-12-24 18:00")["quiet_until"] as? String
        == "2099-12-24T18:00:00Z")
  }
}
