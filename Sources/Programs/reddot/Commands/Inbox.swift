import ArgumentParser
import Profile

/// `reddot`
struct Inbox: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inbox",
    abstract: "Open the inbox (what reddot does without a command).",
    discussion: """
      ? in the inbox shows every key.

      EXAMPLE:
        reddot --config ~/office/reddot.toml --database ~/office/reddot.sqlite
      """)

  @OptionGroup var files: FileOptions

  /// Opens the database and runs the inbox. If another process is writing to the database, this waits for it,
  /// since nothing is on the screen yet.
  @MainActor
  func run() async throws {
    async let prepared: Void = Composition.prepareFirstFrame()
    let profile = try Composition.profile(files).registered()
    await prepared
    await HookProgram.storeWaiting(files)
    try await InboxRun(profile: profile).run()
  }
}
