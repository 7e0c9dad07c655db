package import Foundation

/// A web feed as its document says it: RSS 0.9x, 1.0, 2.0, Atom 0.3, 1.0, JSON Feed 1.0, 1.1.
package struct ParsedFeed: Hashable, Sendable {
  package enum Format: String, Hashable, Sendable {
    case rss090, rss091, rss092, rss10, rss20, atom03, atom10, jsonFeed10, jsonFeed11
  }

  package var format: Format
  package var title: FeedText?
  package var subtitle: FeedText?
  /// The human page, absolute.
  package var link: String?
  package var id: String?
  package var author: String?
  package var language: String?
  package var published: Date?
  package var updated: Date?
  /// RSS `ttl`, in minutes.
  package var timeToLiveMinutes: Int?
  /// RSS `skipHours`, 0 to 23, UTC.
  package var skipHours: Set<Int> = []
  /// RSS `skipDays`, 1 Monday to 7 Sunday, UTC.
  package var skipDays: Set<Int> = []
  /// JSON Feed `expired`: the feed will never change again.
  package var isExpired = false
  /// In document order.
  package var entries = ParsedEntries()
  package var problems: [FormatProblem] = []
  /// False where the end of the document did not come: its root element, or its JSON value, was not closed. More
  /// entries may have followed, so that neither validators nor a cursor of it may be kept.
  package var isComplete = true
  /// False where the document had to be repaired to be read.
  package var isWellFormed = true

  package init(format: Format) { self.format = format }
}

/// A piece of text with its type settled: markup still in it, entities of the carrying document decoded once.
package struct FeedText: Hashable, Sendable {
  package enum Kind: Hashable, Sendable { case text, html }

  package var kind: Kind
  /// As the document carries it: for `html` an HTML fragment, for `text` characters that mean themselves.
  package var raw: String
  /// For relative links inside the fragment.
  package var base: String?

  package init(_ kind: Kind, _ raw: String, base: String? = nil) {
    self.kind = kind
    self.raw = raw
    self.base = base
  }
}

/// One entry of a web feed.
package struct ParsedEntry: Hashable, Sendable {
  /// guid, atom:id or JSON id, as written.
  package var id: String?
  package var title: FeedText?
  /// Absolute.
  package var link: String?
  package var summary: FeedText?
  package var content: FeedText?
  package var author: String?
  package var published: Date?
  package var updated: Date?
  package var tags: [String] = []
  package var language: String?
  /// Enclosures, attachments and images: label and absolute address.
  package var attachments: [Attachment] = []

  package struct Attachment: Hashable, Sendable {
    package var label: String
    package var url: String
    package init(label: String, url: String) {
      self.label = label
      self.url = url
    }
  }

  package init() {}
}

extension ParsedEntry {
  /// Puts absolute links in the place of relative ones; those that stand for no address go.
  mutating func resolveLinks(_ resolved: (String) -> String?) {
    link = link.flatMap(resolved)
    attachments = attachments.compactMap { attachment in
      resolved(attachment.url).map { Attachment(label: attachment.label, url: $0) }
    }
  }
}

/// What bytes turned out to be; their name and Content-Type only help where the bytes do not say.
package enum FeedReading: Sendable {
  case feed(ParsedFeed)
  /// An HTML page, with the feeds that its `<link rel="alternate">` names, absolute.
  case page(title: String?, alternates: [FeedLink])
  /// Anything else, named for people: "an empty document", "a PNG image", "JSON that is not a feed".
  case notAFeed(found: String)
}

package struct FeedLink: Hashable, Sendable {
  package var url: String
  package var title: String?
  package var mediaType: String?

  package init(url: String, title: String? = nil, mediaType: String? = nil) {
    self.url = url
    self.title = title
    self.mediaType = mediaType
  }
}
