import ArgumentParser
import Interface
import Messages
import Platform
import Polling
import Profile
import Session

/// `reddot show`
struct Show: OneThreadCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Print a message, as the inbox shows it.",
    discussion: """
      The layout is that of the inbox's reader, at the width of the terminal, or 80 columns in a pipe. \
      Printing does not mark the message as read; use reddot mark --read ID.

      EXAMPLES:
        reddot show 42
        reddot show 42 --json | jq .actions
        reddot show 42 --full-text
        reddot show --enclosures 42 43 | xargs -n 1 curl -LO
      """)

  @OptionGroup var files: FileOptions
  @Argument(
    help: "The id that reddot list prints; with --enclosures several, 42,43, or - for standard input.",
    completion: .messageIDs)
  var ids: [MessageIDList]
  @Flag(help: "Print a JSON object; with --enclosures one per line.") var json = false
  @Flag(
    help: "Print the attachments of messages, such as episodes of podcasts: one address per line.")
  var enclosures = false

  @Flag(help: "Print the article of the page behind the message, which is fetched if it isn't stored.")
  var fullText = false

  func validate() throws {
    if fullText, json || enclosures {
      throw ValidationError("--full-text prints text; leave out --json and --enclosures")
    }
    if !enclosures, ids.count > 1 || !(ids.first?.isOne ?? false) {
      throw ValidationError("give one id; several go with --enclosures")
    }
  }

  func run() async throws {
    // A fetched article is stored.
    let profile = try fullText ? Composition.profile(files) : Composition.profileToRead(files)
    let messages = try MessageIDList.ids(of: ids).map { id in
      guard let message = try profile.message(MessageID(id)) else {
        throw Complaint("message \(id) does not exist; run reddot list to see the ids")
      }
      return message
    }
    if enclosures {
      return try Answer.print(
        Report(messages.flatMap(EnclosureRow.rows), EnclosureRow.columns), json: json, OutputStyles(profile))
    }
    guard let message = messages.first else { return }
    if json { return try Answer.print(MessagePrinter(profile).json(message)) }
    let signals = fullText ? EndingSignals(before: profile.environment.programs.killAll) : nil
    defer { signals?.cancel() }
    let article = fullText ? try await profile.article(of: message) : nil
    let options = InterfaceOptions(profile, isUTF8: profile.environment.isUTF8)
    let lines = PaperPage.lines(
      message, of: try profile.sourceStatuses(), article: article,
      columns: OutputTerminal.size?.columns ?? 80, options: options)
    try Answer.print(lines, OutputStyles(profile))
  }
}
