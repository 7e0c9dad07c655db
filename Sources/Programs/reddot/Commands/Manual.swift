import ArgumentParser
import Foundation
import Settings
import Words

/// `reddot manual`: the tables of keys and settings, the sample and the man pages, for `Resources/write-tables`.
struct Manual: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual",
    abstract: "Print the table of keys and their names in the settings.",
    discussion: """
      EXAMPLES:
        reddot manual
        reddot help keys
      """,
    shouldDisplay: false)

  @Flag(help: ArgumentHelp("The table of settings instead.", visibility: .hidden)) var settings = false
  @Flag(help: ArgumentHelp("The sample of a settings file instead.", visibility: .hidden)) var sample = false
  /// Of a page in Markdown that is read from standard input: the page in the program may be older.
  @Option(help: ArgumentHelp("The man page of a topic instead.", visibility: .hidden)) var man: HelpTopic?

  func run() throws {
    let page =
      if let man {
        man.manPage(
          of: String(decoding: FileHandle.standardInput.readDataToEndOfFile(), as: UTF8.self),
          version: Composition.version)
      } else if sample {
        SettingsReference.sample
      } else if settings {
        SettingsReference.markdown
      } else {
        // The manual is in English.
        KeyReference.markdown(words: Words.inLanguage("en"))
      }
    try Answer.print(page, terminator: "")
  }
}
