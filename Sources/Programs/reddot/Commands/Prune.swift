import ArgumentParser
import Profile

/// `reddot prune`
struct Prune: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune",
    abstract: "Delete what the settings no longer keep.",
    discussion: """
      keep = "90d" and keep_messages = 5000 in the settings, for all sources or for one, say how much stays stored; without \
      them everything does. Unread, starred and snoozed messages always stay. The inbox and reddot poll do this by \
      themselves once a day. Neither the next poll nor undo restores a deleted message. The database file keeps its size; \
      the room is used again.

      EXAMPLES:
        reddot prune --dry-run
        reddot prune
      """)

  @OptionGroup var files: FileOptions
  @Flag(help: "Only say how many messages of each source would go.") var dryRun = false

  func run() throws {
    let profile = try dryRun ? Composition.profileToRead(files) : Composition.profile(files)
    for line in try profile.prune(isDry: dryRun) { try Answer.print(line) }
  }
}
