import Basics
import Foundation
import Testing

@testable import Formats

@Suite struct RSSTests {
  @Test(arguments: [
    ("<rss version=\"0.91\"><channel/></rss>", ParsedFeed.Format.rss091),
    ("<rss version=\"0.92\"><channel/></rss>", .rss092),
    ("<rss version=\"2.0\"><channel/></rss>", .rss20),
    ("<rss><channel/></rss>", .rss20),
    (
      "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns=\"http://purl.org/rss/1.0/\"><channel/></rdf:RDF>",
      .rss10
    ),
    (
      "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns=\"http://my.netscape.com/rdf/simple/0.9/\"><channel/></rdf:RDF>",
      .rss090
    ),
    ("<feed version=\"0.3\" xmlns=\"http://purl.org/atom/ns#\"/>", .atom03),
    ("<feed xmlns=\"http://www.w3.org/2005/Atom\"/>", .atom10),
  ])
  func theVersionIsKnown(document: String, format: ParsedFeed.Format) throws {
    #expect(try readFeed(document).format == format)
  }

  @Test func allFieldsOfAChannelThatPollingNeedsAreRead() throws {
    let feed = try readFeed(
      """
      <rss version="2.0"><channel><title>T &amp; T</title><link>/home</link><description>about</description>
      <language>de</language><ttl> 90 </ttl><lastBuildDate>Sat, 07 Sep 2002 00:00:01 GMT</lastBuildDate>
      <skipHours><hour>0</hour><hour>24</hour><hour>7</hour><hour>99</hour></skipHours>
      <skipDays><day>Monday</day><day>sunday</day><day>Noday</day></skipDays>
      <managingEditor>ed@example.com (Ed Itor)</managingEditor></channel></rss>
      """)
    #expect(feed.title == FeedText(.text, "T & T"))
    #expect(feed.link == "http://host.example/home")
    #expect(feed.language == "de")
    #expect(feed.timeToLiveMinutes == 90)
    #expect(feed.skipHours == [0, 7])
    #expect(feed.skipDays == [1, 7])
    #expect(feed.author?.raw == "Ed Itor (ed@example.com)")
    #expect(feed.problems.isEmpty)
  }

  @Test(
    arguments: [
      ("<guid>http://a.example/1</guid>", "http://a.example/1", "http://a.example/1"),
      ("<guid isPermaLink='true'>http://a.example/1</guid>", "http://a.example/1", "http://a.example/1"),
      ("<guid isPermaLink='false'>http://a.example/1</guid>", "http://a.example/1", nil),
      ("<guid>abc</guid>", "abc", nil), ("<guid>\n abc\t</guid>", "abc", nil), ("<guid> \n</guid>", nil, nil),
      ("<guid/><link>http://b.example/</link>", nil, "http://b.example/"),
      ("<guid>abc</guid><guid> </guid>", "abc", nil), ("<id> abc </id>", "abc", nil),
      (
        "<guid>http://a.example/1</guid><link>http://b.example/</link>", "http://a.example/1",
        "http://b.example/"
      ),
      ("<link>http://b.example/</link>", nil, "http://b.example/"),
      ("<link/><guid>http://a.example/1</guid>", "http://a.example/1", "http://a.example/1"),
      ("<link>\n  http://b.example/a b\n</link>", nil, "http://b.example/a%20b"),
      ("<link>page?a=1&amp;b=2</link>", nil, "http://host.example/dir/page?a=1&b=2"),
    ] as [(String, String?, String?)])
  func guidsAndLinksComplementEachOther(item: String, id: String?, link: String?) throws {
    let entry = try readItem(item)
    #expect(entry.id == id)
    #expect(entry.link == link)
  }

