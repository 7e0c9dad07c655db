import Messages
import Screen
import Testing

@testable import Interface

/// Which cells of the inbox are links of the terminal.
struct HyperlinkFrameTests {
  private func stage(_ html: String, url: String? = nil, columns: Int = 60) throws -> Stage {
    var store = ModelStore()
    store.addSource("a", title: "A")
    store.add("Title", age: 60) {
      $0.content.html = html
      $0.content.url = url
    }
    var stage = Stage(amid: store, columns: columns, rows: 30)
    try stage.press("enter")
    return stage
  }

  /// The text of each part, with its address and id.
  private func parts(_ stage: Stage) -> [(text: String, link: Hyperlink)] {
    let frame = stage.frame
    return frame.links.map { part in
      (part.columns.map { frame[$0, part.row].text }.joined(), part.link)
    }
  }

  @Test func linksTheirNumbersAndTheListBelowAreLinks() throws {
    let stage = try stage(
      "<p>See <a href='https://b.example/x'>the page</a>.</p>", url: "https://a.example/1")
    let parts = parts(stage)
    #expect(parts.first?.text == "https://a.example/1")
    #expect(
      parts.dropFirst().map(\.text).joined(separator: "|") == "the page|[1]|the page|https://b.example/x")
    #expect(
      parts.map(\.link.address) == ["https://a.example/1"] + Array(repeating: "https://b.example/x", count: 4)
    )
    #expect(Set(parts.dropFirst().map(\.link.id)).count == 1)
    #expect(parts.first?.link.id != parts.last?.link.id)
  }

  @Test func aLinkThatWrapsIsOneLinkAndKeepsItsId() throws {
    let text = String(repeating: "words ", count: 30)
    var stage = try stage("<p>x</p><a href='https://b.example/'>\(text)</a>", columns: 40)
    let first = parts(stage)
    #expect(first.count > 4 && Set(first.map(\.link.id)).count == 1)
    try stage.press("j", "?", "escape")
    #expect(Set(parts(stage).map(\.link)) == Set(first.map(\.link)))
  }

  @Test(arguments: [
    ("https://b.example/ä b", "https://b.example/%C3%A4%20b"), ("mailto:a@b.example", "mailto:a@b.example"),
    ("https://b.example/;id=x:y;", "https://b.example/;id=x:y;"),
    ("https://b.example/\u{1B}]8;;\u{7}x", "https://b.example/%1B]8;;%07x"),
    ("https://b.example/&quot;'", "https://b.example/%22'"),
    ("https://b.example/\u{9C}", "https://b.example/%C2%9C"),
    ("reddot:message/1", nil), ("javascript:alert(1)", nil), ("JaVaScRiPt:alert(1)", nil),
    ("ftp://b.example/", nil),
    ("file:///etc/passwd", nil), ("data:text/html,x", nil), ("https:", nil),
    ("https://b.example/" + String(repeating: "x", count: 10_000), nil),
  ])
  func onlyWhatMayBeOpenedOutsideIsALink(address: String, told: String?) throws {
    let stage = try stage("<a href=\"\(address)\">text</a>")
    #expect(Set(parts(stage).map(\.link.address)) == Set([told].compactMap { $0 }))
  }

  @Test func anAddressOfTheMessageThatMayNotBeOpenedIsNone() throws {
    #expect(parts(try stage("<p>x</p>", url: "javascript:alert(1)")).isEmpty)
    #expect(parts(try stage("<p>x</p>", url: "tag:a.example,2026:1")).isEmpty)
  }

  @Test func whatLiesOverTheTextHasNoLinksOfIt() throws {
    var stage = try stage("<a href='https://b.example/'>text</a>")
    try stage.press("?")
    #expect(stage.frame.links.isEmpty)
  }

  @Test func linksOutsideThePaneAreCutOff() throws {
    var store = ModelStore()
    store.addSource("a", title: "A")
    store.add("Title", age: 60) {
      $0.content.html = "<pre><a href='https://b.example/'>\(String(repeating: "x", count: 300))</a></pre>"
    }
    for columns in [20, 61, 140] {
      var stage = Stage(amid: store, columns: columns, rows: 30)
      try stage.press("enter")
      let frame = stage.frame
      for part in frame.links {
        #expect(frame.bounds.columns.contains(part.columns.lowerBound) && part.columns.upperBound <= columns)
      }
      #expect(!frame.links.isEmpty)
    }
  }
}
