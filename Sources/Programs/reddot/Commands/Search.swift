import ArgumentParser
import Messages
import Profile

/// `reddot search`
struct Search: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Print the messages that a query matches, newest first.",
    discussion: """
      Dismissed, snoozed, hidden and expired messages are left out unless the query names that state or contains in:all. \
      reddot help query shows the language of queries.

      EXAMPLES:
        reddot search backup newer:1d
        reddot search 'is:unread priority>=4'
        reddot search '"release notes" -source:team' --limit 5
        reddot search is:starred --json | jq -r .url
        reddot search -- -is:read                    begins with a dash
      """)

  @OptionGroup var files: FileOptions
  @Argument(help: ArgumentHelp("Words and conditions; all of them must match.", valueName: "query"))
  var words: [String]
  @Option(
    help: ArgumentHelp("Only messages of this source, or of this folder.", valueName: "name"),
    completion: .placeNames)
  var source: String?
  @OptionGroup var output: ListOptions

  func run() throws {
    let profile = try Composition.profileToRead(files)
    Composition.report(leftOutOf: profile)
    let scope = try source.map { try profile.lookup().scope($0) } ?? .all
    var list = InboxQuery(scope: scope, search: try profile.search(words.joined(separator: " ")))
    list.isStrict = true
    try output.print(list, of: profile)
  }
}
