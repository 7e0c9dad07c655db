import ArgumentParser
import Foundation
import Messages
import Reports
import Workspace

/// `reddot list`
struct List: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Print messages, newest first.",
    discussion: """
      EXAMPLES:
        reddot list --unread
        reddot list --source team --search "release notes" --limit 5
        reddot list --source Dev/Swift --unread          a folder
        reddot list --query 'is:unread priority>=4 newer:1d'
        reddot list --list "Important today"             a saved list
        reddot list --json | jq -r 'select(.priority >= 4) | .title'
      """)

  @OptionGroup var files: FileOptions
  @Flag(help: "Only unread messages.") var unread = false
  @Flag(help: "Only starred messages.") var starred = false
  @Flag(help: "Snoozed messages, the next to return first.") var snoozed = false
  @Flag(help: "Dismissed messages, the last one first.") var dismissed = false
  @Flag(help: "Messages that rules hide, the last one first.") var hidden = false
  @Option(
    help: ArgumentHelp("Only messages of this source, or of this folder.", valueName: "name"),
    completion: .placeNames)
  var source: String?
  @Option(
    help: ArgumentHelp("Only messages of this saved list.", valueName: "name"), completion: .listNames)
  var list: String?
  @Option(help: ArgumentHelp("Only messages with these words.", valueName: "words")) var search: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only messages that this query means, also those off the lists that it names.", valueName: "query"))
  var query: String?
  @Option(help: ArgumentHelp("At most so many.", valueName: "n")) var limit = 50
  @Flag(help: "Print one JSON object a line.") var json = false

  func validate() throws {
    if limit < 1 { throw ValidationError("--limit must be at least 1") }
    if [search, query, list].compactMap(\.self).count > 1 {
      throw ValidationError("give only one of --search, --query and --list")
    }
    if [starred, snoozed, dismissed, hidden, source != nil].filter({ $0 }).count > 1 {
      throw ValidationError("give only one of --starred, --snoozed, --dismissed, --hidden and --source")
    }
  }

  func run() throws {
    let workspace = try Composition.workspaceToRead(files)
    Composition.report(leftOutOf: workspace)
    let scope: InboxQuery.Scope =
      if let source { try workspace.lookup().scope(source) } else if starred { .starred } else if snoozed {
        .snoozed
      } else if dismissed { .dismissed } else if hidden { .hidden } else { .all }
    var list = InboxQuery(scope: scope, isUnreadOnly: unread, search: search)
    if let query { (list.search, list.isStrict) = (try Workspace.search(query), true) }
    if let name = self.list { (list.search, list.isStrict) = (try workspace.query(ofList: name), true) }
    let printer = MessagePrinter(workspace, columns: OutputTerminal.size?.columns)
    var isEmpty = true
    try workspace.eachMessage(list, limit: limit) { message in
      isEmpty = false
      try Answer.print(json ? printer.json(message) : printer.line(message))
    }
    if isEmpty, let hint = try workspace.firstStep() { Complaint.print(hint) }
  }
}
