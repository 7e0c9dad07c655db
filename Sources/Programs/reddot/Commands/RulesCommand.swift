import ArgumentParser
import Profile
import Settings

/// `reddot rules`
struct RulesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rules",
    abstract: "List the rules of the settings, or try one on the stored messages.",
    discussion: """
      EXAMPLES:
        reddot rules                                 the effects of each rule
        reddot rules test 'source:build -title:failed' --do hide
        reddot rules apply "ci noise" --last 30d
      """,
    subcommands: [RulesList.self, RulesTest.self, RulesApply.self],
    defaultSubcommand: RulesList.self)
}

/// `reddot rules list`
struct RulesList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the rules with their effects so far.",
    discussion: """
      A rule with an error does nothing; its file and line are reported.

      EXAMPLES:
        reddot rules
        reddot rules list --json
      """)

  @OptionGroup var files: FileOptions
  @Flag(help: "Print one JSON object per line.") var json = false

  func run() throws {
    let profile = try Composition.profileToRead(files)
    for problem in profile.settings.problems { Complaint.print(problem.sentence) }
    if profile.settings.rules.isEmpty, !json {
      Complaint.print("no rules in the settings; add one with [[rule]]")
    }
    let styles = OutputStyles(profile)
    for row in try profile.ruleRows() {
      if json { try Answer.print(row.json) } else { try Answer.print(row.lines(profile.environment), styles) }
    }
    if !profile.settings.problems.isEmpty { throw ExitCode.failure }
  }
}

/// `reddot rules test`
struct RulesTest: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Try a rule on the stored messages, without changing them.",
    discussion: """
      The query is matched against each message in its present state. This prints the number of matches, by source \
      and by day, how many of them you had opened and starred, and ten of them.

      EXAMPLES:
        reddot rules test 'source:build -title:failed'
        reddot rules test 'tag:release priority<3' --do hide --last 90d
      """)

  @OptionGroup var files: FileOptions
  @Argument(help: "A query, as in a rule's when.") var query: String
  @Option(
    name: .customLong("do"),
    help: ArgumentHelp("An action of the rule. Can be repeated.", valueName: "action"))
  var actions: [String] = []
  @Option(help: ArgumentHelp("The age of the oldest messages.", valueName: "time")) var last = LengthOfTime(
    .seconds(30 * 86400))
  @Flag(help: "Print a JSON object.") var json = false

  func run() throws {
    let profile = try Composition.profileToRead(files)
    let test = try profile.testRule(query, actions: actions, last: last.duration)
    if json { return try Answer.print(test.json(profile)) }
    try Answer.print(test.lines(profile), OutputStyles(profile))
  }
}

/// `reddot rules apply`
struct RulesApply: OneThreadCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply",
    abstract: "Apply a rule of the settings to stored messages.",
    discussion: """
      reddot undo reverts all of it in one step. Your own changes to a message stay; there are no \
      notifications, and no program is run.

      EXAMPLE:
        reddot rules apply "ci noise" --last 90d
      """)

  @OptionGroup var files: FileOptions
  @Argument(help: "The name of a rule.") var name: String
  @Option(help: ArgumentHelp("The age of the oldest messages.", valueName: "time")) var last = LengthOfTime(
    .seconds(30 * 86400))

  func run() async throws {
    let profile = try Composition.profile(files)
    try Answer.print(profile.applyRule(named: name, last: last.duration))
    try await Synchroniser(profile).sendNow()
  }
}
