import Foundation
import Testing
import Words

/// The documentation's pages: the table of keys, and what their links lead to.
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

  /// A section of a document that isn't in the repository says nothing to who reads the code.
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
}
