import Foundation
import Interface
import Testing

/// The README against the table of commands that keymap and help come from.
struct ReadmeTests {
  @Test func everyKeyStandsInTheReadme() throws {
    let readme = try String(contentsOf: LayeringTests.root.appending(path: "README.md"), encoding: .utf8)
    for command in Command.allCases {
      let keys = command.row.keys.map { "`\($0)`" }.joined(separator: " ")
      let row = "| \(keys) | `\(command.rawValue)` | \(command.row.help) |"
      #expect(readme.contains(row), "reddot manual prints the table")
    }
  }

  @Test func everyKeyStandsInTheManPage() throws {
    let page = try String(
      contentsOf: LayeringTests.root.appending(path: "Resources/man/reddot.1"), encoding: .utf8)
    #expect(page.contains(KeyReference.manual()), "reddot manual --man prints the paragraphs")
  }
}
