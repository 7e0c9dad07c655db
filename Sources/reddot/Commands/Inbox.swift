import App
import ArgumentParser

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

  @MainActor
  func run() async throws {
    let workspace = try await Composition.workspace(files).inBackground { try $0.registered() }
    try await InboxRun(workspace: workspace).run()
  }
}
