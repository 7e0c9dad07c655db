import ArgumentParser
import Messages
import Profile
import Settings
import Words

/// `reddot rename`
struct Rename: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename",
    abstract: "Rename a source.",
    discussion: """
      The source's messages, their state and its place stay. Everything else in the settings file is kept.

      EXAMPLE:
        reddot rename feed.example "The team"
      """)

  @OptionGroup var files: FileOptions
  @Argument(help: "The name or title of a source.", completion: .sourceNames) var old: String
  @Argument(help: "The new name.") var new: String

  func validate() throws {
    if !SourceName.isValid(new) { throw ValidationError("the new name must be 1 to 64 visible characters") }
  }

  func run() throws {
    let profile = try Composition.profile(files).registered()
    let source = try profile.source(named: old)
    try profile.rename(source, to: new)
    try Answer.print("renamed \(SafeOutput.line(source.name)) to \(SafeOutput.line(new))")
  }
}
