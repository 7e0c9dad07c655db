import Foundation
import HTTP
import Messages
import Services
import Testing

/// The result of fields that state one thing twice, in another spelling, or as HTML.
@Suite struct FeedMeaningTests {
  private func read(_ document: String) -> [IncomingMessage] {
    Inspector.inspect(
      Data(document.utf8), kind: .feed, address: "https://site.example/dir/feed.xml",
      context: PollContext(now: now)
    ).messages
  }

  /// Returns the second of three items of RSS.
  private func item(_ elements: String, namespaces: String = namespaces) throws -> IncomingMessage {
    let messages = read(
      """
      <rss version="2.0" \(namespaces)><channel><title>F</title><link>https://site.example/</link>
      <item><guid isPermaLink="false">1</guid><title>before</title></item>
      <item><guid isPermaLink="false">2</guid>\(elements)</item>
      <item><guid isPermaLink="false">3</guid><title>after</title></item></channel></rss>
      """)
    #expect(messages.count == 3)
    return try #require(messages.first { $0.remoteID.text == "2" })
  }

  /// Returns the second of three entries of Atom.
  private func entry(_ elements: String, feed: String = "") throws -> IncomingMessage {
    let messages = read(
      """
      <feed xmlns="http://www.w3.org/2005/Atom"><title>F</title><id>urn:f</id>\(feed)
      <entry><id>urn:1</id><title>before</title></entry><entry><id>urn:2</id>\(elements)</entry>
      <entry><id>urn:3</id><title>after</title></entry></feed>
      """)
    #expect(messages.count == 3)
    return try #require(messages.first { $0.remoteID.text == "urn:2" })
  }

  private static let namespaces = """
    xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" \
    xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:media="http://search.yahoo.com/mrss/" \
    xmlns:atom="http://www.w3.org/2005/Atom" xmlns:feedburner="http://rssnamespace.org/feedburner/ext/1.0" \
    xmlns:googleplay="http://www.google.com/schemas/play-podcasts/1.0"
    """

  // MARK: The fuller text

  @Test(arguments: [
    (
      "<itunes:subtitle>One line</itunes:subtitle><itunes:summary>Many words here</itunes:summary>",
      "Many words here"
    ),
    (
      "<itunes:summary>Many words here</itunes:summary><itunes:subtitle>One line</itunes:subtitle>",
      "Many words here"
    ),
    ("<itunes:subtitle>One line</itunes:subtitle>", "One line"),
    (
      "<description>Short</description><itunes:summary>Much longer notes</itunes:summary>",
      "Much longer notes"
    ),
    (
      "<description>&lt;b&gt;As long&lt;/b&gt; as</description><itunes:summary>As long as that</itunes:summary>",
      "As long as"
    ),
    ("<description>  </description><itunes:summary>Words</itunes:summary>", "Words"),
    (
      "<description>Words</description><content:encoded>&lt;p&gt;&amp;nbsp;&lt;/p&gt;</content:encoded>",
      "Words"
    ),
    (
      "<description>Words</description><content:encoded>&lt;!-- wp --&gt;&lt;p&gt;&lt;/p&gt;</content:encoded>",
      "Words"
    ),
    ("<description>Words</description><content:encoded>&lt;p&gt;Other&lt;/p&gt;</content:encoded>", "Other"),
    (
      "<description>Many more words than there</description><content:encoded>&lt;p&gt;More…&lt;/p&gt;</content:encoded>",
      "Many more words than there"
    ),
    (
      "<description>Many more words than there</description><content:encoded>&lt;img src='https://site.example/1.png' alt='comic'&gt;</content:encoded>",
      "[image: comic]"
    ),
    ("<googleplay:description>Words</googleplay:description>", "Words"),
  ])
  func theFullerOfTwoTextsIsTheBody(elements: String, body: String) throws {
    #expect(try item(elements).body == body)
  }

