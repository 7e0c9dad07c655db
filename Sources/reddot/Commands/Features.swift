import App
import ArgumentParser

/// `reddot features`
struct Features: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the named features that notifications switched.",
    discussion: """
      Each with the source and the id of the notification that set it last, when, and its data. Banners can ask for \
      a feature (featureEnabled).

      EXAMPLES:
        reddot features
        reddot features --json | jq -r 'select(.enabled) | .name'
      """)

  @OptionGroup var files: FileOptions
  @Flag(help: "Print one JSON object a line.") var json = false

  func run() throws {
    let workspace = try Composition.workspace(files)
    let list = try workspace.features()
    for line in json ? list.jsonLines : list.lines(workspace.surroundings) { try Answer.print(line) }
  }
}
