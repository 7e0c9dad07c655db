import Basics
import Foundation
import Testing

@testable import Formats

@Suite struct JSONFeedTests {
  @Test func anAuthorIsNamedOnceWhateverItsMarkup() throws {
    let feed = try readFeed(
      #"""
      {"version": "https://jsonfeed.org/version/1.1", "items": [
       {"id": "1", "authors": [{"name": "<i>Ann</i>"}, {"name": "Bo"}, {"name": "Ann"}, {"name": " Bo "}]},
       {"id": "2", "authors": [{"name": "Ann"}, {"name": "Anna"}]}, {"id": "3", "authors": [{"name": "Ann"}]}]}
      """#)
    #expect(feed.entries.map { $0.author?.raw } == ["<i>Ann</i>, Bo", "Ann, Anna", "Ann"])
  }

  @Test func allOfVersion11IsTaken() throws {
    let feed = try readFeed(
      #"""
      {"version": "https://jsonfeed.org/version/1.1", "title": "F <b>", "home_page_url": "/home/", "description": "D",
       "language": "en", "expired": true, "authors": [{"name": "A"}, {"name": "B"}, {}],
       "items": [{"id": "1", "url": "p/1", "external_url": "http://x.example/", "title": "T &amp; T", "content_html": "<p>c</p>",
       "content_text": "c", "summary": "s", "image": "i.png", "date_published": "2020-01-02T03:04:05+01:00",
       "date_modified": "2020-01-03T00:00:00Z", "authors": [{"name": "J"}], "tags": ["a", 1, "b"], "language": "de",
       "attachments": [{"url": "http://a.example/a.mp3", "mime_type": "audio/mpeg", "title": "Song"}]}]}
      """#)
    #expect(feed.format == .jsonFeed11)
    #expect(feed.title == FeedText(.text, "F <b>"))
    #expect(feed.link == "http://host.example/home/")
    #expect(feed.isExpired)
    #expect(feed.author?.raw == "A, B")
    let entry = try #require(feed.entries.first)
    #expect(entry.id == "1")
    #expect(entry.link == "http://host.example/home/p/1")
    #expect(entry.title == FeedText(.text, "T & T"))
    #expect(entry.content == FeedText(.html, "<p>c</p>", base: "http://host.example/home/p/1"))
    #expect(entry.summary == FeedText(.text, "s"))
    #expect(entry.published == ISOInstant.parse("2020-01-02T02:04:05Z"))
    #expect(entry.updated == ISOInstant.parse("2020-01-03T00:00:00Z"))
    #expect(entry.author?.raw == "J")
    #expect(entry.tags == ["a", "b"])
    #expect(entry.language == "de")
    #expect(
      entry.attachments.map(\.url) == [
        "http://x.example/", "http://a.example/a.mp3", "http://host.example/home/i.png",
      ])
    #expect(feed.problems.isEmpty)
  }

  @Test(arguments: [
    ("Q&amp;A", "Q&A"), ("Bob&#8217;s", "Bob’s"), ("&amp;lt;b&amp;gt;", "&lt;b&gt;"),
    ("R&D <b> 1 < 2", "R&D <b> 1 < 2"),
    ("&lt;b&gt;", "<b>"),
  ])
  func referencesInTitlesAreResolvedOnce(_ written: String, _ title: String) throws {
    let feed = try readFeed(
      "{\"version\": \"https://jsonfeed.org/version/1.1\", \"title\": \"\(written)\", \"items\": [{\"id\": \"1\", \"title\": \"\(written)\"}]}"
    )
    #expect(feed.title == FeedText(.text, title))
    #expect(feed.entries.first?.title == FeedText(.text, title))
  }

  @Test(
    arguments: [
      ("\"id\": \" a \"", "a", nil, nil), ("\"id\": \" \"", nil, nil, nil), ("\"id\": \"\"", nil, nil, nil),
      ("\"id\": null", nil, nil, nil), ("\"id\": 17", "17", nil, nil),
      ("\"date_published\": \"2026-11-28\"", nil, "2026-11-28", nil),
      ("\"date_published\": \"2026-11-28T10:00:00Z\"", nil, "2026-11-28T10:00:00Z", nil),
      ("\"date_modified\": \"2026-11-28T00:00:00+00:00\"", nil, nil, "2026-11-28"),
      (
        "\"date_published\": 1795824000, \"date_modified\": 1795860000", nil, "2026-11-28",
        "2026-11-28T10:00:00Z"
      ),
      ("\"date_published\": \"soon\", \"date_modified\": []", nil, nil, nil),
    ] as [(String, String?, String?, String?)])
  func idsAndDatesAreTakenAsPreciselyAsTheyAreWritten(
    members: String, id: String?, published: String?, updated: String?
  ) throws {
    let feed = try readFeed(
      "{\"version\": \"https://jsonfeed.org/version/1.1\", \"items\": [{\(members)}]}")
    let entry = try #require(feed.entries.first)
    #expect(entry.id == id)
    #expect(entry.publishedAsWritten == published)
    #expect(entry.updatedAsWritten == updated)
  }

  @Test func version10AndIdsThatAreNumbersAreRead() throws {
    let feed = try readFeed(
      #"{"version": "https://jsonfeed.org/version/1", "title": "F", "author": {"name": "A"}, "items": [{"id": 17, "content_text": "x\ny"}, {"id": 1.50}]}"#
    )
    #expect(feed.format == .jsonFeed10)
    #expect(feed.author?.raw == "A")
    #expect(feed.entries.map(\.id) == ["17", "1.50"])
    #expect(feed.entries.first?.content == FeedText(.text, "x\ny"))
  }

  @Test func aBadItemLeavesItsNeighbours() throws {
    let feed = try readFeed(
      #"{"version": "https://jsonfeed.org/version/1.1", "items": [{"id": "1"}, 7, {"id": {}, "date_published": "soon"}, {"id": "3"}]}"#
    )
    #expect(feed.entries.map(\.id) == ["1", nil, "3"])
    #expect(feed.problems.map(\.at) == ["$.items[1]", "$.items[2].id", "$.items[2].date_published"])
  }

  @Test func aCutFeedKeepsWhatCame() throws {
    let feed = try readFeed(
      #"{"version": "https://jsonfeed.org/version/1.1", "items": [{"id": "1"}, {"id": "2", "ti"#)
    #expect(feed.entries.map(\.id) == ["1"])
    #expect(feed.problems.count == 1)
  }

  @Test func anItemThatIsNotJSONEndsTheFeed() throws {
    let feed = try readFeed(
      "{\"version\": \"https://jsonfeed.org/version/1.1\", \"items\": [{\"id\": \"1\"},\n{\"id\": 'x'}, {\"id\": \"3\"}]}"
    )
    #expect(feed.entries.map(\.id) == ["1"])
    #expect(!feed.isComplete)
    #expect(feed.problems.map(\.at) == ["2"])
    #expect(feed.problems[0].message.hasPrefix("from here on the document was not read: "))
  }

  @Test(arguments: [
    (#"{"a": 1}"#, "JSON of another kind"), ("[1, 2]", "JSON of another kind"),
    (#"{"list": []}"#, "JSON of a native feed"),
  ])
  func otherJSONIsNamed(text: String, found: String) {
    guard
      case .notAFeed(let name) = FeedReader.read(
        Data(text.utf8), charset: nil, mediaType: nil, address: "http://a.example/")
    else {
      Issue.record("it was read")
      return
    }
    #expect(name == found)
  }
}
