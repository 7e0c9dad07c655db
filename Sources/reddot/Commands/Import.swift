import ArgumentParser
import Subscriptions
import Workspace

/// `reddot import`
struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Follow every feed of an OPML file.",
    discussion: """
      Feeds whose address is followed already are left alone.

      EXAMPLE:
        reddot import subscriptions.opml
      """)

  @OptionGroup var files: FileOptions
  @Argument(help: "An OPML file, or - for standard input.", completion: .file()) var file: String

  func run() throws {
    let workspace = try Composition.workspace(files)
    let report = try Subscriptions(workspace).importOPML(from: file)
    _ = try workspace.reopened()
    for line in report.lines { try Answer.print(line) }
  }
}
