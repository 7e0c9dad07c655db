import Basics
import Foundation
import Testing

@testable import Formats

@Suite struct AtomTests {
  @Test(arguments: [
    ("<title>a &lt;b&gt; c</title>", FeedText.Kind.text, "a <b> c"),
    ("<title type='text'>&lt;p>x&lt;/p></title>", .text, "<p>x</p>"),
    ("<title type='html'>&lt;p>x&amp;amp;y&lt;/p></title>", .html, "<p>x&amp;y</p>"),
    (
      "<title type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'>a &lt; <b title='&quot;q&quot;'>b</b><br/></div></title>",
      .html, "a &lt; <b title=\"&quot;q&quot;\">b</b><br>"
    ),
    ("<title type='text/html'>&lt;i>x&lt;/i></title>", .html, "<i>x</i>"),
    ("<title type='application/octet-stream'>UsOkdHNlbA==</title>", .text, "Rätsel"),
    ("<title type='application/octet-stream'>no base64 ~</title>", .text, "no base64 ~"),
    ("<title type='bogus'>x</title>", .text, "x"),
    ("<title>naked <b>b</b> &lt;</title>", .html, "naked <b>b</b> &lt;"),
  ])
  func theTypeSaysWhatTextIs(title: String, kind: FeedText.Kind, raw: String) throws {
    let text = try #require(try readEntry(title).title)
    #expect(text.kind == kind)
    #expect(text.raw == raw)
  }

