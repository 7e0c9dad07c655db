import ArgumentParser
import Profile

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
    let profile = try Composition.profileToRead(files)
    Composition.report(leftOutOf: profile)
    if let sentence = HookProgram.spool(files).setAsideSentence { Complaint.print(sentence) }
    for line in try profile.sourceLines(json: json) { try Answer.print(line) }
    if profile.sources.isEmpty, let hint = try profile.firstStep() { Complaint.print(hint) }
  }
}