  @Test func relativeLinksStandOnXMLBaseThenOnTheFeedsLink() throws {
    #expect(
      try readItem("<link>x</link>", channel: "<link>http://home.example/sub/</link>").link
        == "http://home.example/sub/x")
    #expect(
      try readItem(
        "<link xml:base='http://base.example/b/'>x</link>", channel: "<link>http://home.example/</link>"
      ).link == "http://base.example/b/x")
    let late = try readFeed(
      "<rss><channel><item><link>x</link><enclosure url='e.mp3'/></item><link>http://home.example/</link></channel></rss>"
    )
    #expect(late.entries.first?.link == "http://home.example/x")
    #expect(
      late.entries.first?.attachments == [
        .init(label: "e.mp3", url: "http://home.example/e.mp3", enclosure: EnclosureFacts())
      ])
  }

  @Test func anEmptyContentDoesNotHideTheDescription() throws {
    for empty in ["<content:encoded/>", "<content:encoded><![CDATA[  \n ]]></content:encoded>"] {
      let entry = try readItem("\(empty)<description>&lt;p&gt;full&lt;/p&gt;</description>")
      #expect(entry.content == nil)
      #expect(entry.summary?.raw == "<p>full</p>")
    }
  }

  @Test func contentAndDescriptionAreKeptApart() throws {
    let entry = try readItem(
      "<description>short</description><content:encoded>&lt;p&gt;long&lt;/p&gt;</content:encoded>")
    #expect(entry.summary?.raw == "short")
    #expect(entry.content?.raw == "<p>long</p>")
  }

  @Test(arguments: [
    ("<title>a &lt;b> c</title>", FeedText.Kind.text, "a <b> c"),
    ("<title>x &lt; y &amp;&amp; y > z</title>", .text, "x < y && y > z"),
    ("<title>AT&amp;T</title>", .text, "AT&T"),
    ("<title>Tom &amp;amp; Jerry</title>", .text, "Tom & Jerry"),
    ("<title>&lt;em>loud&lt;/em></title>", .html, "loud"),
    ("<title>naked <em>loud</em> &amp; clear</title>", .html, "naked loud & clear"),
    ("<title><![CDATA[ R&D <i>x</i> ]]></title>", .html, "R&D x"),
  ])
  func titlesAreMarkupOnlyWhereTheyLookLikeIt(title: String, kind: FeedText.Kind, plain: String) throws {
    let text = try #require(try readItem(title).title)
    #expect(text.kind == kind)
    #expect((text.kind == .html ? shownText(text.raw) : text.raw) == plain)
  }

  @Test func plainDescriptionsKeepTheirParagraphs() throws {
    #expect(try readItem("<description>one\n\ntwo</description>").summary == FeedText(.text, "one\n\ntwo"))
    #expect(
      try readItem("<description>if a &lt; b then</description>").summary == FeedText(.text, "if a < b then"))
  }

  @Test(
    arguments: [
      ("<author>jane@example.com (Jane Doe)</author>", "Jane Doe (jane@example.com)"),
      ("<author>noreply@blogger.com (Jane Doe)</author>", "Jane Doe"),
      ("<author>Jane Doe &lt;jane@example.com></author>", "Jane Doe (jane@example.com)"),
      ("<author>jane@example.com</author>", "jane@example.com"),
      ("<dc:creator>Jane</dc:creator><dc:creator>John</dc:creator>", "Jane, John"),
      ("<dc:creator>  Jane\n Doe </dc:creator>", "Jane Doe"),
      ("<author><name>Jane</name></author>", "Jane"),
      ("<author></author>", nil),
    ] as [(String, String?)])
  func authorsHaveOneForm(item: String, author: String?) throws {
    #expect(try readItem(item).author?.raw == author)
  }

  @Test func anAuthorsNameOrAnImagesTitleIsNotATitle() throws {
    let entry = try readItem(
      "<image><title>Pic</title><link>http://i.example/</link></image><author><name>Jane</name></author><link>http://l.example/</link>"
    )
    #expect(entry.title == nil)
    #expect(entry.link == "http://l.example/")
    let atom = try readEntry(
      "<author><name>Jane</name></author><source><title>Other</title><id>o</id></source>")
    #expect(atom.title == nil)
    #expect(atom.id == nil)
  }

  @Test func podcastsAndPicturesBecomeAttachments() throws {
    let feed = try readFeed(
      """
      <rss xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:media="http://search.yahoo.com/mrss/"><channel><item>
      <enclosure url="http://a.example/ep%201.mp3" length="1" type="audio/mpeg"/>
      <enclosure url="http://a.example/ep%201.mp3" type="audio/mpeg"/>
      <media:group><media:content url="http://a.example/v" type="video/mp4"/><media:title>Clip</media:title></media:group>
      <media:thumbnail url="/t.jpg"/><itunes:author>Host</itunes:author><itunes:summary>About</itunes:summary>
      <category>News</category><category>News</category><category> Tech  talk </category></item></channel></rss>
      """)
    let entry = try #require(feed.entries.first)
    #expect(entry.attachments.map(\.label) == ["ep 1.mp3", "video/mp4", "t.jpg"])
    #expect(
      entry.attachments.map(\.url) == [
        "http://a.example/ep%201.mp3", "http://a.example/v", "http://host.example/t.jpg",
      ])
    #expect(entry.title?.raw == "Clip")
    #expect(entry.author?.raw == "Host")
    #expect(entry.summary?.raw == "About")
    #expect(entry.tags == ["News", "Tech talk"])
  }

  @Test func aDescriptionOfAPictureIsWhatItsLinkIsCalled() throws {
    let entry = try readItem(
      """
      <description>Text</description><media:content url="http://a.example/1.jpg" type="image/jpeg" medium="image">
      <media:rating scheme="urn:simple">nonadult</media:rating>
      <media:description type="plain">A cat
      asleep &lt;on a sofa></media:description></media:content><media:content url="http://a.example/2.jpg"/>
      <media:description>of neither</media:description>
      """)
    #expect(
      entry.attachments.map { $0.description?.raw ?? $0.label } == ["A cat\nasleep <on a sofa>", "2.jpg"])
    #expect(entry.summary?.raw == "Text")
  }

  @Test(
    arguments: [
      ("<media:group><media:description>One\ntwo</media:description></media:group>", .text, "One\ntwo"),
      ("<media:description type='html'>One &lt;b>two&lt;/b></media:description>", .html, "One <b>two</b>"),
      ("<media:description>One &lt;b>two&lt;/b></media:description>", .html, "One <b>two</b>"),
      (
        "<media:content url='http://a.example/1'><media:description>One</media:description></media:content>",
        .text, "One"
      ),
      ("<media:description>One</media:description><description>Two</description>", .html, "Two"),
    ] as [(String, FeedText.Kind, String)])
  func aMediaDescriptionIsTheTextIfThereIsNoOther(
    _ elements: String, _ kind: FeedText.Kind, _ text: String
  ) throws {
    let summary = try #require(try readItem(elements).summary)
    #expect(summary.kind == kind)
    #expect(summary.raw == text)
  }

  @Test func aMissingOrUnreadableDateStaysMissing() throws {
    let entry = try readItem("<pubDate>Sun, 31 Dec 1999 23:59:59 -9999</pubDate>")
    #expect(entry.published == nil)
    #expect(try readItem("<title>x</title>").published == nil)
    let feed = try readFeed("<rss><channel>\n<item>\n<pubDate>soon</pubDate></item></channel></rss>")
    #expect(feed.problems == [FormatProblem(at: "3", message: "“soon” cannot be read as a date")])
  }

  @Test(
    arguments: [
      ("<pubDate>Sat, 28 Nov 2026 10:00:00 GMT</pubDate>", "2026-11-28T10:00:00Z", nil),
      ("<pubDate>Sat, 28 Nov 2026</pubDate>", "2026-11-28", nil),
      // Dublin Core's only date is the date of publication, and as in earlier versions an update.
      ("<dc:date>2026-11-28T10:00:00Z</dc:date>", "2026-11-28T10:00:00Z", "2026-11-28T10:00:00Z"),
      ("<dc:date>2026-11-28</dc:date>", "2026-11-28", "2026-11-28"),
      (
        "<pubDate>Sat, 28 Nov 2026 10:00:00 GMT</pubDate><dc:date>2026-11-29</dc:date>",
        "2026-11-28T10:00:00Z",
        "2026-11-29"
      ),
      (
        "<dc:date>2026-11-28</dc:date><dc:modified>2026-11-29T10:00:00Z</dc:modified>", "2026-11-28",
        "2026-11-29T10:00:00Z"
      ),
      ("<dc:modified>2026-11-29</dc:modified>", nil, "2026-11-29"),
      ("<dc:issued>2026-11-28</dc:issued>", "2026-11-28", nil),
      ("<dc:available>2026-11-28</dc:available>", "2026-11-28", nil),
      ("<dc:created>2026-11-28</dc:created>", "2026-11-28", nil),
      (
        "<dc:created>2026-11-27</dc:created><pubDate>28 Nov 2026 10:00 GMT</pubDate>", "2026-11-28T10:00:00Z",
        nil
      ),
      (
        "<a:updated xmlns:a='http://www.w3.org/2005/Atom'>2026-11-28T10:00:00Z</a:updated>", nil,
        "2026-11-28T10:00:00Z"
      ),
      // A date that cannot be read leaves the one before it.
      ("<pubDate>28 Nov 2026</pubDate><pubDate>soon</pubDate>", "2026-11-28", nil),
      ("<dc:date>soon</dc:date>", nil, nil), ("<pubDate/>", nil, nil),
    ] as [(String, String?, String?)])
  func anItemsDatesArePublicationsUnlessTheyAreUpdates(
    elements: String, published: String?, updated: String?
  ) throws {
    for entry in [try readItem(elements), try readResource(elements)] {
      #expect(entry.publishedAsWritten == published)
      #expect(entry.updatedAsWritten == updated)
    }
  }

  /// Reads the first item of an RDF document that contains these elements.
  private func readResource(_ elements: String, about: String = "http://a.example/1") throws -> ParsedEntry {
    let feed = try readFeed(
      """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
        xmlns:dc="http://purl.org/dc/elements/1.1/"><channel/><item rdf:about="\(about)">\(elements)</item></rdf:RDF>
      """)
    return try #require(feed.entries.first)
  }

  @Test func aResourcesNameIsItsID() throws {
    #expect(try readResource("", about: "  urn:1\n").id == "urn:1")
    #expect(try readResource("", about: " ").id == nil)
    #expect(try readResource("<link>http://a.example/2</link>").id == "http://a.example/1")
    #expect(try readResource("<dc:identifier>x</dc:identifier>").id == "http://a.example/1")
  }

  @Test func elementsOfOtherModulesDoNotMix() throws {
    let feed = try readFeed(
      "<rss xmlns:x='http://x.example/'><channel><title>T</title><x:title>no</x:title><item><x:description>no</x:description><x:link>no</x:link></item></channel></rss>"
    )
    #expect(feed.title?.raw == "T")
    #expect(feed.entries == [ParsedEntry()])
  }

  @Test func prefixesWithoutDeclarationMeanWhatTheyUsuallyDo() throws {
    let feed = try readFeed(
      "<rss><channel><item><content:encoded>&lt;p>c&lt;/p></content:encoded><dc:creator>J</dc:creator></item></channel></rss>"
    )
    #expect(feed.entries.first?.content?.raw == "<p>c</p>")
    #expect(feed.entries.first?.author?.raw == "J")
  }

  // MARK: Further fields

  private func namespaced(_ elements: String) throws -> ParsedEntry {
    let feed = try readFeed(
      """
      <rss version="2.0" xmlns:feedburner="http://rssnamespace.org/feedburner/ext/1.0"
        xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:podcast="https://podcastindex.org/namespace/1.0"
        xmlns:psc="http://podlove.org/simple-chapters" xmlns:slash="http://purl.org/rss/1.0/modules/slash/">
      <channel><link>https://site.example/</link><item>\(elements)</item></channel></rss>
      """)
    return try #require(feed.entries.first)
  }

  @Test func theDiscussionHasItsOwnLink() throws {
    let entry = try namespaced(
      "<link>https://a.example/</link><comments>/item?id=1</comments><slash:comments>5</slash:comments>")
    #expect(entry.comments == "https://site.example/item?id=1")
    #expect(entry.attachments.isEmpty)
    let same = try namespaced("<link>https://a.example/</link><comments>https://a.example/</comments>")
    #expect(same.comments == nil)
  }

  @Test func theOriginalLinkIsThePageAndTheOtherStillIdentifies() throws {
    let counted = """
      <link>https://feedproxy.example/~r/1</link><feedburner:origLink>https://site.example/1</feedburner:origLink>
      """
    #expect(try namespaced(counted).link == "https://site.example/1")
    #expect(try namespaced(counted).id == "https://feedproxy.example/~r/1")
    #expect(try namespaced(counted).isIDLink)
    #expect(try namespaced("<guid>g</guid>" + counted).id == "g")
    #expect(try !namespaced("<guid>g</guid>" + counted).isIDLink)
    #expect(try namespaced("<feedburner:origLink>https://site.example/1</feedburner:origLink>").id == nil)
  }

  @Test func chaptersTranscriptsAndKeywordsAreRead() throws {
    let entry = try namespaced(
      """
      <title>T</title><itunes:keywords>one, two,one</itunes:keywords>
      <podcast:chapters url="https://p.example/c.json" type="application/json+chapters"/>
      <podcast:transcript url="https://p.example/t.vtt" type="text/vtt" language="en"/>
      <psc:chapters version="1.2"><psc:chapter start="00:01:02" title="Intro" href="https://p.example/intro"/>
      <psc:chapter start="00:02" title="No link"/></psc:chapters>
      """)
    #expect(entry.tags == ["one", "two"])
    #expect(entry.attachments.map(\.label) == ["chapters", "transcript (en)", "00:01:02 Intro"])
    #expect(
      entry.attachments.map(\.url) == ["c.json", "t.vtt", "intro"].map { "https://p.example/\($0)" })
  }

  @Test func anAddressMayBeTheTextOfAnEnclosure() throws {
    let entry = try namespaced(
      """
      <link>https://a.example/</link><enclosure type="audio/mpeg" length="7"> https://p.example/b.mp3 </enclosure>
      """)
    #expect(entry.attachments.map(\.url) == ["https://p.example/b.mp3"])
    #expect(entry.attachments.first?.enclosure?.type == "audio/mpeg")
    #expect(entry.attachments.first?.enclosure?.length == 7)
    let atom = try readEntry(
      """
      <link href="https://a.example/d"/><link rel="enclosure" type="image/jpeg">https://p.example/x.jpg</link>
      """)
    #expect(atom.link == "https://a.example/d")
    #expect(atom.attachments.map(\.url) == ["https://p.example/x.jpg"])
  }

  @Test func whatHasNothingInItIsNamed() throws {
    let feed = try readFeed(
      """
      <rss version="2.0"><channel><item/><item><title> </title><pubDate>Mon, 01 Jan 2024 00:00:00 GMT</pubDate></item>
      <item><guid>1</guid></item></channel></rss>
      """)
    #expect(feed.entries.map(\.isEmpty) == [true, true, false])
    #expect(feed.allProblems.map(\.message) == ["2 entries have neither text, link nor id"])
  }

  @Test(arguments: [
    ("site.example/four", "https://site.example/four"), ("//site.example/x", "https://site.example/x"),
    ("javascript:alert(1)", nil), (" java\nscript:alert(1)", nil),
    ("other.example/x", "https://site.example/other.example/x"),
  ])
  func anAddressWithoutItsSchemeIsFoundAndCodeIsNone(link: String, url: String?) throws {
    #expect(try namespaced("<title>T</title><link>\(link)</link>").link == url)
  }
}
