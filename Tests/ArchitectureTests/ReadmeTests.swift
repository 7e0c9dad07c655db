import Foundation
import Interface
import Testing
import Translations

/// README and man page against the table of commands, word for word.
struct ReadmeTests {
  private func text(_ path: String) throws -> String {
    try String(contentsOf: LayeringTests.root.appending(path: path), encoding: .utf8)
  }

  @Test func theReadmesTableOfKeysIsTheTableOfCommands() throws {
    let section = try text("README.md").components(separatedBy: "\n## Keys\n\n").last ?? ""
    let table = section.components(separatedBy: "\n\n").first ?? ""
    #expect(table + "\n" == KeyReference.markdown(words: .english), "reddot manual prints the table")
  }

  @Test func theManPagesKeysAreTheTableOfCommands() throws {
    let section = try text("Resources/man/reddot.1").components(separatedBy: "\n.SH KEYS\n").last ?? ""
    let paragraphs = section.components(separatedBy: "\n.SH ").first?.split(separator: "\n").dropFirst() ?? []
    #expect(
      paragraphs.joined(separator: "\n") + "\n" == KeyReference.manual(words: .english),
      "reddot manual --man prints the paragraphs")
  }
}
