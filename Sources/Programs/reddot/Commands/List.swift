import ArgumentParser
import Basics
import Foundation
import Messages
import Profile

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
  // `reddot search` is its name in the help; scripts can still use the option.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only messages that this query matches.", valueName: "query", visibility: .hidden))
  var query: String?
  @OptionGroup var output: ListOptions

  func validate() throws {
    if [search, query, list].compactMap(\.self).count > 1 {
      throw ValidationError("give only one of --search, --query and --list")
    }
    if [starred, snoozed, dismissed, hidden, source != nil].filter({ $0 }).count > 1 {
      throw ValidationError("give only one of --starred, --snoozed, --dismissed, --hidden and --source")
    }
  }

  func run() throws {
    let profile = try Composition.profileToRead(files)
    Composition.report(leftOutOf: profile)
    let scope: InboxQuery.Scope =
      if let source { try profile.lookup().scope(source) } else if starred { .starred } else if snoozed {
        .snoozed
      } else if dismissed { .dismissed } else if hidden { .hidden } else { .all }
    var list = InboxQuery(scope: scope, isUnreadOnly: unread, search: search)
    if let query { (list.search, list.isStrict) = (try profile.search(query), true) }
    if let name = self.list { (list.search, list.isStrict) = (try profile.search(ofList: name), true) }
    try output.print(list, of: profile)
  }
}

/// The options of commands that print messages.
struct ListOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Maximum number of messages, or all (default: 50 on a terminal, all otherwise).", valueName: "n"))
  var limit: MessageLimit?
  @Flag(help: "Print one JSON object per line.") var json = false

  /// Prints the messages of a list, and reports the number of further ones on standard error.
  func print(_ list: InboxQuery, of profile: Profile) throws {
    let printer = MessagePrinter(profile, columns: OutputTerminal.size?.columns)
    let styles = OutputStyles(profile)
    let isShort = limit == nil && isatty(STDOUT_FILENO) == 1
    let most = limit?.count ?? (isShort ? 50 : .max)
    var count = 0
    // All messages are counted, even those that are not printed.
    try profile.eachMessage(list, limit: isShort ? Limits.countedMessages : most) { message in
      count += 1
      guard count <= most else { return }
      try json ? Answer.print(printer.json(message)) : Answer.print(printer.line(message), styles)
    }
    if count > most {
      let all = count == Limits.countedMessages ? "more than \(count - 1)" : "\(count)"
      Complaint.print("\(most) of \(all); use --limit all to print all of them")
    }
    if count == 0, let hint = try profile.firstStep() { Complaint.print(hint) }
  }
}

extension Profile {
  /// Returns the text of a saved list's query. An unknown source in it is reported, and the rest of the query still
  /// applies.
  func search(ofList name: String) throws -> String {
    let (text, unknown) = try query(ofList: name)
    if let unknown { Complaint.print("the list \"\(name)\": \(unknown)") }
    return text
  }
}

/// A number of messages, or all.
struct MessageLimit: ExpressibleByArgument {
  var count: Int

  init?(argument: String) {
    guard let count = argument.lowercased() == "all" ? 0 : Int(argument), count >= 0 else { return nil }
    self.count = count == 0 ? .max : count
  }
}
