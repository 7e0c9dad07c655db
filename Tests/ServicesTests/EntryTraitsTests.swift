import Foundation
import Messages
import Testing

@testable import Formats
@testable import Services

/// The parts that an entry's document left out, read from the bytes.
struct EntryTraitsTests {
  private func messages(_ document: String) throws -> [IncomingMessage] {
    let reading = FeedReader.read(
      Data(document.utf8), charset: nil, mediaType: nil, address: "http://a.example/")
    guard case .feed(let feed) = reading else {
      Issue.record("no feed")
      return []
    }
    return WebFeedMessages.messages(of: feed)
  }

  private func traits(_ document: String) throws -> EntryTraits {
    try #require(messages(document).first).traits
  }

  private static let ids: [(String, EntryTraits)] = [
    ("<guid>1</guid>", []), ("<guid isPermaLink='false'>1</guid>", []),
    ("<guid> </guid><link>/1</link>", .lacksID),
    ("<link>/1</link>", .lacksID), ("<enclosure url='/1.mp3'/>", .lacksID), ("", .lacksID),
    (
      "<link>/r/1</link><f:origLink xmlns:f='http://rssnamespace.org/feedburner/ext/1.0'>/1</f:origLink>",
      .lacksID
    ),
  ]
  private static let titles: [(String, EntryTraits)] = [
    ("<title>T</title>", []), ("<title>&lt;b>T&lt;/b></title>", []), ("<title/>", .lacksTitle),
    ("<title>&lt;b>&lt;/b></title>", .lacksTitle), ("", .lacksTitle),
  ]
  private static let dates: [(String, EntryTraits)] = [
    ("", []), ("<pubDate>soon</pubDate>", []), ("<pubDate>28 Nov 2026 10:00 GMT</pubDate>", []),
    ("<pubDate>28 Nov 2026</pubDate>", .isPublishedDay),
    ("<pubDate>28 Nov 2026 00:00:00 +0200</pubDate>", .isPublishedDay),
    ("<dc:date>2026-11-28T10:00:00Z</dc:date>", []),
    ("<dc:date>2026-11-28</dc:date>", [.isPublishedDay, .isUpdatedDay]),
    ("<dc:modified>2026-11-28T10:00:00Z</dc:modified>", .lacksPublished),
    ("<dc:modified>2026-11-28</dc:modified>", [.lacksPublished, .isPublishedDay, .isUpdatedDay]),
    ("<pubDate>28 Nov 2026 10:00 GMT</pubDate><dc:modified>2026-11-28</dc:modified>", .isUpdatedDay),
    ("<pubDate>28 Nov 2026</pubDate><dc:modified>2026-11-28T10:00:00Z</dc:modified>", .isPublishedDay),
    (
      "<pubDate>28 Nov 2026</pubDate><dc:modified>2026-11-28</dc:modified>", [.isPublishedDay, .isUpdatedDay]
    ),
  ]

  @Test func eachPartTellsForItselfWhetherItIsThere() throws {
    for id in Self.ids {
      for title in Self.titles {
        for date in Self.dates {
          let item = "\(id.0)\(title.0)\(date.0)<description>Text</description>"
          let document =
            "<rss xmlns:dc='http://purl.org/dc/elements/1.1/'><channel><item>\(item)</item></channel></rss>"
          #expect(try traits(document) == id.1.union(title.1).union(date.1), "\(item)")
        }
      }
    }
  }

  @Test func atomJSONAndRDFTellTheSame() throws {
    let atom = "<feed xmlns='http://www.w3.org/2005/Atom'><entry>"
    let all: EntryTraits = [.lacksID, .lacksTitle, .lacksPublished, .isPublishedDay, .isUpdatedDay]
    #expect(
      try traits(atom + "<link href='/1'/><updated>2026-11-28</updated><summary>T</summary></entry></feed>")
        == all)
    #expect(
      try traits(
        atom + "<id>1</id><title>T</title><published>2026-11-28T10:00:00Z</published></entry></feed>")
        == [])
    let json = "{\"version\": \"https://jsonfeed.org/version/1.1\", \"items\": [{"
    #expect(
      try traits(json + "\"url\": \"/1\", \"date_modified\": \"2026-11-28\", \"content_text\": \"T\"}]}")
        == all)
    #expect(try traits(json + "\"id\": 1, \"title\": \"T\", \"date_published\": 1795860000}]}") == [])
    let rdf =
      "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/'>"
    #expect(try traits(rdf + "<item rdf:about='http://a.example/1'><title>T</title></item></rdf:RDF>") == [])
    #expect(try traits(rdf + "<item><title>T</title></item></rdf:RDF>") == .lacksID)
  }

  @Test func aTitleMadeOfALinkOrAFileIsMissing() throws {
    let item = "<rss><channel><item><guid>1</guid><link>http://a.example/1</link></item></channel></rss>"
    let message = try #require(messages(item).first)
    #expect(message.title == "http://a.example/1")
    #expect(message.traits == .lacksTitle)
  }

  @Test func traitsTakeNoMemoryOfTheirOwn() {
    #expect(MemoryLayout<ParsedEntry>.stride == MemoryLayout<OldEntry>.stride)
  }

  /// The properties of an entry without those about its written form.
  private struct OldEntry {
    var id: String?
    var title: FeedText?
    var link: String?
    var summary: FeedText?
    var content: FeedText?
    var author: FeedText?
    var published: Date?
    var updated: Date?
    var tags: [String]
    var language: String?
    var attachments: [ParsedEntry.Attachment]
    var comments: String?
  }
}
