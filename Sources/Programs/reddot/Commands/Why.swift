import ArgumentParser
import Messages
import Profile

/// `reddot why`
struct Why: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: "Explain the polls of a source, or the rules of a message.",
    discussion: """
      For a source: the last attempts, newest first, and the next poll with the rule that set it. For a message: the rules of \
      the settings that changed it, in their order, and the one that hides it. For `phone`, unless a source has that name: the \
      notifications that wait, the reason, and the buttons that were pressed.

      EXAMPLES:
        reddot why team
        reddot why 42
        reddot why phone
      """)

  @OptionGroup var files: FileOptions
  @Argument(help: "The name of a source, the id of a message, or phone.", completion: .sourceNames)
  var source: String
  @Option(help: ArgumentHelp("Maximum number of attempts.", valueName: "n")) var limit = 20
  @Flag(help: "Print a JSON object.") var json = false

  func run() throws {
    let profile = try Composition.profileToRead(files)
    // A source may have a number as its name.
    if let id = Int64(source), try profile.knownSource(named: source) == nil {
      let history = try profile.why(MessageID(id))
      if json { return try Answer.print(history.json) }
      return try Answer.print(history.lines(profile.environment), OutputStyles(profile))
    }
    if source == "phone", try profile.knownSource(named: source) == nil {
      for line in try profile.whyPhone(json: json) { try Answer.print(line) }
      return
    }
    let history = try profile.why(profile.source(named: source), limit: limit)
    if json { return try Answer.print(history.json) }
    try Answer.print(history.lines, OutputStyles(profile))
  }
}
