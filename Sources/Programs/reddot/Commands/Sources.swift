import ArgumentParser
import Profile

/// `reddot sources`
struct Sources: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sources",
    abstract: "List the sources, with unread counts and last polls.",
    discussion: """
      EXAMPLES:
        reddot sources
        reddot sources --json | jq -r 'select(.unread > 0) | .name'
      """)

  @OptionGroup var files: FileOptions
  @Flag(help: "Print one JSON object per line.") var json = false

  func run() throws {
    let profile = try Composition.profileToRead(files)
    Composition.report(leftOutOf: profile)
    if let sentence = HookProgram.spool(files).setAsideSentence { Complaint.print(sentence) }
    try Answer.print(profile.sourceReport(), json: json, OutputStyles(profile))
    if profile.sources.isEmpty, let hint = try profile.firstStep() { Complaint.print(hint) }
  }
}
