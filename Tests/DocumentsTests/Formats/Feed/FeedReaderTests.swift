import Basics
import Foundation
import Testing

@testable import Formats

@Suite struct FeedReaderTests {
  private func read(_ data: Data, mediaType: String? = nil) -> FeedReading {
    FeedReader.read(data, charset: nil, mediaType: mediaType, address: "http://host.example/a/b")
  }

  @Test(arguments: [
    (Data(), "an empty document"), (Data(" \r\n\t".utf8), "an empty document"),
    (Data("hello".utf8), "plain text"),
    (Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A]), "a PNG image"), (Data("%PDF-1.4".utf8), "a PDF document"),
    (Data([0x1F, 0x8B, 8, 0]), "gzip data"), (Data("<opml version='2.0'/>".utf8), "an OPML list of feeds"),
    (Data("<?xml version='1.0'?><urlset/>".utf8), "a sitemap"), (Data("<svg/>".utf8), "an SVG image"),
    (Data("<x:Error xmlns:x='y'>no</x:Error>".utf8), "an XML document (<Error>)"),
    (Data("<".utf8), "XML that cannot be read"),
  ])
  func otherDocumentsThanFeedsAreNamed(data: Data, name: String) {
    guard case .notAFeed(let found) = read(data) else {
      Issue.record("it was read as \(read(data))")
      return
    }
    #expect(found == name)
  }

  @Test func aPageOffersItsFeeds() {
    let html = """
      <!DOCTYPE html><html><head><title>Page &amp;amp; more</title><base href="/base/">
      <link rel="stylesheet" href="s.css"><link REL="Alternate" type="application/rss+xml; charset=utf-8" title=" News
      feed " href="rss.xml?a=1&amp;b=2"><link rel=alternate type=application/atom+xml href=//cdn.example/atom>
      <link rel="alternate" hreflang="de" href="/de"><link rel="alternate" type="application/rss+xml" href="rss.xml?a=1&amp;b=2">
      </head><body><p>x<link rel="feed" href="f"></body></html>
      """
    guard case .page(let title, let alternates) = read(Data(html.utf8)) else {
      Issue.record("not a page")
      return
    }
    #expect(title == "Page &amp; more")
    #expect(
      alternates == [
        FeedLink(
          url: "http://host.example/base/rss.xml?a=1&b=2", title: "News feed",
          mediaType: "application/rss+xml"),
        FeedLink(url: "http://cdn.example/atom", mediaType: "application/atom+xml"),
        FeedLink(url: "http://host.example/base/f"),
      ])
  }

  @Test func postsComeBeforeCommentsAndAddressesOfWordPressAreNoFeeds() {
    let html = """
      <head><link rel="alternate" type="application/rss+xml" title="W Comments" href="/comments/feed/">
      <link rel="alternate" title="JSON" type="application/json" href="https://host.example/wp-json/wp/v2/pages/2">
      <link rel="alternate" title="oEmbed" type="application/json" href="/?oembed=true&url=x">
      <link rel="alternate" type="application/rss+xml" title="W » Kommentar-Feed" href="/x/feed/">
      <link rel="alternate" type="application/rss+xml" title="W" href="/feed/"></head>
      <body><a rel="alternate" type="application/atom+xml" title="Good" href="/good">Feed</a><a href="/page">p</a>
      """
    guard case .page(_, let feeds) = read(Data(html.utf8)) else {
      Issue.record("not a page")
      return
    }
    #expect(feeds.map(\.title) == ["W", "Good", "W Comments", "W » Kommentar-Feed"])
    #expect(feeds.map(\.isOfComments) == [false, false, true, true])
  }

  @Test(arguments: [
    "<html><body>x</body></html>", "<!-- c --><!doctype HTML><p>x",
    "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><body/></html>",
    "<p>an error message",
  ])
  func htmlIsAPageWithAnyProlog(html: String) {
    guard case .page = read(Data(html.utf8)) else {
      Issue.record("not a page: \(html)")
      return
    }
  }

  @Test func theBytesDecideAndNotTheMediaType() {
    guard case .feed = read(Data("<rss><channel/></rss>".utf8), mediaType: "text/html") else {
      Issue.record("not a feed")
      return
    }
    guard case .page = read(Data("<html></html>".utf8), mediaType: "application/rss+xml") else {
      Issue.record("not a page")
      return
    }
  }

  static let bad: [(String, String, String?)] = [
    (
      "white space before the prolog",
      "\n  <?xml version=\"1.0\"?>\n<rss><channel><item><title>T</title></item></channel></rss>", "T"
    ),
    (
      "undefined entities",
      "<rss><channel><item><title>a&nbsp;&mdash;&hearts;b</title></item></channel></rss>", "a\u{A0}—♥b"
    ),
    (
      "a bare ampersand",
      "<rss><channel><item><title>AT&T & Q&A &c; &lt;x> &amp;</title></item></channel></rss>",
      "AT&T & Q&A &c; <x> &"
    ),
    (
      "a bare angle bracket", "<rss><channel><item><title>1 < 2 &amp; 3 <4</title></item></channel></rss>",
      "1 < 2 & 3 <4"
    ),
    (
      "control characters", "<rss><channel><item><title>a\u{8}b\u{0}c\u{1B}d</title></item></channel></rss>",
      "abcd"
    ),
    (
      "a control character in CDATA",
      "<rss><channel><item><title><![CDATA[a\u{1}b]]></title></item></channel></rss>", "ab"
    ),
    (
      "a reference to a control character",
      "<rss><channel><item><title>a&#8;b&#x1F;c&#0;&#xFFFF;</title></item></channel></rss>", "abc"
    ),
    (
      "references without semicolon",
      "<rss><channel><item><title>it&#8217s &#X41;</title></item></channel></rss>", "it’s A"
    ),
    ("Windows-1252 by number", "<rss><channel><item><title>it&#146;s</title></item></channel></rss>", "it’s"),
    (
      "unquoted attributes",
      "<rss version=2.0><channel><item><guid isPermaLink=false>g</guid><title>T</title></item></channel></rss>",
      "T"
    ),
    (
      "an attribute with a bare ampersand",
      "<rss><channel><item><enclosure url='http://a/?x=1&y=2'/><title>T</title></item></channel></rss>", "T"
    ),
    (
      "tags that are never closed",
      "<rss><channel><item><description>a<br>b<p>c</description><title>T</title></item></channel></rss>", "T"
    ),
    (
      "stray end tags",
      "<rss><channel></p></b></i></x></y><item></p><title>T</title></p></item></channel></rss>", "T"
    ),
    ("crossed tags", "<rss><channel><item><title>T</item></title></channel></rss>", "T"),
    (
      "text before the prolog",
      "Warning: x in <b>y.php</b> on line 3<br />\n<?xml version='1.0'?><rss><channel><item><title>T</title></item></channel></rss>",
      "T"
    ),
    (
      "text after the root",
      "<rss><channel><item><title>T</title></item></channel></rss><script>track()</script>", "T"
    ),
    (
      "a comment with two hyphens",
      "<rss><!-- a -- b --><channel><item><title>T</title></item></channel></rss>", "T"
    ),
    ("a comment that never ends", "<rss><channel><item><title>T</title></item><!-- </channel></rss>", "T"),
    (
      "an unknown entity in an attribute",
      "<rss><channel><item><link title='&foo;'>x</link><title>T</title></item></channel></rss>", "T"
    ),
    ("upper-case names", "<RSS><CHANNEL><ITEM><TITLE>T</TITLE></ITEM></CHANNEL></RSS>", "T"),
    ("no end at all", "<rss><channel><item><guid>g</guid><title>T</title>", "T"),
    (
      "CDATA that never ends",
      "<rss><channel><item><guid>g</guid><title>T</title></item><item><title><![CDATA[x", "T"
    ),
    (
      "an item that is never closed",
      "<rss><channel><item><title>T</title><item><title>U</title></item></channel></rss>", "T"
    ),
    (
      "a quote that is never closed",
      "<rss><channel><item><link href=\"x></link><title>T</title></item></channel></rss>", "T"
    ),
    (
      "a wrong encoding label",
      "<?xml version='1.0' encoding='iso-8859-1'?><rss><channel><item><title>é</title></item></channel></rss>",
      "é"
    ),
    (
      "an encoding nobody knows",
      "<?xml version='1.0' encoding='klingon'?><rss><channel><item><title>é</title></item></channel></rss>",
      "é"
    ),
    ("two marks", "\u{FEFF}\u{FEFF}<rss><channel><item><title>T</title></item></channel></rss>", "T"),
    ("XML 1.1", "<?xml version='1.1'?><rss><channel><item><title>T</title></item></channel></rss>", "T"),
    (
      "an external DTD",
      "<!DOCTYPE rss PUBLIC '-//Netscape//DTD' 'http://127.0.0.1:9/x.dtd'><rss><channel><item><title>T&eacute;</title></item></channel></rss>",
      "Té"
    ),
    ("]]> in text", "<rss><channel><item><title>T]]></title></item></channel></rss>", "T]]>"),
    ("no namespace", "<feed><entry><title>T</title></entry></feed>", "T"),
    (
      "an entity inside a repaired document",
      "<!DOCTYPE rss [<!ENTITY co 'Example'>]><rss><channel><item><title>&co; & more</title></item></channel></rss>",
      "Example & more"
    ),
  ]

  @Test(arguments: bad)
  func whatRealFeedsBreakIsRead(what: String, document: String, title: String?) throws {
    let feed = try readFeed(document)
    let text = feed.entries.first?.title
    #expect(text.map { $0.kind == .html ? shownText($0.raw) : $0.raw } == title, "\(what)")
  }

  @Test func repairNamesTheFirstProblemWithItsLine() throws {
    let feed = try readFeed(
      "\n<?xml version='1.0'?>\n<rss><channel>\n<title>a & b</title>\n<item><title>T</title></item></channel></rss>"
    )
    #expect(feed.problems.map(\.at) == ["4"])
    #expect(feed.problems.first?.message.hasPrefix("not well-formed XML") == true)
  }

  @Test func nothingIsLostAroundWhatIsBroken() throws {
    var document = "<rss><channel><title>F</title>"
    for index in 0..<500 {
      document +=
        "<item><title>T\(index)</title><description>a<br>b</p> & <img src=x><b>c</description><guid>\(index)</guid></item>"
    }
    let feed = try readFeed(document + "</channel></rss>")
    #expect(feed.entries.map(\.id) == (0..<500).map(String.init))
    #expect(feed.entries.map(\.title?.raw) == (0..<500).map { "T\($0)" })
    #expect(
      feed.entries.allSatisfy {
        shownText($0.summary?.raw ?? "").split { $0.isWhitespace } == ["a", "b", "&", "[image]c"]
      })
  }

  /// The repaired text is larger than the document, and is produced in pieces.
  @Test func aLongRepairedTextIsComplete() throws {
    let marks = String(repeating: "é&", count: 100_000)
    let feed = try readFeed(
      "<rss><channel><item><title>A & B</title><description>\(marks)</description></item>"
        + "<item><description><![CDATA[\(marks)]]></description></item><item><title>T</title></item></channel></rss>"
    )
    #expect(feed.entries.map { $0.summary?.raw } == [marks, marks, nil])
    #expect(feed.entries.map { $0.title?.raw } == ["A & B", nil, "T"])
  }

  @Test func anEntryThatWasCutIsKeptOnlyWithItsID() throws {
    #expect(
      try readFeed("<rss><channel><item><title>whole</title></item><item><title>half").entries.count == 1)
    #expect(
      try readFeed("<rss><channel><item><title>whole</title></item><item><title>half</title><guid>tag:")
        .entries.count == 1)
    let kept = try readFeed("<rss><channel><item><guid>g</guid><title>T</title><description>half")
    #expect(kept.entries.map(\.id) == ["g"])
    #expect(kept.entries.first?.summary == nil)
  }
}
