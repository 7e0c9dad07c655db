import TerminalHarness
import Testing

/// The plain forms of some commands are recognised before the argument parser: they do what the parser makes of them.
@Suite struct FrequentCommandTests {
  /// Each form, and the same in words that only the parser reads.
  static let forms: [([String], [String])] = [
    (["status"], ["status", "--"]),
    (["poll"], ["poll", "--"]),
    (["poll", "--force"], ["poll", "--force", "--"]),
  ]

  @Test(arguments: forms) func bothWaysAnswerAlike(short: [String], parsed: [String]) throws {
    let answers = try [short, parsed].map { words in
      let household = try Household()
      let feed = try household.write("team.xml", rss("Team", [item(2, "Second"), item(1, "First")]))
      try household.run("add", feed).expect("added Team: file://\(feed)\n")
      let first = try household.run(words)
      let second = try household.run(words)
      return [first, second].map { "\($0.exit) \($0.output) \($0.errors)" }
    }
    #expect(answers[0] == answers[1])
    #expect(answers[0][0].contains("status(0)"))
  }

  @Test func filesAreTakenFromItsOptions() throws {
    let household = try Household()
    let feed = try household.write("team.xml", rss("Team", [item(1, "First")]))
    let settings = try household.write("other.toml", "[[source]]\nname = \"news\"\nurl = \"\(feed)\"\n")
    let database = household.home + "/other.sqlite"
    try household.run("poll", "--config", settings, "--database", database).expect("news: 1 new\n  First\n")
    try household.run("status", "--database", database, "--config", settings).expect("● 1\n")
    try household.run("status", "--database=\(database)", "--config=\(settings)").expect("● 1\n")
    try household.run("status").expect("")
    // The last one counts, as for the parser.
    try household.run("status", "--database", "/nowhere", "--database", database, "--config", settings)
      .expect("● 1\n")
  }

  @Test(arguments: [
    ["status", "--database"], ["status", "--config", "--database"], ["--force"],
    ["poll", "--force", "--fore"], ["status", "--force"], ["inbox", "poll", "--watch"],
  ])
  func wrongUsageIsToldByTheParser(words: [String]) throws {
    let answer = try Household().run(words)
    #expect(answer.exit == .status(64))
    #expect(answer.errors.contains("Usage: reddot") || answer.errors.contains("Error:"))
  }

  @Test func namesAndHelpGoToTheParser() throws {
    let household = try Household()
    let feed = try household.write("team.xml", rss("Team", [item(1, "First")]))
    try household.run("add", feed).expect("added Team: file://\(feed)\n")
    try household.run("poll", "Team").expect("Team: 1 new\n  First\n")
    #expect(try household.run("status", "--help").output.contains("--format"))
  }
}
