/// The elements of RSS, Atom and their modules, by meaning.
enum FeedElement: UInt8 {
  case unknown
  case rss, rdf, feed, channel, item
  case title, otherTitle, link, description, subtitle, summary, otherSummary, content
  case id, guid, author, name, email, creator, source
  case published, updated, created, date
  case category, nestedCategory, enclosure, mediaContent, mediaDescription, mediaThumbnail, mediaGroup, image
  case duration, language, timeToLive, skipHours, hour, skipDays, day
  case originalLink, originalEnclosure, newAddress, comments, keywords, chapters, chapter, transcript
}

/// The meanings of the XML names in one document. Each name is looked up once and then cached by its pointers.
struct FeedNames {
  /// A name in the cache.
  private struct Entry {
    let local: UnsafePointer<UInt8>
    let prefix: UnsafePointer<UInt8>?
    let uri: UnsafePointer<UInt8>?
    let meaning: Meaning
  }

  /// The meaning of an XML name.
  struct Meaning {
    var element: FeedElement
    /// Whether the name belongs to Atom, so that `type` and `mode` set the type of its text.
    var isAtom: Bool
    /// Whether the name belongs to an unknown vocabulary, so that the element's content is not part of the feed.
    var isForeign: Bool
  }

  /// The names that were looked up, at positions that are computed from their pointers.
  private var cache = [Entry?](repeating: nil, count: 256)
  /// The root element's namespace, if it isn't a known one.
  private var rootURI: String?
  /// Whether the root is Atom's `feed` or `entry`.
  private(set) var isAtomDocument = false

  /// Returns the meaning of an element's name.
  mutating func meaning(of name: XMLName) -> Meaning {
    let slot = Int(bitPattern: name.local) >> 3 & 255
    if let entry = cache[slot], entry.local == name.local, entry.uri == name.uri, entry.prefix == name.prefix
    {
      return entry.meaning
    }
    let meaning = judge(name)
    cache[slot] = Entry(local: name.local, prefix: name.prefix, uri: name.uri, meaning: meaning)
    return meaning
  }

  /// Returns the meaning of the root element. Its namespace, even an unknown one, becomes that of the feed's elements.
  mutating func root(_ name: XMLName) -> FeedElement {
    let local = name.local.shortText?.lowercased() ?? ""
    let vocabulary = FeedVocabulary(name)
    let element: FeedElement
    switch local {
    case "rss": element = .rss
    case "rdf" where vocabulary == .rdf || name.uri == nil: element = .rdf
    case "feed": element = .feed
    case "entry" where vocabulary == .atom: element = .item
    case "channel": element = .channel
    default: return .unknown
    }
    isAtomDocument = element == .feed || element == .item
    if vocabulary == .other { rootURI = name.uri?.shortText }
    return element
  }

  /// Determines the meaning of a name that is not cached.
  private mutating func judge(_ name: XMLName) -> Meaning {
    let local = name.local.shortText?.lowercased() ?? ""
    var vocabulary = FeedVocabulary(name)
    if vocabulary == .other, let uri = name.uri?.shortText {
      // In RDF documents only the children have the feed's namespace.
      if rootURI == nil, !isAtomDocument, local == "channel" || local == "item" { rootURI = uri }
      if uri == rootURI {
        vocabulary = .core
      } else if let prefix = name.prefix?.shortText {
        vocabulary = .usual(prefix: prefix.lowercased())
      }
    }
    return Meaning(
      element: vocabulary.element(local),
      isAtom: vocabulary == .atom || vocabulary == .core && isAtomDocument,
      isForeign: vocabulary == .other)
  }
}

/// The vocabularies (XML namespaces) that feeds use.
enum FeedVocabulary {
  case core, atom, dublinCore, content, itunes, googlePlay, media, rdf, xhtml, feedBurner, podcast
  case simpleChapters, other

  init(_ name: XMLName) {
    if let uri = name.uri {
      self = uri.shortText.map { Self.known(uri: $0.lowercased()) } ?? .other
    } else if let prefix = name.prefix {
      // The namespace was not declared.
      self = prefix.shortText.map { Self.usual(prefix: $0.lowercased()) } ?? .other
    } else {
      self = .core
    }
  }

  /// Returns the vocabulary of a namespace, or `other` if it is unknown.
  ///
  /// - Parameter uri: the namespace in lower case. Publishers write `https`, `www.` and a final character that the
  ///   specified names do not have.
  private static func known(uri: String) -> FeedVocabulary {
    var name = Substring(uri)
    for start in ["http://", "https://", "www."] where name.hasPrefix(start) {
      name = name.dropFirst(start.count)
    }
    while let last = name.last, last == "/" || last == "#" { name = name.dropLast() }
    switch name {
    case "": return .core
    case "w3.org/2005/atom", "example.com/newformat", "example.com/necho", "purl.org/echo",
      "uri/of/echo/namespace":
      return .atom
    case "my.netscape.com/rdf/simple/0.9", "channel.netscape.com/rdf/simple/0.9", "purl.org/rss/1.0",
      "purl.org/net/rss1.1", "blogs.law.harvard.edu/tech/rss", "cyber.law.harvard.edu/rss/rss.html":
      return .core
    case "purl.org/dc/elements/1.0", "purl.org/dc/elements/1.1", "purl.org/dc/terms": return .dublinCore
    case "purl.org/rss/1.0/modules/content": return .content
    case "w3.org/1999/02/22-rdf-syntax-ns": return .rdf
    case "w3.org/1999/xhtml": return .xhtml
    case "rssnamespace.org/feedburner/ext/1.0": return .feedBurner
    case "podcastindex.org/namespace/1.0",
      "github.com/podcastindex-org/podcast-namespace/blob/main/docs/1.0.md":
      return .podcast
    case "podlove.org/simple-chapters": return .simpleChapters
    default: break
    }
    if name.hasPrefix("purl.org/atom/") { return .atom }
    if name.hasPrefix("backend.userland.com/") { return .core }
    if name.hasSuffix("/podcast-1.0.dtd") { return .itunes }
    if name.hasPrefix("google.com/schemas/play-podcasts/") { return .googlePlay }
    return name.hasPrefix("search.yahoo.com/mrss") ? .media : .other
  }

