import Foundation
import Messages
import Screen
import Testing

@testable import Interface

/// The head above a message's text.
struct ReaderPageTests {
  private func shown(
    _ title: String, body: String = "", html: String? = nil, author: String? = nil
  ) throws -> [String] {
    var store = ModelStore()
    store.addSource("a", title: "Example Blog")
    store.add(title, age: 1, body: body) {
      $0.content.html = html
      $0.content.author = author
    }
    var stage = Stage(amid: store, columns: 80, rows: 24)
    try stage.press("enter")
    return stage.state.shown.reader.lines.map(\.plain)
  }

  @Test(
    arguments: [
      ("A post without a title", "A post without a title\nand more", nil),
      ("A post without a title", "A post without a title", "<p>A post without <b>a</b> title</p>"),
      ("A post without a…", "A post without a title, which is longer", nil),
      ("A post without a...", "A post without a title, which is longer", nil),
    ] as [(String, String, String?)])
  func aPostWithoutATitleIsShownOnce(_ title: String, _ body: String, _ html: String?) throws {
    let lines = try shown(title, body: body, html: html)
    #expect(lines.filter { $0.hasPrefix("A post without a") }.count == 1)
    #expect(lines.last?.isEmpty == false)
  }

  @Test(arguments: [("News", "Newspapers are read"), ("Title", "Text"), ("…", "Text"), ("Title", "")])
  func aTitleThatDiffersFromTheTextIsAboveIt(_ title: String, _ body: String) throws {
    #expect(try shown(title, body: body).first == title)
  }

  @Test(arguments: [("Example Blog", 1), ("example blog", 1), ("Ann", 1), ("Ann of Example Blog", 2)])
  func anAuthorWhoIsTheSourceIsNamedOnce(_ author: String, _ times: Int) throws {
    let line = try #require(try shown("Title", author: author).dropFirst().first)
    #expect(line.lowercased().components(separatedBy: "example blog").count - 1 == times)
    #expect(line.contains("Ann") == author.contains("Ann"))
  }
}
