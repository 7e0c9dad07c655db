import App
import ArgumentParser

/// `reddot why`
struct Why: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: "Say why a source was or was not polled, and when it will be.",
    discussion: """
      Prints the last attempts, newest first, and the next poll with the rule that set it.

      EXAMPLE:
        reddot why team
      """)

  @OptionGroup var files: FileOptions
  @Argument(help: "The name of a source.", completion: .sourceNames) var source: String
  @Option(help: ArgumentHelp("At most so many attempts.", valueName: "n")) var limit = 20
  @Flag(help: "Print a JSON object.") var json = false

  func run() throws {
    let workspace = try Composition.workspaceToRead(files)
    for line in try workspace.why(workspace.source(named: source), limit: limit, json: json) {
      try Answer.print(line)
    }
  }
}
