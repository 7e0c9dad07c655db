import ArgumentParser
import Hooks
import Reports
import Workspace

/// `reddot sources`
struct Sources: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sources",
    abstract: "List the sources, with unread counts and how their last polls went.",
    discussion: """
      EXAMPLES:
        reddot sources
        reddot sources --json | jq -r 'select(.unread > 0) | .name'
      """)

  @OptionGroup var files: FileOptions
  @Flag(help: "Print one JSON object a line.") var json = false

  func run() throws {
    let workspace = try Composition.workspaceToRead(files)
    Composition.report(leftOutOf: workspace)
    if let sentence = HookProgram.spool(files).setAsideSentence { Complaint.print(sentence) }
    for line in try workspace.sourceLines(json: json) { try Answer.print(line) }
    if workspace.sources.isEmpty, let hint = try workspace.firstStep() { Complaint.print(hint) }
  }
}
