import ArgumentParser
import Profile

/// `reddot publisher features`
struct Features: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "features",
    abstract: "List the named features that notifications switched.",
    discussion: """
      Each feature is printed with the source and the id of the notification that decides, the beginning and \
      end of its state with the reason, and its data. A notification applies within its time and for its \
      channel; its effect ends when it expires. Banners can query a feature (featureEnabled).

      EXAMPLES:
        reddot publisher features
        reddot publisher features --json | jq -r 'select(.enabled) | .name'
      """)

  @OptionGroup var files: FileOptions
  @Flag(help: "Print one JSON object per line.") var json = false

  func run() throws {
    let profile = try Composition.profileToRead(files)
    try Answer.print(profile.features().report(profile.environment), json: json, OutputStyles(profile))
  }
}