  @Test func anImageInBase64IsNotAText() throws {
    #expect(
      try readEntry("<content type='image/png'>iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB//8=</content>").content == nil
    )
  }

  @Test(
    arguments: [
      ("<link href='http://a.example/'/>", "http://a.example/"),
      (
        "<link rel='self' href='http://s.example/'/><link rel='alternate' href='http://a.example/'/>",
        "http://a.example/"
      ),
      (
        "<link rel='alternate' type='application/json' href='http://j.example/'/><link href='http://a.example/'/>",
        "http://a.example/"
      ),
      ("<link rel='alternate' type='application/pdf' href='http://p.example/'/>", "http://p.example/"),
      (
        "<link rel='http://www.iana.org/assignments/relation/alternate' href='http://a.example/'/>",
        "http://a.example/"
      ),
      ("<link rel='edit' href='http://e.example/'/>", nil),
      ("<link>http://t.example/</link>", "http://t.example/"),
      ("<content src='http://c.example/x' type='text/html'/>", "http://c.example/x"),
      ("<link href='x'/>", "http://host.example/dir/x"),
    ] as [(String, String?)])
  func theRelationChoosesTheLink(links: String, link: String?) throws {
    #expect(try readEntry(links).link == link)
  }

  @Test func aFragmentKnowsItsBase() throws {
    let entry = try readEntry(
      "<summary type='html' xml:base='sub/'>&lt;a href='x'></summary><content type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml' xml:base='http://d.example/'><a href='x'>l</a></div></content>",
      feed: "<link href='http://home.example/'/>")
    #expect(entry.summary?.base == "http://host.example/dir/sub/")
    #expect(entry.content?.base == "http://d.example/")
    #expect(
      try readEntry("<summary type='html'>x</summary>", feed: "<link href='http://home.example/'/>").summary?
        .base == "http://home.example/")
    #expect(
      try readEntry("<summary type='html'>x</summary>").summary?.base == "http://host.example/dir/feed.xml")
  }

  @Test func datesLanguagesTagsAndAuthorsAreTaken() throws {
    let entry = try readEntry(
      """
      <id>urn:1</id><published>2003-12-13T08:29:29-04:00</published><updated>2005-07-31T12:29:29Z</updated>
      <category term="t" label="Label"/><category term="plain"/><author><name>A</name></author>
      <author><name>B</name><email>b@example.com</email></author><contributor><name>C</name></contributor>
      <link rel="enclosure" title="Song" href="http://a.example/s.mp3"/>
      """)
    #expect(entry.id == "urn:1")
    #expect(entry.published == ISOInstant.parse("2003-12-13T12:29:29Z"))
    #expect(entry.updated == ISOInstant.parse("2005-07-31T12:29:29Z"))
    #expect(entry.tags == ["Label", "plain"])
    #expect(entry.author?.raw == "A, B (b@example.com)")
    #expect(
      entry.attachments == [
        .init(label: "Song", url: "http://a.example/s.mp3", enclosure: EnclosureFacts())
      ])
  }

  @Test(
    arguments: [
      ("<published>2026-11-28T10:00:00Z</published>", "2026-11-28T10:00:00Z", nil),
      ("<published>2026-11-28</published>", "2026-11-28", nil),
      ("<updated>2026-11-28T00:00:00Z</updated>", nil, "2026-11-28"),
      (
        "<published>2026-11-28</published><updated>2026-11-29T10:00:00Z</updated>", "2026-11-28",
        "2026-11-29T10:00:00Z"
      ),
      // Atom 0.3
      ("<issued>2026-11-28T10:00:00Z</issued>", "2026-11-28T10:00:00Z", nil),
      ("<created>2026-11-27</created><issued>2026-11-28</issued>", "2026-11-28", nil),
      ("<created>2026-11-27</created>", "2026-11-27", nil),
      ("<modified>2026-11-28T10:00:00Z</modified>", nil, "2026-11-28T10:00:00Z"),
      // Besides Atom's own dates, it is unclear which date Dublin Core's is.
      ("<date xmlns='http://purl.org/dc/elements/1.1/'>2026-11-28</date>", nil, "2026-11-28"),
    ] as [(String, String?, String?)])
  func aLoneUpdateIsNoPublication(elements: String, published: String?, updated: String?) throws {
    let entry = try readEntry(elements)
    #expect(entry.publishedAsWritten == published)
    #expect(entry.updatedAsWritten == updated)
  }

  @Test(
    arguments: [
      ("<id> urn:1\n</id>", "urn:1"), ("<id> </id>", nil), ("<id/>", nil), ("<title>T</title>", nil),
    ]
      as [(String, String?)])
  func anIDHasNoWhiteSpaceAroundItAndAnEmptyOneIsNone(elements: String, id: String?) throws {
    #expect(try readEntry(elements).id == id)
  }

  @Test func entriesStayInOrderAndTheFeedsOwnWordsAreItsOwn() throws {
    let feed = try readFeed(
      """
      <a:feed xmlns:a="http://www.w3.org/2005/Atom" xml:lang="en"><a:title>F</a:title><a:subtitle>S</a:subtitle><a:id>f</a:id>
      <a:entry><a:title>1</a:title></a:entry><a:entry xml:lang="fr"><a:title>2</a:title></a:entry></a:feed>
      """)
    #expect(feed.title?.raw == "F")
    #expect(feed.language == "en")
    #expect(feed.entries.map(\.title?.raw) == ["1", "2"])
    #expect(feed.entries.map(\.language) == [nil, "fr"])
  }

  @Test func anEntryDocumentIsAFeedOfOne() throws {
    let feed = try readFeed(
      """
      <?xml version="1.0"?><entry xmlns="http://www.w3.org/2005/Atom" xml:base="https://site.example/a/">
      <id>urn:1</id><title>One</title><link href="b"/><content type="html">&lt;a href="c"&gt;c&lt;/a&gt;</content></entry>
      """)
    #expect(feed.format == .atom10 && feed.isComplete && feed.problems.isEmpty)
    let entry = try #require(feed.entries.first)
    #expect(feed.entries.count == 1 && entry.id == "urn:1" && entry.title?.raw == "One")
    #expect(entry.link == "https://site.example/a/b")
  }

  @Test func aBodysBaseIsItsOwnThenThatOfItsPageThenThatOfTheFeed() throws {
    let feed = try readFeed(
      """
      <feed xmlns="http://www.w3.org/2005/Atom"><link href="https://site.example/home/"/>
      <entry><id>1</id><link href="/blog/one/"/><content type="html" xml:base="https://base.example/x/">&lt;p></content></entry>
      <entry><id>2</id><link href="/blog/two/"/><content type="html">&lt;p></content></entry>
      <entry><id>3</id><content type="html">&lt;p></content></entry></feed>
      """)
    #expect(
      feed.entries.map(\.content?.base) == [
        "https://base.example/x/", "https://site.example/blog/two/", "https://site.example/home/",
      ])
    let bare = try readEntry("<id>1</id><content type=\"html\">&lt;p></content>")
    #expect(bare.content?.base == "http://host.example/dir/feed.xml")
  }
}
