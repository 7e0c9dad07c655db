import Basics
import Foundation
import TestBasics
import Testing

@testable import Formats

/// Hostile and damaged documents cause only a problem line.
@Suite struct FeedSafetyTests {
  static let documents = [
    """
    <?xml version="1.0" encoding="utf-8"?><!DOCTYPE rss [<!ENTITY a "b">]><!-- c --><rss version="2.0" \
    xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>Tïtle &a; &nbsp;</title><link>http://e.example/</link>\
    <item><title><![CDATA[x <b>y</b>]]></title><link>/1</link><guid isPermaLink="false">1</guid><pubDate>Thu, 01 Jan 2004 19:48:21 \
    GMT</pubDate><content:encoded>&lt;p&gt;日本語&lt;/p&gt;</content:encoded><enclosure url="e.mp3" type='audio/mpeg'/></item></channel></rss>
    """,
    """
    <feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://b.example/"><title type="html">&lt;i&gt;T&lt;/i&gt;</title><entry>\
    <id>urn:1</id><author><name>Jörg</name><email>j@e.example</email></author><updated>2003-12-31T10:14:55.7Z</updated>\
    <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><a href="x">l</a><br/></div></content></entry></feed>
    """,
    #"{"version": "https://jsonfeed.org/version/1.1", "title": "é", "items": [{"id": 1, "content_html": "<p>\ud83d\ude00</p>", "date_published": "2020"}]}"#,
    "<!DOCTYPE html><html><head><title>é</title><link rel=alternate type='application/rss+xml' href=x></head><body><p>t</body></html>",
    "<opml version='2.0'><body><outline text='F'><outline text='a' xmlUrl='http://a.example/'/></outline></body></opml>",
  ]

  private func readAll(_ data: Data) {
    for charset in [nil, "iso-8859-1", "utf-16", "euc-kr"] as [String?] {
      let document = FeedReader.read(data, charset: charset, mediaType: nil, address: "http://h.example/")
      guard case .feed(let feed) = document else { continue }
      // Bytes that were inserted twice may make two items of one.
      #expect(feed.entries.count < 20)
      #expect(feed.entries.allSatisfy { ($0.title?.raw.utf8.count ?? 0) <= 4 * data.count })
    }
    if let outlines = try? OPML.read(data) { #expect(outlines.feeds.count < 20) }
    #expect(shownText(String(decoding: data, as: UTF8.self)).utf8.count <= 4 * data.count)
  }

  @Test(arguments: documents)
  func cutAnywhereADocumentIsRead(document: String) {
    let data = Data(document.utf8)
    for length in 0...data.count { readAll(data.prefix(length)) }
  }

  @Test(arguments: documents)
  func documentsWithFlippedBytesAreRead(document: String) {
    var generator = SeededRandom(seed: 42)
    let data = Data(document.utf8)
    for _ in 0..<400 {
      var mutated = data
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let place = Int.random(in: 0..<mutated.count, using: &generator)
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: mutated[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: mutated.remove(at: place)
        case 2:
          mutated.insert(
            contentsOf: Array("<>&\"'/!-[]?=".utf8).shuffled(using: &generator).prefix(2), at: place)
        case 3: mutated.insert(contentsOf: mutated[place...].prefix(40), at: place)
        default: mutated[place] = [0, 0x1B, 0x80, 0xC2, 0xED, 0xFF].randomElement(using: &generator) ?? 0
        }
        if mutated.isEmpty { break }
      }
      readAll(mutated)
    }
  }

  @Test(.timeLimit(.minutes(HangLimit.minutes))) func entitiesDoNotGrow() throws {
    var bomb = "<!DOCTYPE rss [<!ENTITY l0 \"lollollol\">"
    for level in 1...9 {
      bomb += "<!ENTITY l\(level) \"" + String(repeating: "&l\(level - 1);", count: 10) + "\">"
    }
    bomb +=
      "]><rss><channel><title>&l9;</title><item><link title='&l9;'>http://x.example/</link></item></channel></rss>"
    let feed = try readFeed(bomb)
    #expect((feed.title?.raw.utf8.count ?? 0) < 100)
    #expect(feed.entries.count == 1)
    let quadratic =
      "<!DOCTYPE rss [<!ENTITY a \"" + String(repeating: "x", count: 100_000) + "\">]><rss><channel><title>"
      + String(repeating: "&a;", count: 20_000) + "</title></channel></rss>"
    #expect((try readFeed(quadratic).title?.raw.utf8.count ?? 0) < 200_000)
  }

  @Test func nothingOutsideIsRead() throws {
    let feed = try readFeed(
      """
      <!DOCTYPE rss [<!ENTITY f SYSTEM "file:///etc/hostname"><!ENTITY % p SYSTEM "file:///etc/passwd">%p;]>
      <rss><channel><title>[&f;]</title><item xmlns:xi="http://www.w3.org/2001/XInclude"><title>T</title>
      <description><xi:include href="file:///etc/passwd" parse="text"/></description></item></channel></rss>
      """)
    #expect(feed.title?.raw.contains("f;") != false)
    #expect(feed.entries.first?.title?.raw == "T")
    #expect(shownText(feed.entries.first?.summary?.raw ?? "") == "")
  }

  @Test(
    .timeLimit(.minutes(HangLimit.minutes)),
    arguments: [
      "<rss><channel><item><description>" + String(repeating: "<b>", count: 200_000),
      "<rss><channel>" + String(repeating: "<x xmlns:a='b'>", count: 100_000),
      "<rss><channel><item a='b' " + (0..<100_000).map { "a\($0)='' " }.joined()
        + "><title>x</title></item></channel></rss>",
      "<rss>" + String(repeating: "</x>", count: 300_000),
      "<rss>" + String(repeating: "<!DOCTYPE", count: 100_000),
      "<rss>" + String(repeating: "<!--", count: 300_000), "<rss>" + String(repeating: "<?x", count: 300_000),
      "<rss>" + String(repeating: "<a b=\"", count: 200_000),
      "<rss>" + String(repeating: "&", count: 1_000_000),
      "<rss>" + String(repeating: "<![CDATA[", count: 100_000),
      "<html>" + String(repeating: "<b>", count: 300_000),
      "<html>" + String(repeating: "<p><b>", count: 100_000) + String(repeating: "</i>", count: 100_000),
      "{\"items\": " + String(repeating: "[", count: 100_000),
    ])
  func hugeNestingAndRepetitionCostNothing(document: String) {
    if case .feed(let feed) = FeedReader.read(
      Data(document.utf8), charset: nil, mediaType: nil, address: "http://h.example/")
    {
      #expect(feed.entries.count <= 1)
      #expect(feed.problems.count <= 1000)
    }
    #expect(shownText(document).utf8.count <= document.utf8.count)
  }

  @Test func naughtyStringsComeThroughEveryField() throws {
    guard let file = Corpora.naughtyStrings else { return }
    let strings = try #require(JSONReader.parse(Data(contentsOf: file)).elements).compactMap(\.text)
    for string in strings {
      let escaped = string.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(
        of: "<", with: "&lt;")
      let feed = try readFeed(
        "<feed xmlns='http://www.w3.org/2005/Atom'><entry><title type='text'>\(escaped)|</title><id>\(escaped)|</id></entry></feed>"
      )
      #expect(feed.entries.count == 1)
      _ = try readFeed("<rss><channel><item><title>\(string)</title></item></channel></rss>")
    }
  }
}
