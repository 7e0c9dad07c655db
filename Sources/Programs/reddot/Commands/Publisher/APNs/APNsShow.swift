import ArgumentParser
import Subscriptions

/// `reddot publisher apns show`
struct APNsShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract:
      "Print a preview of a payload, its size, and every problem.",
    discussion: """
      Keys are looked up in DIR/<language>.lproj/Localizable.strings: the exact language, its base, then en. \
      The actions of a category are those in the settings. Other keys of aps are printed with Apple's names. \
      Problems are printed, and the command exits with 1 unless --lenient is given.

      EXAMPLES:
        reddot publisher apns show payload.json
        reddot publisher apns show payload.json --strings . --language zh-Hant
        reddot publisher apns show payload.json --json | jq .aps
      """)

  @OptionGroup var files: FileOptions
  @Argument(help: "A payload's JSON, or - for standard input.") var file: String
  @Option(help: ArgumentHelp("The folder of the <language>.lproj folders.", valueName: "dir")) var strings:
    String?
  @Option(help: ArgumentHelp("The reader's language, such as pt-BR.", valueName: "tag")) var language: String?
  @Flag(help: "Print a JSON object.") var json = false
  @Flag(help: "Exit with 0 even if there are problems.") var lenient = false

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
