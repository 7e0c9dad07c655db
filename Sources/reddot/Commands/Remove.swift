import ArgumentParser
import Messages
import Platform
import Workspace

/// `reddot remove`
struct Remove: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Stop following a source.",
    discussion: """
      reddot undo puts it back, with its settings and its messages, which stay stored meanwhile. --forget deletes the
      messages, which nothing brings back.

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
    if forget {
      try workspace.forget(source)
    } else {
      try workspace.remove(source, called: source.name)
    }
    _ = try workspace.reopened()
    try Answer.print("removed \(SafeOutput.line(source.name))\(forget ? " and its messages" : "")")
  }
}