  /// Returns the vocabulary for which a prefix is usually declared, or `other`.
  fileprivate static func usual(prefix: String) -> FeedVocabulary {
    switch prefix {
    case "rss": .core
    case "atom", "atom10", "a10": .atom
    case "dc", "dcterms": .dublinCore
    case "content": .content
    case "itunes": .itunes
    case "googleplay": .googlePlay
    case "media": .media
    case "feedburner": .feedBurner
    case "podcast": .podcast
    case "psc": .simpleChapters
    case "rdf": .rdf
    case "xhtml": .xhtml
    default: .other
    }
  }

  /// Returns the meaning of a lowercase local name in this vocabulary.
  func element(_ local: String) -> FeedElement {
    switch self {
    case .core, .atom: Self.own(local)
    case .dublinCore: Self.dublinCore(local)
    case .content: local == "encoded" ? .content : .unknown
    case .itunes, .googlePlay: Self.itunes(local)
    case .media: Self.media(local)
    case .xhtml: local == "body" || local == "div" ? .content : .unknown
    case .feedBurner: Self.feedBurner(local)
    case .podcast: Self.podcast(local)
    case .simpleChapters: Self.simpleChapters(local)
    case .rdf, .other: .unknown
    }
  }

  /// Returns the meaning of a name of RSS or Atom.
  private static func own(_ local: String) -> FeedElement {
    switch local {
    case "rss": .rss
    case "feed": .feed
    case "channel": .channel
    case "item", "entry": .item
    case "title": .title
    case "link": .link
    case "description": .description
    case "subtitle", "tagline": .subtitle
    case "summary": .summary
    case "content", "body", "fullitem": .content
    case "id": .id
    case "guid": .guid
    case "author": .author
    case "name": .name
    case "email": .email
    case "managingeditor", "creator": .creator
    case "pubdate", "published", "issued": .published
    case "updated", "modified", "lastbuilddate": .updated
    case "created": .created
    case "category": .category
    case "enclosure": .enclosure
    case "language": .language
    case "ttl": .timeToLive
    case "skiphours": .skipHours
    case "hour": .hour
    case "skipdays": .skipDays
    case "day": .day
    case "comments": .comments
    case "source": .source
    default: .unknown
    }
  }

  /// Returns the meaning of a name of Dublin Core.
  private static func dublinCore(_ local: String) -> FeedElement {
    switch local {
    case "title": .otherTitle
    case "description", "abstract": .otherSummary
    case "creator", "author": .creator
    case "date": .date
    case "modified": .updated
    case "issued", "available": .published
    case "created": .created
    case "subject": .category
    case "language": .language
    default: .unknown
    }
  }

  /// Returns the meaning of a name of Apple's and Google's podcast vocabularies.
  private static func itunes(_ local: String) -> FeedElement {
    switch local {
    case "title": .otherTitle
    // Google's names are Apple's, except `description` instead of `summary`.
    case "summary", "subtitle", "description": .otherSummary
    case "author": .creator
    case "category": .nestedCategory
    case "new-feed-url": .newAddress
    case "image": .image
    case "duration": .duration
    case "keywords": .keywords
    default: .unknown
    }
  }

  /// Returns the meaning of a name of FeedBurner.
  private static func feedBurner(_ local: String) -> FeedElement {
    switch local {
    case "origlink": .originalLink
    case "origenclosurelink": .originalEnclosure
    default: .unknown
    }
  }

  /// Returns the meaning of a name of the podcast namespace.
  private static func podcast(_ local: String) -> FeedElement {
    switch local {
    case "chapters": .chapters
    case "transcript": .transcript
    default: .unknown
    }
  }

  /// Returns the meaning of a name of Podlove Simple Chapters.
  private static func simpleChapters(_ local: String) -> FeedElement {
    switch local {
    // Only its children contain information.
    case "chapters": .mediaGroup
    case "chapter": .chapter
    default: .unknown
    }
  }

  /// Returns the meaning of a name of Media RSS.
  private static func media(_ local: String) -> FeedElement {
    switch local {
    case "title": .otherTitle
    case "category": .category
    case "description": .mediaDescription
    case "group": .mediaGroup
    case "content": .mediaContent
    case "thumbnail": .mediaThumbnail
    default: .unknown
    }
  }
}
