import App
import ArgumentParser

/// `reddot apns show`
struct APNsShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Print what a phone would show of a payload, its size, and every problem.",
    discussion: """
      Keys are looked up in DIR/<language>.lproj/Localizable.strings: the exact language, its base, then en. The \
      actions of a category are those that the settings name.

      EXAMPLES:
        reddot apns show payload.json
        reddot apns show payload.json --strings Resources --language zh-Hant
        reddot apns make --alert Hello | reddot apns show - --json | jq .size
      """)

  @OptionGroup var files: FileOptions
  @Argument(help: "A payload's JSON, or - for standard input.") var file: String
  @Option(help: ArgumentHelp("The folder of the <language>.lproj folders.", valueName: "dir")) var strings:
    String?
  @Option(help: ArgumentHelp("The reader's language, such as pt-BR.", valueName: "tag")) var language: String?
  @Flag(help: "Print a JSON object.") var json = false

  func run() throws {
    let preview = try APNsPreview.given(
      file, strings: strings, language: language, config: files.config,
      surroundings: Composition.surroundings())
    if json {
      print(preview.json)
    } else {
      for line in preview.lines { print(line) }
    }
  }
}
