package import Foundation

/// The facts by which an entry of a feed is compared with the stored messages, as stored hashes.
///
/// A missing fact is `nil`: it neither matches nor contradicts anything.
package struct EntryFacts: Hashable, Sendable {
  /// The hash of title, link, dates and text together, which is equal for entries with exactly the same words.
  package var words: Int64
  package var time: EntryTime?
  /// The hash of the title, in which upper and lower case count as the same.
  package var title: Int64?
  /// The hash of the body.
  package var text: Int64?
  /// The hash of the linked page: see `PageAddress`.
  package var page: Int64?
  /// The hash of the page's name: see `PageAddress.nameHash`.
  package var name: Int64?

  package init(words: Int64, time: EntryTime?, title: Int64?, text: Int64?, page: Int64?, name: Int64?) {
    (self.words, self.time, self.title, self.text, self.page, self.name) = (
      words, time, title, text, page, name
    )
  }
}

/// The facts of one entry of a document, including those that are only used for comparing and not stored.
package struct EntryReading: Hashable, Sendable {
  package var facts: EntryFacts
  /// The hash of the title in its compared form with its case, since a change of case counts as an edit.
  package var title: Int64?
  /// The hash of the id, if it is unique everywhere: a `tag:` or `urn:` (RFC 4151, RFC 8141), or a URL.
  package var worldwideID: Int64?
  package var origin: IDOrigin
  /// Whether the text has 100 characters or more.
  package var isLong = false

  /// The hashes of the page and of the worldwide id. Two entries with a common hash are about the same thing,
  /// even if it is the page of one and the worldwide id of the other.
  package var names: Set<Int64> { Set([facts.page, worldwideID].compactMap(\.self)) }
}

/// The origin of an entry's id.
package enum IDOrigin: Sendable {
  /// The document contains the id, and it isn't the link.
  case own
  /// The document contains the link as the id.
  case page
  /// The document contains no id; the link replaces it.
  case link
  /// The document contains neither an id nor a link. The id is the URL of an enclosure, or made of the
  /// entry's words.
  case made
}

/// Computes the facts of entries.
package struct EntryReader {
  private var scratch: [UInt8] = []

  package init() {}

  /// Returns the facts of an entry that a source delivered, and whose fields are cut to their stored sizes.
  ///
  /// - Parameter id: the id that its document contains, or the one that replaces it.
  package mutating func read(_ entry: IncomingMessage, as id: RemoteID) -> EntryReading {
    let traits = entry.traits
    let origin: IDOrigin =
      traits.contains(.lacksID)
      ? (entry.url == nil ? .made : .link) : entry.url == id.text ? .page : .own
    var reading = read(
      title: traits.contains(.lacksTitle) ? "" : entry.title, body: entry.body, url: entry.url,
      published: entry.published, updated: entry.updated,
      EntryTime(published: entry.published, updated: entry.updated, traits), origin)
    if !traits.contains(.lacksID) { reading.worldwideID = Self.worldwide(id) }
    return reading
  }

  /// Returns the facts of a message that an earlier version stored with less data.
  package mutating func read(
    storedTitle title: String, body: String, url: String?, published: Date?, updated: Date?
  ) -> EntryFacts {
    let isMade = title.isEmpty || body.hasPrefix(title.hasSuffix("…") ? String(title.dropLast()) : title)
    return read(
      title: isMade ? "" : title, body: body, url: url, published: published, updated: updated,
      EntryTime(storedPublished: published, updated: updated), .own
    ).facts
  }

  /// Returns the hash of an id that is unique everywhere, or `nil` for other ids.
  package static func worldwide(_ id: RemoteID) -> Int64? {
    if id.text.hasPrefix("tag:") || id.text.hasPrefix("urn:") { return ContentHash.of(id.text) }
    return PageAddress(id.text)?.hash
  }

  /// Returns the hash of the page at a URL, or `nil` for other addresses and for a site's first page.
  package static func page(_ address: String) -> Int64? { PageAddress(address)?.hash }

  private mutating func read(
    title: String, body: String, url: String?, published: Date?, updated: Date?, _ time: EntryTime?,
    _ origin: IDOrigin
  ) -> EntryReading {
    let exact = ComparedText.hash(title, &scratch)?.hash
    let text = ComparedText.hash(body, &scratch)
    let page = url.flatMap(PageAddress.init)
    let words = ContentHash.of(
      exact, url.map { ContentHash.of($0) }, published?.milliseconds, updated?.milliseconds, text?.hash)
    let facts = EntryFacts(
      words: words, time: time, title: ComparedText.hash(title, isFolded: true, &scratch)?.hash,
      text: text?.hash, page: page?.hash, name: page?.nameHash)
    return EntryReading(
      facts: facts, title: exact, worldwideID: nil, origin: origin, isLong: text?.isLong ?? false)
  }
}

// MARK: - Keys

extension EntryFacts {
  /// The pairs of facts by which an entry finds a stored message that has another id. The raw values are
  /// stored as parts of the keys.
  package enum Pair: Int64, CaseIterable, Sendable {
    case titleAndMoment = 1
    case titleAndText = 2
    case titleAndPage = 3
    case titleAndName = 4
    case textAndMoment = 5
  }

  /// Returns the key for looking up a pair of these facts: their hash, or `nil` if one of the two is missing.
  func key(_ pair: Pair, in source: SourceID) -> Int64? {
    let (one, two): (Int64?, Int64?) =
      switch pair {
      case .titleAndMoment: (title, time?.moment)
      case .titleAndText: (title, text)
      case .titleAndPage: (title, page)
      case .titleAndName: (title, name)
      case .textAndMoment: (text, time?.moment)
      }
    guard let one, let two else { return nil }
    return ContentHash.of(pair.rawValue, source.rawValue, one, two)
  }

  /// Returns the keys of all pairs, by which messages of one source are looked up.
  package func pairs(in source: SourceID) -> [Int64] { Pair.allCases.compactMap { key($0, in: source) } }

  /// Returns the key that two messages share if they have the same title and page, or the same title and no page.
  package func recurrence(in source: SourceID) -> Int64 {
    key(.titleAndPage, in: source) ?? ContentHash.of(Pair.titleAndPage.rawValue, source.rawValue, title, page)
  }

  /// Returns all keys under which a message with these facts is stored, so that entries of the same source
  /// find it.
  package func keys(in source: SourceID) -> [Int64] {
    let pairs = pairs(in: source)
    // Without any pair, a message can still be found by its exact words.
    if pairs.isEmpty { return [recurrence(in: source), wordsKey(in: source)] }
    return title != nil && page != nil ? pairs : pairs + [recurrence(in: source)]
  }

  /// Returns the key by which a message with the same words is looked up: that of its most specific pair.
  package func wordsKey(in source: SourceID) -> Int64 {
    key(.titleAndText, in: source) ?? key(.textAndMoment, in: source) ?? key(.titleAndMoment, in: source)
      ?? key(.titleAndPage, in: source) ?? ContentHash.of(6, source.rawValue, words, nil)
  }

  /// Returns the keys under which other sources look up a message: its page, and its worldwide id.
  package static func shared(page: Int64?, worldwideID: Int64?) -> [Int64] {
    [page.map { ContentHash.of(7, $0, nil, nil) }, worldwideID.map { ContentHash.of(8, $0, nil, nil) }]
      .compactMap(\.self)
  }
}
