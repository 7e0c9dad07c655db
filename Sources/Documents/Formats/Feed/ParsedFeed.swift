package import Basics
package import Foundation

/// The content of a web feed: RSS 0.9x, 1.0, 2.0, Atom 0.3, 1.0, JSON Feed 1.0, 1.1.
package struct ParsedFeed: Hashable, Sendable {
  package enum Format: String, Hashable, Sendable {
    case rss090, rss091, rss092, rss10, rss20, atom03, atom10, jsonFeed10, jsonFeed11

    /// Whether an entry without an author has the authors of the feed (RFC 4287 section 4.2.1, JSON Feed's
    /// `authors`).
    package var isOfItsAuthor: Bool {
      switch self {
      case .atom03, .atom10, .jsonFeed10, .jsonFeed11: true
      case .rss090, .rss091, .rss092, .rss10, .rss20: false
      }
    }
  }

  package var format: Format
  package var title: FeedText?
  /// The absolute URL of the website.
  package var link: String?
  package var author: FeedText?
  package var language: String?
  /// `itunes:new-feed-url`: the absolute URL to which the feed has moved or will move.
  package var newAddress: String?
  /// RSS `ttl`: the time for which the feed may be cached, in minutes.
  package var timeToLiveMinutes: Int?
  /// RSS `skipHours`: the hours in which the feed should not be polled, 0 to 23, UTC.
  package var skipHours: Set<Int> = []
  /// RSS `skipDays`: the days on which the feed should not be polled, from 1 for Monday to 7 for Sunday, UTC.
  package var skipDays: Set<Int> = []
  /// JSON Feed `expired`: the feed will no longer change.
  package var isExpired = false
  /// The entries in document order.
  package var entries = ParsedEntries()
  package var problems: [FormatProblem] = []
  /// Whether the document is complete: its root element or JSON value is closed. Otherwise more entries may have
  /// followed, so the validators and cursor of the response must not be stored.
  package var isComplete = true

  package init(format: Format) { self.format = format }

  /// The problems of the document, including the number of entries that are left out.
  package var allProblems: [FormatProblem] {
    let count = entries.count { $0.isEmpty }
    if count == 0 { return problems }
    let what = count == 1 ? "1 entry has" : "\(count) entries have"
    return problems + [FormatProblem(at: "", message: "\(what) neither text, link nor id", leftOut: count)]
  }
}

/// Text of a feed, and whether it is plain or HTML. Entities of the document are decoded once; its markup remains.
package struct FeedText: Hashable, Sendable {
  package enum Kind: Hashable, Sendable { case text, html }

  package var kind: Kind
  /// An HTML fragment for `html`, plain characters for `text`.
  package var raw: String
  /// The base of relative links in the fragment.
  package var base: String?

  package init(_ kind: Kind, _ raw: String, base: String? = nil) {
    self.kind = kind
    self.raw = raw
    self.base = base
  }
}

/// One entry of a web feed.
package struct ParsedEntry: Hashable, Sendable {
  /// The guid, atom:id or JSON id, without surrounding white space, or `nil` if the document has none or an empty one.
  package var id: String?
  package var title: FeedText?
  /// The absolute URL.
  package var link: String?
  package var summary: FeedText?
  package var content: FeedText?
  package var author: FeedText?
  package var published: Date?
  // Each of the Booleans is stored after a date, where it needs no additional memory.
  /// Whether `published` was written without a time of day, or as midnight.
  package var isPublishedDay = false
  package var updated: Date?
  /// Whether `updated` was written without a time of day, or as midnight.
  package var isUpdatedDay = false
  /// Whether `id` is not an id from the document but a link, which identifies the entry because the document
  /// has no id. `link` is then another link: the original one, which the document also gives.
  package var isIDLink = false
  package var tags: [String] = []
  package var language: String?
  /// The enclosures, attachments and images, each with a label and an absolute URL.
  package var attachments: [Attachment] = []
  /// The absolute URL of the comments on the entry, if it is not the link.
  package var comments: String?

  /// A file, picture or page that belongs to an entry.
  package struct Attachment: Hashable, Sendable {
    package var label: String
    package var url: String
    /// The description of a picture in Media RSS, which is shown instead of the label.
    package var description: FeedText?
    /// The data on a recording, a video or a file, or `nil` for pictures and pages.
    package var enclosure: EnclosureFacts?

    package init(label: String, url: String, enclosure: EnclosureFacts? = nil) {
      self.label = label
      self.url = url
      self.enclosure = enclosure
    }
  }

  package init() {}
}

extension ParsedEntry {
  /// Whether the entry has nothing to show and nothing that identifies it, so that it is left out.
  package var isEmpty: Bool {
    id == nil && title == nil && summary == nil && content == nil && link == nil && comments == nil
      && attachments.isEmpty
  }

  /// Sets `content` to the full text and `summary` to the fullest short one. A full text that is empty is dropped, and
  /// also one that has no picture and less than half as many words as the short one.
  ///
  /// - Parameters:
  ///   - short: the descriptions and summaries; the fullest is used.
  ///   - instead: the description to show if there are no others.
  mutating func setText(full: FeedText?, short: [FeedText?], instead: FeedText? = nil) {
    let fullest = short.reduce(nil) { FeedText.fuller($0, $1) } ?? instead
    guard let full, let fullest else {
      (content, summary) = (full, fullest)
      return
    }
    let (its, other) = (TextMeasure(full), TextMeasure(fullest))
    let isWorse = its.isBlank ? !other.isBlank : !its.hasMedia && other.words > its.words * 2
    (content, summary) = (isWorse ? nil : full, fullest)
  }

  /// Sets `published` and `isPublishedDay`.
  package mutating func setPublished(_ date: FeedDate?) {
    (published, isPublishedDay) = (date?.date, date?.isDay ?? false)
  }

  /// Sets `updated` and `isUpdatedDay`.
  package mutating func setUpdated(_ date: FeedDate?) {
    (updated, isUpdatedDay) = (date?.date, date?.isDay ?? false)
  }

  /// Replaces relative links by absolute ones; links that cannot be resolved are removed.
  mutating func resolveLinks(_ resolved: (String) -> String?) {
    link = link.flatMap(resolved)
    comments = comments.flatMap(resolved)
    attachments = attachments.compactMap { attachment in
      resolved(attachment.url).map {
        var attachment = attachment
        attachment.url = $0
        return attachment
      }
    }
  }
}

/// The result of reading bytes that may be a feed. The Content-Type is used only if the bytes do not show the
/// format.
package enum FeedReading: Sendable {
  case feed(ParsedFeed)
  /// An HTML page, with the feeds that it links to, without duplicates and with those of posts first.
  case page(title: String?, alternates: [FeedLink])
  /// Anything else, described for a message: "an empty document", "a PNG image", "JSON of another kind".
  case notAFeed(found: String)
}
