import Basics
import Sync

/// What a path asks for (page "Hub", All paths).
enum HubRoute {
  case start, health, metrics, audit
  case document(FeedName, DocumentPath)
  /// The same, to be written.
  case storedDocument(FeedName, DocumentPath)
  case feeds
  case feed(FeedName)
  case newest(FeedName, HubAPI.FeedFormat)
  case item(String, FeedName)
  case objects
  /// nil: a name that no object can have.
  case object(ObjectName?)
  /// A hook, and the names behind its own.
  case hook(String, rest: [String])

  /// - Parameter path: decoded, without the slashes. Throws `notFound`.
  init(_ path: [String]) throws(HubFailure) {
    switch (path.first, path.dropFirst().first, path.count) {
    case (nil, _, _): self = .start
    case ("health", _, 1): self = .health
    case ("metrics", _, 1): self = .metrics
    case ("d", let feed?, 3...): self = try Self.document(feed, path[2...], HubRoute.document)
    case ("v1", "audit", 2): self = .audit
    case ("v1", "documents", 4...): self = try Self.document(path[2], path[3...], HubRoute.storedDocument)
    case ("v1", "sync", 2): self = .objects
    case ("v1", "sync", 4): self = .object(ObjectName(path: "\(path[2])/\(path[3])"))
    case ("v1", "feeds", 2): self = .feeds
    case ("v1", "feeds", 3):
      if let (feed, format) = HubAPI.format(path[2]) {
        self = .newest(feed, format)
      } else {
        self = .feed(try Self.feed(path[2]))
      }
    case ("v1", "feeds", 5) where path[3] == "items": self = .item(path[4], try Self.feed(path[2]))
    case ("v1", "hooks", 3...6): self = .hook(path[2], rest: Array(path[3...]))
    default: throw .notFound
    }
  }

  private static func document(
    _ feed: String, _ names: ArraySlice<String>, _ route: (FeedName, DocumentPath) -> HubRoute
  ) throws(HubFailure) -> HubRoute {
    guard let path = DocumentPath(names) else { throw .notFound }
    return route(try self.feed(feed), path)
  }

  private static func feed(_ name: String) throws(HubFailure) -> FeedName {
    guard let feed = FeedName(name) else { throw .notFound }
    return feed
  }

  /// For metrics, and with the name for the log.
  var pattern: (general: String, own: String) {
    switch self {
    case .start: ("/", "/")
    case .health: ("/health", "/health")
    case .metrics: ("/metrics", "/metrics")
    case .audit: ("/v1/audit", "/v1/audit")
    case .document(let feed, _): ("/d/F", "/d/\(feed)")
    case .storedDocument(let feed, _): ("/v1/documents/F", "/v1/documents/\(feed)")
    case .feeds: ("/v1/feeds", "/v1/feeds")
    case .feed(let feed): ("/v1/feeds/F", "/v1/feeds/\(feed)")
    case .newest(let feed, let format): ("/v1/feeds/F.\(format)", "/v1/feeds/\(feed).\(format)")
    case .item(_, let feed): ("/v1/feeds/F/items", "/v1/feeds/\(feed)/items")
    case .objects: ("/v1/sync", "/v1/sync")
    case .object: ("/v1/sync/DEVICE/NAME", "/v1/sync/DEVICE/NAME")
    // A name that isn't known may be a secret that stands in the wrong place.
    case .hook: ("/v1/hooks/NAME", "/v1/hooks/-")
    }
  }

  /// Whether nobody asks for a token. A webhook has a secret of its own.
  var isForAnyone: Bool {
    switch self {
    case .start, .health, .hook: true
    default: false
    }
  }

  /// Whether the token may stand in the address.
  var allowsLink: Bool { if case .newest = self { true } else { false } }

  /// HEAD is a GET.
  var methods: [String] {
    switch self {
    case .start, .health, .metrics, .audit, .document, .feeds, .newest, .objects: ["GET"]
    case .storedDocument: ["PUT", "DELETE"]
    case .feed: ["GET", "POST"]
    case .item: ["DELETE"]
    case .object: ["GET", "PUT", "DELETE"]
    // Other kinds of hooks have none of the longer ones.
    case .hook(_, let rest): NtfyAddress.methods(rest)
    }
  }
}
