import App
import ArgumentParser
import Messages

/// `reddot show`
struct Show: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print one message.",
    discussion: """
      Printing does not mark as read; reddot mark --read ID does.

      EXAMPLES:
        reddot show 42
        reddot show 42 --json | jq .actions
      """)

  @OptionGroup var files: FileOptions
  @Argument(help: "The id that reddot list prints.") var id: Int64
  @Flag(help: "Print a JSON object.") var json = false

  func run() throws {
    let workspace = try Composition.workspace(files)
    guard let message = try workspace.message(MessageID(id)) else {
      throw Complaint("there is no message \(id); reddot list prints the ids")
    }
    let printer = MessagePrinter(workspace)
    try Answer.print(json ? printer.json(message) : printer.whole(message))
  }
}
