import Basics
import Foundation
import Messages
import Testing

@testable import Formats
@testable import Services

struct WebFeedMessagesTests {
  private func entry(_ change: (inout ParsedEntry) -> Void) -> ParsedEntry {
    var entry = ParsedEntry()
    change(&entry)
    return entry
  }

  private func messages(_ entries: [ParsedEntry]) -> [IncomingMessage] {
    var feed = ParsedFeed(format: .rss20)
    feed.entries = ParsedEntries(entries)
    return WebFeedMessages.messages(of: feed)
  }

  @Test(arguments: [(.atom10, "Ed"), (.jsonFeed11, "Ed"), (.rss20, nil)] as [(ParsedFeed.Format, String?)])
  func anEntryWithoutAnAuthorIsByTheFeeds(format: ParsedFeed.Format, author: String?) {
    var feed = ParsedFeed(format: format)
    feed.author = FeedText(.text, "Ed")
    var (own, other) = (ParsedEntry(), ParsedEntry())
    own.author = FeedText(.text, "Ann")
    own.id = "1"
    other.id = "2"
    feed.entries.append(own)
    feed.entries.append(other)
    #expect(WebFeedMessages.messages(of: feed).map(\.author) == [author, "Ann"])
  }

  @Test func theIDIsTheGuidElseTheLinkElseTheFileElseADigest() throws {
    let file = ParsedEntry.Attachment(label: "File", url: "http://h/f.mp3", enclosure: EnclosureFacts())
    let picture = ParsedEntry.Attachment(label: "Picture", url: "http://h/p.png")
    let made = messages([
      entry {
        $0.id = "g"
        $0.link = "http://h/1"
      },
      entry {
        $0.link = "http://h/2"
        $0.attachments = [file]
      },
      entry { $0.attachments = [picture, file] },
      entry {
        $0.title = FeedText(.text, "No id")
        $0.summary = FeedText(.html, "<p>Only &lt;words> &amp; more</p>")
        $0.attachments = [picture]
      },
    ])
    #expect(made[3].remoteID == RemoteID("g"))
    #expect(made[2].remoteID == RemoteID("http://h/2"))
    #expect(made[1].remoteID == RemoteID("http://h/f.mp3"))
    #expect(made[0].remoteID.text == "sha256:" + SHA256.digest("No id\u{0}\u{0}Only <words> & more").hex)
    #expect(made[2...].allSatisfy { $0.formerIDs == [] })
  }

  @Test func anIDDoesNotDependOnTheOthers() {
    let entries = [("same", 1), ("same", 2), ("twice", 3), ("twice", 3)].map { id, link in
      entry {
        $0.id = id
        $0.link = "http://h/\(link)"
      }
    }
    #expect(messages(entries).reversed().map(\.remoteID.text) == ["same", "same", "twice", "twice"])
  }

