import ArgumentParser
import Interface
import Settings
import Translations

/// `reddot manual`: the tables of keys and settings, for the README, the man page and the sample.
struct Manual: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual",
    abstract: "Print the table of keys and their names in the settings.",
    discussion: """
      EXAMPLES:
        reddot manual
        reddot manual --man
      """)

  @Flag(help: "As paragraphs of a man page (man(7)) instead of Markdown.") var man = false
  /// For `Resources/write-tables`.
  @Flag(help: ArgumentHelp("The table of settings instead.", visibility: .hidden)) var settings = false
  @Flag(help: ArgumentHelp("The sample of a settings file instead.", visibility: .hidden)) var sample = false

  func run() throws {
    // README and man page are always in English.
    let words = Words.inLanguage("en")
    let page =
      if sample {
        SettingsReference.sample
      } else if settings {
        man ? SettingsReference.manual : SettingsReference.markdown
      } else {
        man ? KeyReference.manual(words: words) : KeyReference.markdown(words: words)
      }
    try Answer.print(page, terminator: "")
  }
}
