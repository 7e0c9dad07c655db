import Foundation
import Interface
import Screen
import Testing
import Translations

/// The README against the table of commands that keymap and help come from.
struct ReadmeTests {
  @Test func everyKeyStandsInTheReadme() throws {
    let readme = try String(contentsOf: LayeringTests.root.appending(path: "README.md"), encoding: .utf8)
    for command in Command.allCases {
      let keys = command.row.keys.map { "`\($0)`" }.joined(separator: " ")
      let row = "| \(keys) | `\(command.rawValue)` | \(Words.english.help(command).text) |"
      #expect(readme.contains(row), "reddot manual prints the table")
    }
  }

  @Test func everyKeyStandsInTheManPage() throws {
    let page = try String(
      contentsOf: LayeringTests.root.appending(path: "Resources/man/reddot.1"), encoding: .utf8)
    #expect(page.contains(KeyReference.manual(words: .english)), "reddot manual --man prints the paragraphs")
  }
}
