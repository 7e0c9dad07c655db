import ArgumentParser
import Messages
import Profile

/// `reddot why`
struct Why: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: "Say why a source was or was not polled, or which rules touched a message.",
    discussion: """
      Of a source: the last attempts, newest first, and the next poll with the rule that set it. Of a message: the rules of \
      the settings that touched it, in their order, and the one that hides it.

      EXAMPLES:
        reddot why team
        reddot why 42
      """)

  @OptionGroup var files: FileOptions
  @Argument(help: "The name of a source, or the id of a message.", completion: .sourceNames)
  var source: String
  @Option(help: ArgumentHelp("At most so many attempts.", valueName: "n")) var limit = 20
  @Flag(help: "Print a JSON object.") var json = false

  func run() throws {
    let profile = try Composition.profileToRead(files)
    // A source may have a number as its name.
    if let id = Int64(source), try profile.knownSource(named: source) == nil {
      for line in try profile.why(MessageID(id), json: json) { try Answer.print(line) }
      return
    }
    for line in try profile.why(profile.source(named: source), limit: limit, json: json) {
      try Answer.print(line)
    }
  }
}
