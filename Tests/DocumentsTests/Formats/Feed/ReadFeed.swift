import Basics
import Foundation
import Markup
import Testing

@testable import Formats

/// Reads a feed; the test fails if the bytes are not a feed.
func readFeed(
  _ text: String, address: String = "http://host.example/dir/feed.xml",
  sourceLocation: SourceLocation = #_sourceLocation
) throws -> ParsedFeed {
  try readFeed(Data(text.utf8), address: address, sourceLocation: sourceLocation)
}

func readFeed(
  _ data: Data, charset: String? = nil, address: String = "http://host.example/dir/feed.xml",
  sourceLocation: SourceLocation = #_sourceLocation
) throws -> ParsedFeed {
  let reading = FeedReader.read(data, charset: charset, mediaType: nil, address: address)
  guard case .feed(let feed) = reading else {
    Issue.record("no feed: \(reading)", sourceLocation: sourceLocation)
    throw NoFeed()
  }
  return feed
}

/// Reads the first item of an RSS document that contains these elements.
func readItem(_ elements: String, channel: String = "") throws -> ParsedEntry {
  let feed = try readFeed(
    "<rss version=\"2.0\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><channel>\(channel)<item>\(elements)</item></channel></rss>"
  )
  return try #require(feed.entries.first)
}

/// Reads the first entry of an Atom document.
func readEntry(_ elements: String, feed: String = "") throws -> ParsedEntry {
  let feed = try readFeed(
    "<feed xmlns=\"http://www.w3.org/2005/Atom\">\(feed)<entry>\(elements)</entry></feed>")
  return try #require(feed.entries.first)
}

extension ParsedEntry {
  /// Returns `2026-11-28`, or `2026-11-28T10:00:00Z` with a time of day.
  var publishedAsWritten: String? { written(published, isDay: isPublishedDay) }
  var updatedAsWritten: String? { written(updated, isDay: isUpdatedDay) }

  private func written(_ date: Date?, isDay: Bool) -> String? {
    date.map { isDay ? String(ISOInstant.text($0).prefix(10)) : ISOInstant.text($0) }
  }
}

struct NoFeed: Error {}

/// Returns the visible text of a fragment of HTML.
func shownText(_ html: String) -> String { Document.text(ofHTML: html, base: nil) }
