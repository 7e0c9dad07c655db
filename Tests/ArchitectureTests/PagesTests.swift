import Foundation
import Testing
import Words

/// The documentation's pages: the table of keys, the targets of links, and sentences that are there twice.
struct PagesTests {
  private static let folder = "Sources/Programs/reddot/Documentation.docc"

  /// The README and all pages, by their paths.
  private static func pages() throws -> [String] {
    let names = try FileManager.default.contentsOfDirectory(
      atPath: LayeringTests.root.appending(path: folder).path)
    return ["README.md"] + names.filter { $0.hasSuffix(".md") }.sorted().map { "\(folder)/\($0)" }
  }

  @Test func theTableOfKeysIsTheTableOfCommands() throws {
    let page = try LayeringTests.text("\(Self.folder)/Keys.md")
    let table = try #require(
      page.components(separatedBy: "\n<!-- Resources/write-tables writes this -->\n\n").last?
        .components(separatedBy: "\n<!-- end of the table -->").first)
    #expect(table == KeyReference.markdown(words: .english), "Resources/write-tables writes it")
  }

  @Test func everyLinkToAFileLeadsToOne() throws {
    var links = 0
    for page in try Self.pages() {
      let folder = LayeringTests.root.appending(path: page).deletingLastPathComponent()
      let text = try LayeringTests.text(page)
      for match in text.matches(of: #/\]\(([^)\s]+)\)/#) where !match.1.contains(":") {
        links += 1
        let path = String(match.1.prefix { $0 != "#" })
        #expect(
          FileManager.default.fileExists(atPath: folder.appending(path: path).standardized.path),
          "\(page): \(match.1)")
      }
    }
    #expect(links > 20)
  }

  @Test func theFilesThatContributorsAreSentToExist() throws {
    let page = try LayeringTests.text("\(Self.folder)/Contributing.md")
    let paths = page.matches(of: #/`((?:Sources|Tests|Resources)/[^`\s]+)`/#).map { String($0.1) }
    #expect(paths.count > 30)
    for path in paths {
      #expect(
        FileManager.default.fileExists(atPath: LayeringTests.root.appending(path: path).path), "\(path)")
    }
  }

  /// The section number of a document that isn't in the repository tells readers of the code nothing.
  @Test func onlySectionsOfStandardsAreCited() throws {
    let standards =
      #/RFC ?\d|WHATWG|CSS|POSIX|ECMA-48|FIPS|PNG|XML 1\.0|sqlite\.org|SQLite's file format|DEC STD/#
    for folder in ["Sources", "Tests"] {
      let files = try #require(
        FileManager.default.enumerator(
          at: LayeringTests.root.appending(path: folder), includingPropertiesForKeys: nil))
      for case let file as URL in files where file.pathExtension == "swift" {
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        guard text.contains(#/// .*\bsections? \d/#) else { continue }
        #expect(text.contains(standards), "\(file.lastPathComponent) cites a section of no standard")
      }
    }
  }

  @Test func everyPageIsListed() throws {
    let start = try LayeringTests.text("\(Self.folder)/reddot.md")
    for page in try Self.pages().dropFirst() where !page.hasSuffix("/reddot.md") {
      let name = page.dropFirst(Self.folder.count + 1).dropLast(3)
      #expect(start.contains("<doc:\(name)>"), "reddot.md doesn't list \(name)")
    }
  }

  /// A fact is on the page where a reader looks for it; the other pages have a link.
  @Test func noSentenceIsThereTwice() throws {
    var pages: [String: String] = [:]
    for page in try Self.pages() + ["Resources/CHANGELOG.md"] {
      for sentence in PageSentences(try LayeringTests.text(page)).sentences {
        let words = PageSentences.words(of: sentence)
        guard words.count >= 8 else { continue }
        if let earlier = pages.updateValue(page, forKey: words.joined(separator: " ")) {
          Issue.record("\(page) repeats \(earlier): \(sentence)")
        }
      }
    }
    #expect(pages.count > 500)
  }

  @Test func theSentencesOfAPageAreRead() {
    let page = PageSentences(
      """
      # A heading.

      One sentence over
      two lines. **Another one**, with `a.b` and [a link](Page.md). Is this the third?

      - An item
      - Its neighbour.\\
        Its second line

      | a row. | b |
      ```sh
      code. more
      ```
      <!-- Resources/write-tables writes this -->

      A generated line.

      <!-- end of the table -->
      The end
      """)
    #expect(
      page.sentences == [
        "One sentence over two lines.", "**Another one**, with `a.b` and [a link](Page.md).",
        "Is this the third?", "An item", "Its neighbour.\\", "Its second line", "The end",
      ])
    #expect(
      PageSentences.words(of: page.sentences[1]) == ["another", "one", "with", "ab", "and", "a", "link"])
  }
}
