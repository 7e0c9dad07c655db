import App
import ArgumentParser
import Messages

/// `reddot remove`
struct Remove: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "No longer follow a source.",
    discussion: """
      Its messages stay stored, unlisted, and come back with the name; --forget deletes them.

      EXAMPLES:
        reddot remove team
        reddot remove team --forget
      """)

  @OptionGroup var files: FileOptions
  @Argument(help: "The name of a source.", completion: .sourceNames) var name: String
  @Flag(help: "Delete its messages too; this cannot be undone.") var forget = false

  func run() throws {
    let workspace = try Composition.workspace(files)
    let source = try workspace.source(named: name)
    try workspace.remove(source, forgetting: forget)
    _ = try workspace.reopened()
    try Answer.print("removed \(SafeOutput.line(source.name))")
  }
}
