import ArgumentParser
import Subscriptions

/// `reddot apns show`
struct APNsShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract:
      "Print what a phone would show of a payload, its size, and every problem; exit with 1 where there are any.",
    discussion: """
      Keys are looked up in DIR/<language>.lproj/Localizable.strings: the exact language, its base, then en. The \
      actions of a category are those that the settings name. Keys of aps that have no words of their own stand under \
      Apple's names. Problems are printed and end the command with status 1, unless --lenient is given.

      EXAMPLES:
        reddot apns show payload.json
        reddot apns show payload.json --strings Resources --language zh-Hant
        reddot apns make --alert Hello | reddot apns show - --json | jq .aps
      """)

  @OptionGroup var files: FileOptions
  @Argument(help: "A payload's JSON, or - for standard input.") var file: String
  @Option(help: ArgumentHelp("The folder of the <language>.lproj folders.", valueName: "dir")) var strings:
    String?
  @Option(help: ArgumentHelp("The reader's language, such as pt-BR.", valueName: "tag")) var language: String?
  @Flag(help: "Print a JSON object.") var json = false
  @Flag(help: "Exit with 0 in spite of problems.") var lenient = false

  func run() throws {
    let preview = try APNsPreview.given(
      file, strings: strings, language: language, config: files.config,
      environment: Composition.environment())
    if json {
      try Answer.print(preview.json)
    } else {
      for line in preview.lines { try Answer.print(line) }
    }
    if !lenient && !preview.problems.isEmpty { throw ExitCode.failure }
  }
}
