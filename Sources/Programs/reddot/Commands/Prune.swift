import ArgumentParser
import Formats
import Profile
import Screen
import Words

/// `reddot prune`
struct Prune: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune",
    abstract: "Delete messages that the settings no longer keep.",
    discussion: """
      The settings limit what is stored, for all sources or for one, for example keep = "90d" and \
      keep_messages = 5000; without them everything is kept. Unread, starred and snoozed messages always stay. \
      The inbox and reddot poll prune automatically once a day. Neither the next poll nor undo restores a \
      deleted message. The database file shrinks if more than an eighth of it is free; a file that reddot 0.2.0 \
      created does so only after reddot check --compact.

      EXAMPLES:
        reddot prune --dry-run
        reddot prune
      """)

  @OptionGroup var files: FileOptions
  @Flag(help: "Only print the number of messages of each source to delete.") var dryRun = false
  @Flag(help: "Print a JSON object.") var json = false

  func run() throws {
    let profile = try dryRun ? Composition.profileToRead(files) : Composition.profile(files)
    let pruning = try profile.prune(isDry: dryRun)
    if json { return try Answer.print(SafeOutput.json(pruning.json)) }
    if let reason = pruning.reason { try Answer.print(reason) }
    try Answer.print(pruning.report, json: false, OutputStyles(profile))
  }
}

extension Pruning {
  fileprivate var report: Report<(name: String, messages: Int)> {
    let end = isDry ? "would go" : "gone"
    return Report(
      sources,
      [
        Column("source", gap: 0, style: .bold, text: { $0.name }, json: { .string($0.name) }),
        Column(
          "messages", text: { ": \($0.messages) \($0.messages == 1 ? "message" : "messages") \(end)" },
          json: { .integer($0.messages) }),
      ])
  }

  fileprivate var json: JSONValue {
    .object(
      JSONObject(pairs: [
        ("dry_run", .bool(isDry)), ("messages", .integer(sources.reduce(0) { $0 + $1.messages })),
        ("sources", .array(report.objects)), ("reason", MessageJSON.text(reason)),
      ]))
  }
}