  @Test(arguments: [
    ("<summary>Words</summary><content type='html'>&lt;p&gt;&lt;br&gt;&lt;/p&gt;</content>", "Words"),
    ("<summary>Words</summary><content type='html'>&lt;p&gt;Other&lt;/p&gt;</content>", "Other"),
    ("<content type='html'>&lt;p&gt;&lt;br&gt;&lt;/p&gt;</content>", ""),
  ])
  func contentOfAtomWithoutWordsIsNoText(elements: String, body: String) throws {
    #expect(try entry(elements).body == body)
  }

  @Test func aBlankFieldOfAJSONFeedGivesWayToTheNext() {
    let messages = read(
      """
      {"version": "https://jsonfeed.org/version/1.1", "title": "J", "items": [
      {"id": "1", "title": 2026, "content_html": "<p> </p>", "content_text": "Words"},
      {"id": "2", "content_html": "<p></p>", "summary": "Words"},
      {"id": "3", "content_html": "<p>Own</p>", "content_text": "Other", "summary": "S"}]}
      """)
    #expect(messages.map(\.body) == ["Words", "Words", "Own"])
    #expect(messages.first?.title == "2026")
  }

  @Test func aTitleWithoutWordsGivesWayToTheOther() throws {
    let blank = try item("<title>&lt;b&gt;&lt;/b&gt;</title><media:title>Name</media:title>")
    #expect(blank.title == "Name")
    #expect(try item("<title>Own</title><media:title>Name</media:title>").title == "Own")
  }

  // MARK: Authors

  @Test(arguments: [
    ("<dc:creator>by &lt;a href='https://x.example/'&gt;Ann Bee&lt;/a&gt;</dc:creator>", "by Ann Bee"),
    ("<author>by <b>Ann Bee</b></author>", "by Ann Bee"),
    ("<author>()</author>", nil), ("<author> - </author>", nil), ("<author>🦊</author>", "🦊"),
    ("<author><uri>https://ann.example/</uri></author>", nil),
    ("<dc:creator>Ann &amp;amp; Bo</dc:creator>", "Ann & Bo"),
    ("<dc:creator>Ann</dc:creator><dc:creator>Bo</dc:creator><dc:creator>Ann</dc:creator>", "Ann, Bo"),
    ("<author>ann@site.example (Ann &lt;b&gt;Bee&lt;/b&gt;)</author>", "ann@site.example (Ann Bee)"),
    ("<author>Vec&lt;T&gt;</author>", "Vec<T>"),
  ])
  func anAuthorIsAName(elements: String, author: String?) throws {
    #expect(try item(elements).author == author)
  }

  @Test func authorsOfAFeedAreNamedOnce() throws {
    let authors =
      "<author><name>Ann</name></author><author><name>Bo</name></author><author><name>Bo</name></author>"
    #expect(try entry("", feed: authors).author == "Ann, Bo")
    #expect(try entry("<author><name>&lt;i&gt;Cy&lt;/i&gt;</name></author>", feed: authors).author == "Cy")
  }

