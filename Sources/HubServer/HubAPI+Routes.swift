import HTTPTypes
import HubItems
import HubStore
import HummingbirdCore
import Limits
import Sync

extension HubAPI {
  func answer(_ request: HubRequest, _ line: inout HubLogLine) async throws(HubFailure) -> Answer {
    guard (request.request.head.path ?? "").utf8.count <= Limits.hubHeadBytes else {
      throw .tooLarge("an address", limit: Limits.hubHeadBytes)
    }
    let path = request.path
    if path.count == 3, path[0] == "v1", path[1] == "feeds", request.method != "POST",
      let feed = FeedName(path[2])
    {
      line.set(pattern: "/v1/feeds/F", "/v1/feeds/\(feed)")
      line.isHeld = request.value("wait") != nil
      try allow(["GET", "POST"], request)
      let caller = try await caller(of: request, .read, &line)
      return try await page(request, of: feed, for: caller)
    }
    return try await answerOther(request, &line)
  }

  /// All but the pages of feeds. Very many readers wait for those, and each has memory for all variables of the functions that it
  /// is in: 4 KiB for those of this one.
  @inline(never) private func answerOther(
    _ request: HubRequest, _ line: inout HubLogLine
  ) async throws(HubFailure) -> Answer {
    let path = request.path
    switch (path.first, path.dropFirst().first) {
    case (nil, _):
      line.set(pattern: "/")
      try allow(["GET"], request)
      return startPage()
    case ("health", nil):
      line.set(pattern: "/health")
      try allow(["GET"], request)
      return health()
    case ("metrics", nil):
      line.set(pattern: "/metrics")
      try allow(["GET"], request)
      let caller = try await caller(of: request, .read, &line)
      return try await metrics(request, for: caller)
    case ("d", _) where path.count > 2:
      let (feed, document) = try Self.document(path[1], path[2...])
      line.set(pattern: "/d/F", "/d/\(feed)")
      try allow(["GET"], request)
      let caller = try await caller(of: request, .read, &line)
      return try await self.document(request, document, of: feed, for: caller)
    case ("v1", "audit") where path.count == 2:
      line.set(pattern: "/v1/audit")
      try allow(["GET"], request)
      let caller = try await caller(of: request, .read, &line)
      return try await audit(request, for: caller)
    case ("v1", "documents") where path.count > 3:
      let (feed, document) = try Self.document(path[2], path[3...])
      line.set(pattern: "/v1/documents/F", "/v1/documents/\(feed)")
      try allow(["PUT", "DELETE"], request)
      let caller = try await caller(of: request, .publish, &line)
      return request.method == "PUT"
        ? try await putDocument(request, document, of: feed, by: caller)
        : try await removeDocument(request, document, of: feed, by: caller)
    case ("v1", "sync") where path.count == 2:
      line.set(pattern: "/v1/sync")
      line.isHeld = request.value("wait") != nil
      try allow(["GET"], request)
      return try await objects(request, for: try await caller(of: request, .read, &line))
    case ("v1", "sync") where path.count == 4:
      line.set(pattern: "/v1/sync/DEVICE/NAME")
      try allow(["GET", "PUT", "DELETE"], request)
      let caller = try await caller(of: request, request.method == "GET" ? .read : .publish, &line)
      return try await object(request, ObjectName(path: "\(path[2])/\(path[3])"), for: caller)
    case ("v1", "feeds"): return try await feeds(request, Array(path.dropFirst(2)), &line)
    case ("v1", "hooks") where (3...4).contains(path.count):
      try allow(["POST", "PUT"], request)
      return try await deliver(request, to: path[2], path.count > 3 ? path[3] : nil, &line)
    default: throw .notFound
    }
  }

  /// - Parameter path: what follows `/v1/feeds`.
  private func feeds(
    _ request: HubRequest, _ path: [String], _ line: inout HubLogLine
  ) async throws(HubFailure) -> Answer {
    if path.isEmpty {
      line.set(pattern: "/v1/feeds")
      try allow(["GET"], request)
      let caller = try await caller(of: request, .read, &line)
      return try list(for: caller)
    }
    if path.count == 1, let (feed, format) = Self.format(path[0]) {
      line.set(pattern: "/v1/feeds/F.\(format)", "/v1/feeds/\(feed).\(format)")
      try allow(["GET"], request)
      let caller = try await caller(of: request, .read, &line, allowsLink: true)
      return try await self.feed(request, of: feed, as: format, for: caller)
    }
    guard let feed = FeedName(path[0]) else { throw .notFound }
    if path.count == 1 {
      line.set(pattern: "/v1/feeds/F", "/v1/feeds/\(feed)")
      let caller = try await caller(of: request, .publish, &line)
      return try await publish(request, to: feed, by: caller)
    }
    guard path.count == 3, path[1] == "items" else { throw .notFound }
    line.set(pattern: "/v1/feeds/F/items", "/v1/feeds/\(feed)/items")
    try allow(["DELETE"], request)
    let caller = try await caller(of: request, .publish, &line)
    return try await withdraw(path[2], request, from: feed, by: caller)
  }

  private static func document(
    _ feed: String, _ names: ArraySlice<String>
  ) throws(HubFailure) -> (FeedName, DocumentPath) {
    guard let feed = FeedName(feed), let path = DocumentPath(names) else { throw .notFound }
    return (feed, path)
  }

  private func allow(_ methods: [String], _ request: HubRequest) throws(HubFailure) {
    guard methods.contains(request.method) else {
      throw .wrongMethod(allowed: methods + (methods.contains("GET") ? ["HEAD"] : []))
    }
  }
}
