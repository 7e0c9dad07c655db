import App
import ArgumentParser

/// `reddot export`
struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the followed feeds as OPML.",
    discussion: """
      EXAMPLE:
        reddot export > subscriptions.opml
      """)

  @OptionGroup var files: FileOptions

  func run() throws {
    let workspace = try Composition.workspace(files)
    try Answer.print(Subscriptions(workspace).exportOPML(), terminator: "")
  }
}
