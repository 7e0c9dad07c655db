import ArgumentParser
import Profile

/// `reddot features`
struct Features: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "features",
    abstract: "List the named features that notifications switched.",
    discussion: """
      Each with the source and the id of the notification that decides, since when, until when and why, and its data. \
      A notification counts within its time and for its channel; what it switched goes back when it expires. Banners can ask for \
      a feature (featureEnabled).

      EXAMPLES:
        reddot features
        reddot features --json | jq -r 'select(.enabled) | .name'
      """)

  @OptionGroup var files: FileOptions
  @Flag(help: "Print one JSON object a line.") var json = false

  func run() throws {
    let profile = try Composition.profileToRead(files)
    let list = try profile.features()
    for line in json ? list.jsonLines(profile.environment) : list.lines(profile.environment) {
      try Answer.print(line)
    }
  }
}
