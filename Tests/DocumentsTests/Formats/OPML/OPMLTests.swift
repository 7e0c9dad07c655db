import Basics
import Foundation
import Testing

@testable import Formats

@Suite struct OPMLTests {
  @Test func nestedOutlinesBecomeFolders() throws {
    let document = try OPML.read(
      Data(
        """
        <?xml version="1.0" encoding="ISO-8859-1"?>
        <opml version="1.0"><head><title> My  feeds </title></head><body>
        <outline text="News"><outline title="World &amp; all" text="w" type="rss" xmlUrl="http://a.example/?x=1&amp;y=2" htmlUrl="http://a.example/"/>
        <outline text="Deep"><outline text="b" xmlurl=" http://b.example/ "/></outline></outline>
        <outline text="c" xmlUrl="http://c.example/" category="/Tech/Swift,/Other"/>
        <outline xmlUrl="http://d.example/"/><outline text="again" xmlUrl="http://c.example/"/>
        <outline text="a link" type="link" url="http://e.example/"/></body></opml>
        """.utf8))
    #expect(document.title == "My feeds")
    var inTwo = OPMLDocument.Feed(url: "http://c.example/", title: "c", folders: ["Tech", "Swift"])
    inTwo.alsoIn = [["Other"]]
    #expect(
      document.feeds == [
        .init(
          url: "http://a.example/?x=1&y=2", title: "World & all", page: "http://a.example/", folders: ["News"]
        ),
        .init(url: "http://b.example/", title: "b", folders: ["News", "Deep"]),
        inTwo,
        .init(url: "http://d.example/", title: "http://d.example/"),
      ])
    #expect(document.problems.isEmpty)
  }

  @Test func tenThousandFoldersAreWrittenAndReadBack() throws {
    var document = OPMLDocument()
    // Each folder occurs twice, far apart, and contains a folder.
    for round in ["a", "b"] {
      for number in 0..<10_000 {
        document.feeds.append(
          .init(url: "http://\(round).example/\(number)", title: "x", folders: ["F\(number)", round]))
      }
    }
    let read = try OPML.read(OPML.write(document))
    #expect(read.feeds.count == 20_000)
    #expect(Set(read.feeds) == Set(document.feeds))
    // Feeds of one folder are written together, in the position of the first.
    #expect(read.feeds.prefix(4).map(\.folders) == [["F0", "a"], ["F0", "b"], ["F1", "a"], ["F1", "b"]])
  }

  @Test func foldersGoNoDeeperThanAReaderFollows() throws {
    let category = Array(repeating: "x", count: 50_000).joined(separator: "/")
    let text =
      "<opml version=\"2.0\"><body><outline xmlUrl=\"http://a.example/\" category=\"\(category)\"/></body></opml>"
    let document = try OPML.read(Data(text.utf8))
    #expect(document.feeds.map(\.folders.count) == [Limits.opmlDepth])
    var deep = document
    deep.feeds[0].folders = Array(repeating: "x", count: 50_000)
    #expect(OPML.write(deep).count < 1 << 20)
  }

  @Test func whatIsWrittenIsReadBack() throws {
    var document = OPMLDocument(title: "A & <B>")
    document.feeds = [
      .init(
        url: "http://a.example/?a=1&b=\"2\"", title: "日本 <x>\n\"q\"", page: "http://a.example/",
        folders: ["F & G"]),
      .init(url: "http://b.example/", title: "b\u{1}", folders: ["F & G", "H"]),
      .init(url: "http://c.example/", title: "c"),
    ]
    let read = try OPML.read(OPML.write(document))
    var expected = document
    expected.feeds[0].title = "日本 <x> \"q\""
    // XML has no such character.
    expected.feeds[1].title = "b\u{FFFD}"
    #expect(read == expected)
  }

  /// `&#130;` is read as Windows-1252, in attributes as in content.
  @Test func aControlByItsNumberIsTheCharacterThatWasMeant() throws {
    let list = try OPML.read(
      Data("<opml><body><outline text='it&#146;s' xmlUrl='http://e.example/&#130;'/></body></opml>".utf8))
    #expect(list.feeds.map(\.title) == ["it’s"])
    #expect(list.feeds.map(\.url) == ["http://e.example/‚"])
    #expect(try OPML.read(OPML.write(list)).feeds == list.feeds)
  }

  @Test func writingHasOneForm() {
    let document = OPMLDocument(
      title: "T", feeds: [.init(url: "http://a.example/", title: "a", folders: ["F"])])
    #expect(
      String(decoding: OPML.write(document), as: UTF8.self) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <opml version="2.0">
          <head>
            <title>T</title>
          </head>
          <body>
            <outline text="F" title="F">
              <outline type="rss" text="a" title="a" xmlUrl="http://a.example/"/>
            </outline>
          </body>
        </opml>

        """)
  }

  @Test func aBrokenListIsReadAsFarAsPossible() throws {
    let document = try OPML.read(
      Data(
        "<opml><body>\n<outline text='a & b' xmlUrl='http://a.example/?x&y'/><outline text='c' xmlUrl='http://c.example/'"
          .utf8))
    #expect(document.feeds.map(\.url) == ["http://a.example/?x&y"])
    #expect(document.feeds.first?.title == "a & b")
    #expect(document.problems.map(\.at) == ["2", ""])
    #expect(!document.isComplete)
  }

  @Test(arguments: [
    ("", "an empty document"), ("hello", "plain text"), ("<rss/>", "an XML document (<rss>)"),
  ])
  func anythingElseIsNamed(text: String, found: String) {
    #expect(throws: OPMLFailure(found: found)) { try OPML.read(Data(text.utf8)) }
  }

  /// Feeds that are left out are counted, and their neighbours are kept.
  @Test func whatIsTooDeepOrTooLongIsCounted() throws {
    func feed(_ name: String) -> String { "<outline text='\(name)' xmlUrl='http://e.example/\(name)'/>" }
    let folders = String(repeating: "<outline text='f'>", count: 120)
    let ends = String(repeating: "</outline>", count: 120)
    let long = String(repeating: "x", count: 9000)
    let document = try OPML.read(
      Data(
        "<opml><body>\(feed("a"))\(folders)\(feed("deep"))\(feed("deeper"))\(ends)\(feed(long))\(feed("b"))</body></opml>"
          .utf8))
    #expect(document.feeds.map(\.title) == ["a", "b"])
    #expect(
      document.problems.map(\.message) == [
        "2 feeds were left out: nested in more than 100 elements",
        "1 feed was left out: with an address of more than 8192 bytes",
      ])
  }

  @Test func aSignInAnAttributeLosesNoFeed() throws {
    let list = try OPML.read(
      Data(
        """
        <opml version="2.0"><body><outline text="a" xmlUrl="http://e.example/1"/>
        <outline text="R&D <x> > y" xmlUrl="http://e.example/2"/><outline text="c" xmlUrl="http://e.example/3"/>
        </body></opml>
        """.utf8))
    #expect(list.feeds.map(\.url) == ["http://e.example/1", "http://e.example/2", "http://e.example/3"])
    #expect(list.feeds.map(\.title) == ["a", "R&D <x> > y", "c"])
  }

  @Test func aFeedIsInEachOfItsCategories() throws {
    let list = try OPML.read(
      Data(
        """
        <opml version="2.0"><body><outline text="a" xmlUrl="http://e.example/1"/>
        <outline text="b" xmlUrl="http://e.example/2" category="/Tech/Linux, /News,/Tech/Linux,/"/>
        <outline text="F"><outline text="c" xmlUrl="http://e.example/3" category="/Other"/></outline></body></opml>
        """.utf8))
    #expect(list.feeds.map(\.folders) == [[], ["Tech", "Linux"], ["F"]])
    #expect(list.feeds.map(\.alsoIn) == [[], [["News"]], []])
    let again = try OPML.read(OPML.write(list))
    #expect(again.feeds.first { $0.title == "b" }?.alsoIn == [["News"]])
  }

  @Test func aListOfAddressesIsOne() throws {
    let list = try OPML.read(
      Data("# mine\r\nhttps://e.example/1\r\n\r\n https://e.example/2 \nhttps://e.example/1\n".utf8))
    #expect(list.feeds.map(\.url) == ["https://e.example/1", "https://e.example/2"])
    #expect(throws: OPMLFailure.self) { try OPML.read(Data("https://e.example/1\nand words\n".utf8)) }
  }
}
