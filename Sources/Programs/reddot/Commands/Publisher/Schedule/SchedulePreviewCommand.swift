import ArgumentParser
import Foundation
import Subscriptions

/// `reddot publisher schedule preview`
struct SchedulePreviewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "preview",
    abstract: "Print the next times of each entry.",
    discussion: """
      An entry that cannot run is printed with the reason; the others are printed anyway.

      EXAMPLES:
        reddot publisher schedule preview ~/reminders.json
        reddot publisher schedule preview reminders.json --zone Asia/Kolkata
        reddot publisher schedule preview r.json --json | jq '.entries[].title'
      """)

  @OptionGroup var files: FileOptions
  @Argument(help: "A schedule file, or - for standard input.", completion: .file()) var file: String
  @Option(help: ArgumentHelp("Used as the current time; UTC without an offset.", valueName: "iso"))
  var from: Instant?
  @Option(help: ArgumentHelp("Maximum number of times of each entry.", valueName: "n")) var count = 5
  @Option(help: ArgumentHelp("A zone such as Europe/Berlin; by default the system's.", valueName: "zone"))
  var zone: ZoneArgument?
  @Option(
    help: ArgumentHelp(
      "When reddot was installed, which weekday starts count from; by default as in the database.",
      valueName: "iso"))
  var installed: Instant?
  @Option(help: ArgumentHelp("The reader's language, such as hi.", valueName: "tag")) var language: String?
  @Flag(help: "Print a JSON object.") var json = false

  func validate() throws {
    if !(1...100_000).contains(count) { throw ValidationError("--count must be 1 to 100000") }
  }

  func run() throws {
    let preview = try SchedulePreview.given(
      file, from: from?.date, count: count, zone: zone?.zone, installed: installed?.date, language: language,
      config: files.config, database: files.database, environment: Composition.environment())
    if json {
      try Answer.print(preview.json)
    } else {
      for line in preview.lines { try Answer.print(line) }
    }
  }
}
