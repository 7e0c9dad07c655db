import App
import ArgumentParser
import Interface
import Screen

/// `reddot manual`: the key table, for the README and the man page.
struct Manual: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the table of keys and their names in the settings.",
    discussion: """
      EXAMPLES:
        reddot manual
        reddot manual --man
      """)

  @Flag(help: "As paragraphs of a man page (man(7)) instead of Markdown.") var man = false

  func run() throws {
    // README and man page are in English, whoever asks.
    let words = Words.inLanguage("en")
    try Answer.print(
      man ? KeyReference.manual(words: words) : KeyReference.markdown(words: words), terminator: "")
  }
}
