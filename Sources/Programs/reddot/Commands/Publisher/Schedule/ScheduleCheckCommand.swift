import ArgumentParser
import Subscriptions

/// `reddot publisher schedule check`
struct ScheduleCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a schedule file; exit with 1 and every problem with its path, or with 0.",
    discussion: """
      EXAMPLES:
        reddot publisher schedule check reminders.json
        reddot publisher schedule check r.json --json | jq -r '.problems[].at'
      """)

  @Argument(help: "A schedule file, or - for standard input.", completion: .file()) var file: String
  @Flag(help: "Print a JSON object.") var json = false

  func run() throws {
    let check = try ScheduleCheck.given(file)
    if json {
      try Answer.print(check.json)
    } else {
      for line in check.lines { try Answer.print(line) }
    }
    if !check.isFine { throw ExitCode.failure }
  }
}
