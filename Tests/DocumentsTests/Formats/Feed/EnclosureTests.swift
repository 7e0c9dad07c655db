import Foundation
import Testing

@testable import Formats

/// Feeds' data on recordings, videos and files.
struct EnclosureTests {
  private func enclosures(_ item: String) throws -> [EnclosureFacts?] {
    let feed = try readFeed(
      """
      <rss xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:media="http://search.yahoo.com/mrss/"
      xmlns:atom="http://www.w3.org/2005/Atom"><channel><item>\(item)</item></channel></rss>
      """)
    return try #require(feed.entries.first).attachments.map(\.enclosure)
  }

  @Test(
    arguments: [
      (
        "<enclosure url='/e.mp3' length='34216300' type='audio/mpeg'/><itunes:duration>1:02:33</itunes:duration>",
        [EnclosureFacts(type: "audio/mpeg", length: "34216300", duration: "3753")]
      ),
      // The elements may also be before the enclosure, and apply only to the first one.
      (
        "<itunes:duration>75</itunes:duration><itunes:image href='/i'/><enclosure url='/e.mp3'/><enclosure url='/f.mp3'/>",
        [nil, EnclosureFacts(duration: "75"), EnclosureFacts()]
      ),
      (
        "<media:content url='/v' type='video/mp4' fileSize='12' duration='61.5'/><media:thumbnail url='/t'/>",
        [EnclosureFacts(type: "video/mp4", length: "12", duration: "61"), nil]
      ),
      // Pictures, by type or by extension.
      (
        "<media:content url='/a' medium='image'/><media:content url='/b' type='image/png'/><media:content url='/c.JPG?x'/>",
        [nil, nil, nil]
      ),
      ("<media:content url='/a.jpg' medium='video'/>", [EnclosureFacts()]),
      (
        "<atom:link rel='enclosure' href='/s.ogg' type='audio/ogg' length='7'/>",
        [EnclosureFacts(type: "audio/ogg", length: "7")]
      ),
      // The same file twice, with different data.
      (
        "<enclosure url='/e.mp3' length='9'/><media:content url='/e.mp3' type='audio/mpeg' fileSize='8' duration='5'/>",
        [EnclosureFacts(type: "audio/mpeg", length: "9", duration: "5")]
      ),
      ("<enclosure url='/e' length='0' type=' '/>", [EnclosureFacts()]),
      ("<enclosure url='/e' length='-1'/><itunes:duration>unknown</itunes:duration>", [EnclosureFacts()]),
      ("<enclosure url='/e' length='99999999999999999999'/>", [EnclosureFacts()]),
    ] as [(String, [EnclosureFacts?])])
  func feedsInXMLSayWhatIsKnown(item: String, known: [EnclosureFacts?]) throws {
    #expect(try enclosures(item) == known)
  }

  @Test func jsonFeedsSayItToo() throws {
    let feed = try readFeed(
      #"""
      {"version": "https://jsonfeed.org/version/1.1", "title": "P", "items": [{"id": "1", "image": "/i.png", "attachments": [
        {"url": "/a.m4a", "mime_type": "audio/x-m4a", "size_in_bytes": 89970236, "duration_in_seconds": 6629.5},
        {"url": "/b", "size_in_bytes": "12", "duration_in_seconds": null}]}]}
      """#)
    let attachments = try #require(feed.entries.first).attachments
    #expect(
      attachments.map(\.enclosure) == [
        EnclosureFacts(type: "audio/x-m4a", length: "89970236", duration: "6629"),
        EnclosureFacts(length: "12"), nil,
      ])
  }

  @Test(
    arguments: [
      ("1:02:33", 3753), ("62:33", 3753), ("3753", 3753), (" 3753.9 ", 3753), ("00:00:07", 7), ("0", nil),
      ("", nil),
      ("1:2:3:4", nil), ("-5", nil), ("1:", nil), (":5", nil), ("1.5:10", nil), ("12345678", nil),
      ("an hour", nil),
    ] as [(String, Int?)])
  func durationsAreReadAsPublishersWriteThem(text: String, seconds: Int?) {
    #expect(EnclosureFacts.seconds(of: text) == seconds)
  }
}
