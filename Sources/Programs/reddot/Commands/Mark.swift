import ArgumentParser
import Messages
import Polling
import Profile

/// `reddot mark`
struct Mark: OneThreadCommand {
  static let configuration = CommandConfiguration(
    commandName: "mark",
    abstract: "Mark messages read or unread, star or dismiss them.",
    discussion: """
      Every change can be undone with reddot undo, in any number of steps. Services receive it immediately. A \
      service that cannot be reached receives it with the next reddot poll or start of the inbox.

      EXAMPLES:
        reddot mark --read 42 43
        reddot mark --read --all
        reddot mark --read --all --list "Important today"
        reddot mark --star 42
        reddot search older:30d --json | jq .id | reddot mark --read -
      """)

  @OptionGroup var files: FileOptions
  @Flag(help: "Mark as read.") var read = false
  @Flag(help: "Mark as unread.") var unread = false
  @Flag(help: "Star.") var star = false
  @Flag(help: "Remove the star.") var unstar = false
  @Flag(help: "Dismiss: remove from the lists.") var dismiss = false
  @Flag(help: "Restore dismissed messages.") var undismiss = false
  @Flag(help: "All messages; with --read only.") var all = false
  @Option(
    help: ArgumentHelp("With --all: of this source or folder.", valueName: "name"), completion: .placeNames)
  var source: String?
  @Option(
    help: ArgumentHelp("With --all: of this saved list.", valueName: "name"), completion: .listNames)
  var list: String?
  @Argument(
    help: "The ids that reddot list prints, also as 42,43; - reads them from standard input.",
    completion: .messageIDs)
  var ids: [MessageIDList] = []

  func validate() throws {
    guard [read, unread, star, unstar, dismiss, undismiss].filter({ $0 }).count == 1 else {
      throw ValidationError(
        "give exactly one of --read, --unread, --star, --unstar, --dismiss and --undismiss")
    }
    if all {
      guard read else { throw ValidationError("--all needs --read") }
      guard ids.isEmpty else { throw ValidationError("give either ids or --all") }
    } else {
      guard !ids.isEmpty else { throw ValidationError("give the ids of messages, or --read --all") }
      guard source == nil, list == nil else { throw ValidationError("--source and --list need --all") }
    }
  }

  func run() async throws {
    let profile = try Composition.profile(files)
    let messages = try MessageIDList.ids(of: ids).map { MessageID($0) }
    if let id = try profile.missing(among: messages) {
      throw Complaint(
        "message \(id.rawValue) does not exist; run reddot list to see the ids; nothing was marked")
    }
    if dismiss {
      let kept = try profile.undismissable(among: messages)
      if let first = kept.first {
        let others = kept.count > 1 ? " (\(kept.count - 1) more like it)" : ""
        throw Complaint(
          "message \(first.rawValue) cannot be dismissed: its source wants it on the list until it expires\(others); nothing was marked"
        )
      }
    }
    let scope: InboxQuery.Scope = try source.map { try profile.lookup().scope($0) } ?? .all
    var query = InboxQuery(scope: scope)
    if let list { (query.search, query.isStrict) = (try profile.search(ofList: list), true) }
    let act: UserAct =
      if all {
        .readAll(query)
      } else if read {
        .read(messages)
      } else if unread {
        .unread(messages)
      } else if star {
        .star(messages)
      } else if unstar {
        .unstar(messages)
      } else if undismiss {
        .undismiss(messages)
      } else {
        .dismiss(messages)
      }
    try profile.perform(act)
    for sentence in try await profile.sendActs() { Complaint.print(sentence) }
  }
}