  @Test func anEntryOfAPlanetIsByTheAuthorOfItsSource() throws {
    let source = "<source><title>Blog</title><author><name>Dee</name></author></source>"
    let planet = "<author><name>Planet</name></author>"
    #expect(try entry(source, feed: planet).author == "Dee")
    #expect(try entry(source + "<author><name>Own</name></author>", feed: planet).author == "Own")
    #expect(try entry("<source><title>Blog</title></source>", feed: planet).author == "Planet")
    #expect(
      try entry(source, feed: planet).title == "(no title)" || entry(source, feed: planet).title.isEmpty)
  }

  @Test func authorsReplaceTheAuthorOfJSONFeed() {
    let messages = read(
      """
      {"version": "https://jsonfeed.org/version/1.1", "title": "J", "author": {"name": "Old"},
      "authors": [{"name": "Ann"}, {"name": "Bo"}], "items": [{"id": "1", "content_text": "x"},
      {"id": "2", "content_text": "x", "authors": [{"name": "Cy"}, {"name": "Cy"}]},
      {"id": "3", "content_text": "x", "author": {"name": "Own"}, "authors": []}]}
      """)
    #expect(messages.map(\.author) == ["Ann, Bo", "Cy", "Own"])
  }

  // MARK: Names of vocabularies

  @Test(arguments: [
    "xmlns:content='https://purl.org/rss/1.0/modules/content/' xmlns:dc='https://purl.org/dc/elements/1.1'",
    "xmlns:content='HTTP://PURL.ORG/RSS/1.0/MODULES/CONTENT' xmlns:dc='http://www.purl.org/dc/elements/1.1/'",
    "xmlns:content='http://purl.org/rss/1.0/modules/content/#' xmlns:dc='urn:dublin-core'", "",
  ])
  func aVocabularyIsKnownByNearlyItsName(namespaces: String) throws {
    let message = try item(
      "<content:encoded>Words</content:encoded><dc:creator>Ann</dc:creator><dc:date>2026-01-02</dc:date>",
      namespaces: namespaces)
    #expect(message.body == "Words")
    #expect(message.author == "Ann")
    #expect(message.published == Date(timeIntervalSince1970: 1_767_312_000))
  }

  @Test func entriesInElementsOfOthersAreNotTheFeeds() {
    let messages = read(
      """
      <rss version="2.0"><channel><item><guid>1</guid></item>
      <x:y xmlns:x="urn:x"><item><guid>2</guid></item></x:y>
      <items><item><guid>3</guid></item></items><item><guid>4</guid></item></channel></rss>
      """)
    #expect(messages.map(\.remoteID.text) == ["1", "3", "4"])
  }

  @Test func tagsOfMediaAndPodcastsAreRead() throws {
    let message = try item(
      """
      <media:category>boats</media:category><itunes:category text="Arts"><itunes:category text="Design"/>
      </itunes:category><category>own</category>
      """)
    #expect(message.tags == ["boats", "Arts", "Design", "own"])
    #expect(try entry("<category label='Tech'/><category term='news'/>").tags == ["Tech", "news"])
  }

  // MARK: Addresses

  @Test func theDiscussionIsAPage() throws {
    let link = "<link href='https://site.example/p'/>"
    func comments(_ message: IncomingMessage) -> [String] {
      (message.extras?.actions ?? []).filter { $0.label == "comments" }.map(\.url)
    }
    let replies = "<link rel='replies' type='application/atom+xml' href='https://site.example/c.atom'/>"
    let page = "<link rel='replies' type='text/html' href='https://site.example/p#comments'/>"
    #expect(try comments(entry(link + replies + page)) == ["https://site.example/p#comments"])
    #expect(try comments(entry(link + replies)) == [])
    #expect(try entry(page + link).url == "https://site.example/p")
    for (text, address) in [
      ("Some text", nil), ("12", nil), ("https://site.example/c", "https://site.example/c"),
      ("/c/1", "https://site.example/c/1"), ("javascript:x()", nil),
    ] {
      #expect(try comments(item("<comments>\(text)</comments>")) == [address].compactMap(\.self))
    }
  }

  @Test func anAddressIsNotEscapedTwice() throws {
    let message = try item(
      """
      <link>https://site.example/p?a=1&amp;amp;b=2</link>
      <enclosure url="https://site.example/1.mp3?a=1&amp;amp;b=2" type="audio/mpeg" length="1"/>
      """)
    #expect(message.url == "https://site.example/p?a=1&b=2")
    #expect(message.extras?.enclosures?.map(\.url) == ["https://site.example/1.mp3?a=1&b=2"])
    #expect(message.extras?.actions.map(\.url) == ["https://site.example/1.mp3?a=1&b=2"])
  }

  @Test func anIDThatIsALinkStaysAsWritten() {
    let messages = read(
      "<rss><channel><item><link>https://site.example/?a=1&amp;amp;b=2</link></item></channel></rss>")
    #expect(messages.map(\.remoteID.text) == ["https://site.example/?a=1&amp;b=2"])
    #expect(messages.map(\.url) == ["https://site.example/?a=1&b=2"])
  }

  @Test(arguments: [
    ("<guid>/posts/1</guid>", "https://site.example/posts/1"),
    ("<guid isPermaLink='true'>posts/1.html</guid>", "https://site.example/posts/1.html"),
    ("<guid isPermaLink='true'>12</guid>", nil), ("<guid>posts/1.html</guid>", nil),
    ("<guid isPermaLink='false'>/posts/1</guid>", nil), ("<guid>tag:site.example,2026:1</guid>", nil),
    ("<guid>/posts/1</guid><link>https://site.example/own</link>", "https://site.example/own"),
  ])
  func aRelativeGuidMayBeALink(elements: String, url: String?) {
    let messages = read(
      "<rss><channel><link>https://site.example/</link><item>\(elements)</item></channel></rss>")
    #expect(messages.map(\.url) == [url])
    #expect(messages.map(\.remoteID.text).allSatisfy { elements.contains(">\($0)</guid>") })
  }

  @Test func theRecordingItselfIsPlayed() throws {
    let message = try item(
      """
      <enclosure url="https://counter.example/~r/1.mp3" type="audio/mpeg" length="9"/>
      <feedburner:origEnclosureLink>https://site.example/1.mp3</feedburner:origEnclosureLink>
      """)
    #expect(message.extras?.enclosures?.map(\.url) == ["https://site.example/1.mp3"])
    #expect(message.extras?.enclosures?.map(\.length) == [9])
  }

  // MARK: Text or HTML

  @Test(arguments: [
    ("<title type='application/octet-stream'>News2026</title>", "News2026"),
    ("<title type='text/html; charset=utf-8'>&lt;b&gt;N&lt;/b&gt;ews</title>", "News"),
    ("<title type='escaped'>&lt;b&gt;N&lt;/b&gt;ews</title>", "News"),
    ("<title type='image/x'>a &lt;b&gt; c</title>", "a <b> c"),
    ("<title type='text'>&lt;b&gt;N&lt;/b&gt;ews</title>", "<b>N</b>ews"),
  ])
  func aTitleOfAnUnknownTypeIsText(elements: String, title: String) throws {
    #expect(try entry(elements).title == title)
  }

  @Test(arguments: [
    ("The &lt;br&gt; element", "The <br> element"), ("Use &lt;p&gt; and &lt;/p&gt;", "Use <p> and </p>"),
    ("&lt;marquee&gt; is back", "<marquee> is back"), ("Meet (&lt;wbr&gt;)", "Meet (<wbr>)"),
    ("One&lt;br&gt;two", "One two"), ("One &lt;br/&gt; two", "One two"),
    ("&lt;p&gt;Words&lt;/p&gt;", "Words"),
    ("&lt;b&gt; Bold &lt;/b&gt;", "Bold"), ("a &lt;b&gt;b&lt;/b&gt; c", "a b c"),
  ])
  func aTagThatStandsAsAWordIsOne(title: String, shown: String) throws {
    #expect(try item("<title>\(title)</title>").title == shown)
  }

  @Test(arguments: [
    "<applet code='x'>Words</applet>", "<blink>Words</blink>", "<my-card kind='a'>Words</my-card>",
    "<frameset><frame src='https://site.example/f'></frameset>Words", "<x:y>Words</x:y>",
    "<p>A</p><object data='https://site.example/o'><p>Words</p>", "<p>A</p><svg><title>t</title><p>Words</p>",
    "<p>A</p><map><area><p>Words</p>", "<p>A</p><video src='https://site.example/v'><p>Words</p>",
    "<p>A</p><select><option>Words", "<map name='m'><area><p>Words</p></map>",
  ])
  func theWordsOfAnyElementAreShown(html: String) throws {
    let message = try item("<description><![CDATA[\(html)]]></description>")
    #expect(message.body.contains("Words"))
    #expect(!message.body.contains("<"))
  }

  @Test(arguments: ["Vec<T> and a < b", "a < b"])
  func aTextWithoutElementsStays(text: String) throws {
    #expect(try item("<description><![CDATA[\(text)]]></description>").body == text)
  }
}
