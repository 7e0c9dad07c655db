import Foundation
import Interface
import Testing
import Translations

/// Compares README and man page with the table of commands.
struct ReadmeTests {
  private func text(_ path: String) throws -> String {
    try String(contentsOf: LayeringTests.root.appending(path: path), encoding: .utf8)
  }

  @Test func theReadmesTableOfKeysIsTheTableOfCommands() throws {
    let section = try text("README.md").components(separatedBy: "\n## Keys\n\n").last ?? ""
    let table = section.components(separatedBy: "\n\n").first ?? ""
    #expect(table + "\n" == KeyReference.markdown(words: .english), "Resources/write-tables writes it")
  }

  @Test func theManPagesKeysAreTheTableOfCommands() throws {
    let section = try text("Resources/man/reddot.1").components(separatedBy: "\n.SH KEYS\n").last ?? ""
    let paragraphs = section.components(separatedBy: ".SH ").first
    #expect(paragraphs == KeyReference.manual(words: .english), "Resources/write-tables writes it")
  }
}
