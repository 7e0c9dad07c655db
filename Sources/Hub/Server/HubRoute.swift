import Basics
import Sync

/// The meaning of a path (page "Hub", All paths).
enum HubRoute {
  case start, health, metrics, audit
  case document(FeedName, DocumentPath)
  /// A document to be written.
  case storedDocument(FeedName, DocumentPath)
  case feeds
  case feed(FeedName)
  case newest(FeedName, HubAPI.FeedFormat)
  case item(String, FeedName)
  case objects
  /// An object, or `nil` for a name that no object can have.
  case object(ObjectName?)
  /// A webhook, and the names after its own.
  case hook(String, rest: [String])

  /// - Parameter path: the decoded names without the slashes. Throws `notFound`.
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

  /// The properties of a route.
  struct Row {
    /// The path in metrics, with a letter for each name.
    var pattern: String
    /// The path in the log, with the name of the feed.
    var path: String
    /// The methods; HEAD counts as GET.
    var methods: [String]
    /// Whether the route needs no token. Each webhook has its own secret.
    var isForAnyone = false
    /// Whether the token may be in the URL.
    var allowsLink = false

    init(
      _ pattern: String, of feed: FeedName? = nil, logged path: String? = nil, _ methods: [String],
      isForAnyone: Bool = false, allowsLink: Bool = false
    ) {
      self.pattern = pattern
      self.path = path ?? feed.map { pattern.replacingBytes("/F", with: "/\($0)") } ?? pattern
      (self.methods, self.isForAnyone, self.allowsLink) = (methods, isForAnyone, allowsLink)
    }
  }

  var row: Row {
    switch self {
    case .start: Row("/", ["GET"], isForAnyone: true)
    case .health: Row("/health", ["GET"], isForAnyone: true)
    case .metrics: Row("/metrics", ["GET"])
    case .audit: Row("/v1/audit", ["GET"])
    case .document(let feed, _): Row("/d/F", of: feed, ["GET"])
    case .storedDocument(let feed, _): Row("/v1/documents/F", of: feed, ["PUT", "DELETE"])
    case .feeds: Row("/v1/feeds", ["GET"])
    case .feed(let feed): Row("/v1/feeds/F", of: feed, ["GET", "POST"])
    case .newest(let feed, let format): Row("/v1/feeds/F.\(format)", of: feed, ["GET"], allowsLink: true)
    case .item(_, let feed): Row("/v1/feeds/F/items", of: feed, ["DELETE"])
    case .objects: Row("/v1/sync", ["GET"])
    case .object: Row("/v1/sync/DEVICE/NAME", ["GET", "PUT", "DELETE"])
    case .hook(_, let rest):
      // Only webhooks of ntfy have longer paths. An unknown name may be a misplaced secret, so it is not logged.
      Row("/v1/hooks/NAME", logged: "/v1/hooks/-", NtfyAddress.methods(rest), isForAnyone: true)
    }
  }
}