  @Test func whatHasNothingIsLeftOut() {
    #expect(
      messages([entry { $0.author = FeedText(.text, "Ann") }, entry { $0.title = FeedText(.text, "a") }]).map(
        \.title) == ["a"]
    )
  }

  @Test(arguments: [
    ("The &lt;img&gt; element", "The <img> element"), ("&lt;hr&gt; and &lt;hr/&gt;", "<hr> and <hr/>"),
    ("&amp;lt;b&amp;gt; &lt;input&gt;", "<b> <input>"), ("&amp;#60;input&amp;#62;", "<input>"),
    ("&#60;input&#62;", "<input>"), ("Vec&lt;T> and &amp;lt;T&amp;gt;", "Vec<T> and <T>"),
    ("Why &lt;/body&gt; is optional", "Why </body> is optional"),
    ("&lt;p&gt; or &lt;div&gt;", "<p> or <div>"),
    ("&lt;b&gt;Bold&lt;/b&gt; move", "Bold move"), ("One&lt;br&gt;two", "One two"),
    ("A &lt;img src=\"a.png\" alt=\"cat\"&gt; b", "A [image: cat] b"),
    ("&lt;i>x&lt;/i> &amp;amp; y", "x & y"),
    ("<![CDATA[<em>x</em> &amp; y]]>", "x & y"), ("C&amp;amp;A", "C&A"),
  ])
  func tagsThatAreWordsStayInATitle(written: String, title: String) throws {
    let document = "<rss><channel><item><guid>1</guid><title>\(written)</title></item></channel></rss>"
    let reading = FeedReader.read(
      Data(document.utf8), charset: nil, mediaType: nil, address: "http://a.example/")
    guard case .feed(let feed) = reading else {
      Issue.record("no feed")
      return
    }
    #expect(WebFeedMessages.messages(of: feed).map(\.title) == [title])
  }

  @Test func idsAreBytesNotCharacters() {
    let composed = "caf\u{e9}"
    let decomposed = "cafe\u{301}"
    let made = messages([entry { $0.id = composed }, entry { $0.id = decomposed }])
    #expect(Set(made.map(\.remoteID)).count == 2)
  }

  @Test func markupIsResolvedOnceAndTextMeansItself() {
    let made = messages([
      entry {
        $0.id = "1"
        $0.title = FeedText(.text, "a < b && <i>c</i> &amp;")
        $0.content = FeedText(.html, "<p>One &amp;amp; <b>two</b></p><p>three</p>")
        $0.summary = FeedText(.html, "not this")
      }
    ])
    #expect(made[0].title == "a < b && <i>c</i> &amp;")
    #expect(made[0].body.hasPrefix("One &amp; two\n"))
    #expect(made[0].html == "<p>One &amp;amp; <b>two</b></p><p>three</p>")
  }

  @Test(arguments: [
    "<rss><channel><item><guid>1</guid><title>Q&amp;amp;A: &amp;amp;lt;b&amp;amp;gt;</title></item></channel></rss>",
    "<rss><channel><item><guid>1</guid><title><![CDATA[Q&amp;A: &amp;lt;b&amp;gt;]]></title></item></channel></rss>",
    #"{"version": "https://jsonfeed.org/version/1.1", "items": [{"id": "1", "title": "Q&amp;A: &amp;lt;b&amp;gt;"}]}"#,
    "<feed xmlns='http://www.w3.org/2005/Atom'><entry><id>1</id><title type='html'>Q&amp;amp;A: &amp;amp;lt;b&amp;amp;gt;</title></entry></feed>",
    "<feed xmlns='http://www.w3.org/2005/Atom'><entry><id>1</id><title>Q&amp;A: &amp;lt;b&amp;gt;</title></entry></feed>",
  ])
  func referencesInTitlesAreResolvedOnce(_ document: String) throws {
    let reading = FeedReader.read(
      Data(document.utf8), charset: nil, mediaType: nil, address: "http://a.example/")
    guard case .feed(let feed) = reading else {
      Issue.record("no feed")
      return
    }
    #expect(WebFeedMessages.messages(of: feed).map(\.title) == ["Q&A: &lt;b&gt;"])
  }

  @Test func plainTextBodiesHaveNoHTML() {
    let made = messages([
      entry {
        $0.id = "1"
        $0.content = FeedText(.text, "just <text>")
      }
    ])
    #expect(made[0].body == "just <text>")
    #expect(made[0].html == nil)
  }

  @Test func everythingElseIsCarriedOver() {
    let published = Date(timeIntervalSince1970: 1)
    let updated = Date(timeIntervalSince1970: 2)
    var feed = ParsedFeed(format: .atom10)
    feed.language = "de"
    feed.entries = [
      entry {
        $0.id = "1"
        $0.author = FeedText(.text, "Ann")
        $0.published = published
        $0.updated = updated
        $0.tags = ["x", "y"]
        $0.attachments = [
          .init(
            label: "Song", url: "http://h/s.mp3",
            enclosure: EnclosureFacts(type: "audio/mpeg", length: "7", duration: "1:00")),
          .init(label: "Cover", url: "http://h/c.png"),
        ]
      },
      entry {
        $0.id = "2"
        $0.language = "fr"
      },
    ]
    let made = WebFeedMessages.messages(of: feed)
    #expect(made[1].author == "Ann")
    #expect(
      made[1].extras?.actions == [
        MessageAction(label: "Song", url: "http://h/s.mp3"),
        MessageAction(label: "Cover", url: "http://h/c.png"),
      ])
    #expect(
      made[1].extras?.enclosures == [
        Enclosure(url: "http://h/s.mp3", type: "audio/mpeg", length: 7, duration: 60)
      ])
    #expect(made[1].published == published)
    #expect(made[1].updated == updated)
    #expect(made[1].tags == ["x", "y"])
    #expect(made[1].language == "de")
    #expect(made[0].language == "fr")
    #expect(made[0].published == nil && made[0].updated == nil)
    #expect(made.allSatisfy { $0.kind == .feed })
  }

  @Test func aMissingTitleIsTheBeginningOfTheBody() {
    let long = String(repeating: "word ", count: 50)
    let made = messages([
      entry {
        $0.id = "1"
        $0.summary = FeedText(.text, "First line\nsecond")
      },
      entry {
        $0.id = "2"
        $0.summary = FeedText(.text, long)
      }, entry { $0.id = "3" },
    ])
    #expect(made[2].title == "First line")
    #expect(made[1].title.hasSuffix("word…") && made[1].title.count <= 101)
    #expect(made[0].title.isEmpty)
  }

  @Test func aTitleIsOneLine() {
    let made = messages([
      entry {
        $0.id = "1"
        $0.title = FeedText(.text, " a\r\n\tb  ")
      }
    ])
    #expect(made[0].title == "a b")
  }

  /// Many entries are mapped in parts, in parallel.
  @Test(arguments: [0, 1, 511, 512, 513, 768, 1025, 5000])
  func orderAndNumberDoNotDependOnTheSize(count: Int) {
    let entries = (0..<count).map { number in entry { $0.id = "\(number)" } }
    #expect(messages(entries).map(\.remoteID.text) == (0..<count).reversed().map(String.init))
  }

  @Test func anEndlessTextOrIDIsCut() throws {
    let words = String(repeating: "word ", count: 4_000_000)
    let message = try #require(
      messages([
        entry {
          $0.id = words
          $0.title = FeedText(.text, words)
          $0.content = FeedText(.text, words)
          $0.author = FeedText(.text, words)
        }
      ]).first)
    #expect(message.title.utf8.count <= 16 << 10)
    // This is more than is stored, so that the store notices the cut.
    #expect(message.body.utf8.count == 2 << 20)
    #expect(message.remoteID.text.hasPrefix("sha256:"))
    #expect((message.author?.utf8.count ?? 0) <= 4 << 10)
  }

  @Test func theOldestAreLeftOutWhereAFeedBecomesTooLarge() {
    let entries = (0..<2000).map { number in
      entry {
        $0.id = String(number)
        $0.content = FeedText(.html, String(repeating: "<ol><li>", count: 8000))
      }
    }
    let allowance = Allowance(documentBytes: 1 << 20)
    let made = WebFeedMessages.messages(
      of: {
        var feed = ParsedFeed(format: .rss20)
        feed.entries = ParsedEntries(entries)
        return feed
      }(), allowance: allowance)
    #expect(allowance.isSpent)
    #expect(made.count < 2000)
    #expect(made.last?.remoteID.text == "0")
  }

  @Test func aPostWithoutWordsIsCalledByWhatComesWithItElseByItsLink() throws {
    let feed = """
      <rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><link>https://s.example/</link>
      <item><guid>1</guid><media:content url="https://f.example/p.jpg"><media:description>A &lt;b>loaf&lt;/b></media:description></media:content></item>
      <item><link>https://s.example/2</link><enclosure url="https://f.example/2.mp4" type="video/mp4"/></item>
      <item><link>https://s.example/3</link><comments>https://s.example/3#c</comments></item>
      <item><link>https://s.example/4</link><description>&lt;p>&lt;img src="/cat.jpg">&lt;/p></description></item>
      </channel></rss>
      """
    let inspection = Inspector.inspect(
      Data(feed.utf8), kind: nil, address: "https://s.example/feed", context: PollContext(now: now))
    #expect(
      inspection.messages.map(\.title) == ["A loaf", "2.mp4", "https://s.example/3", "[image: cat.jpg]"])
    #expect(
      inspection.messages[2].extras?.actions == [
        MessageAction(label: "comments", url: "https://s.example/3#c")
      ])
  }
}
