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
        reddot rules                                 what each rule did
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
    abstract: "List the rules with what they did: how many messages, the last time, how many they hide.",
    discussion: """
      A rule with a mistake does nothing; its file and line are told.

      EXAMPLES:
        reddot rules
        reddot rules list --json
      """)

  @OptionGroup var files: FileOptions
  @Flag(help: "Print one JSON object a line.") var json = false

  func run() throws {
    let profile = try Composition.profileToRead(files)
    for problem in profile.settings.problems { Complaint.print(problem.sentence) }
    if profile.settings.rules.isEmpty, !json {
      Complaint.print("the settings have no rules; add one with [[rule]]")
    }
    for line in try profile.ruleLines(json: json) { try Answer.print(line) }
    if !profile.settings.problems.isEmpty { throw ExitCode.failure }
  }
}

/// `reddot rules test`
struct RulesTest: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Say what a rule would have done with the stored messages. Changes nothing.",
    discussion: """
      The query is asked of each message as it is now. Prints how many it means, by source and by day, how many of them \
      you had opened and starred, and ten of them.

      EXAMPLES:
        reddot rules test 'source:build -title:failed'
        reddot rules test 'tag:release priority<3' --do hide --last 90d
      """)

  @OptionGroup var files: FileOptions
  @Argument(help: "A query, as in a rule's when.") var query: String
  @Option(
    name: .customLong("do"),
    help: ArgumentHelp("An action of the rule; may be given again.", valueName: "action"))
  var actions: [String] = []
  @Option(help: ArgumentHelp("How far back to look.", valueName: "time")) var last = LengthOfTime(
    .seconds(30 * 86400))

  func run() throws {
    let profile = try Composition.profileToRead(files)
    for line in try profile.testRule(query, actions: actions, last: last.duration) {
      try Answer.print(line)
    }
  }
}

/// `reddot rules apply`
struct RulesApply: OneThreadCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply",
    abstract: "Apply a rule of the settings to stored messages.",
    discussion: """
      It is one act: reddot undo takes all of it back. What you did with a message stays; nobody is told, and no program is \
      run.

      EXAMPLE:
        reddot rules apply "ci noise" --last 90d
      """)

  @OptionGroup var files: FileOptions
  @Argument(help: "The name of a rule.") var name: String
  @Option(help: ArgumentHelp("How far back to look.", valueName: "time")) var last = LengthOfTime(
    .seconds(30 * 86400))

  func run() async throws {
    let profile = try Composition.profile(files)
    try Answer.print(profile.applyRule(named: name, last: last.duration))
    try await Synchroniser(profile).sendNow()
  }
}
