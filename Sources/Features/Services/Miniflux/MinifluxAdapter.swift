import Basics
import Formats
import Foundation
import HTTP
import Messages

/// Reads Miniflux by its own API (miniflux.app/docs/api.html).
///
/// A poll requests the changes since the last poll: new entries, and entries that were read or starred elsewhere. If
/// there are new entries, it also reads the entries after the newest known id, because a server's times can be wrong.
/// The first poll reads the unread entries page by page, newest first.
struct MinifluxAdapter: ServiceAdapter {
  static let facts = ServiceFacts(
    name: "Miniflux", scheme: .header("X-Auth-Token", isBasicToo: true),
    addressHelp: "the address of your server",
    tokenHelp: "an API key, made in the settings of your Miniflux under API Keys",
    writableMarks: [.read, .unread, .star, .unstar])

  static let reusedID: ReusedID? = .titleAndDate

  let transport: any HTTPTransport

  func client(_ source: Source, _ context: PollContext) -> ServiceClient {
    ServiceClient(transport, source, context, base: MinifluxServer.root(source.address).root)
  }

  /// Sends the next requests of a poll, and returns their results.
  func part(
    _ request: ServiceRequest<MinifluxCursor>, _ client: ServiceClient
  ) async throws(ServiceFailure) -> ServicePart<MinifluxCursor> {
    let server = MinifluxServer(client)
    var intake = MinifluxIntake(request.cursor)
    try await intake.run(server, isContinued: request.isContinued)
    var part = ServicePart(intake.cursor)
    part.messages = intake.messages
    part.problems = intake.problems
    var upstream = UpstreamState()
    upstream.marks = intake.marks
    part.upstream = upstream
    part.link = client.page("/unread", without: "/v1")
    if intake.hasMore {
      part.hints.leaveMore(
        until: client.context.now.addingTimeInterval(Limits.backlogPauseSeconds),
        partsAtMost: Limits.backlogParts)
    }
    return part
  }

  static func messages(of bytes: Data, _ client: ServiceClient) -> ServiceMessages? {
    let page = try? MinifluxPage(bytes, Allowance(documentBytes: bytes.count))
    return page.map { ServiceMessages($0.entries.map(\.message), $0.problems) }
  }

  /// Whether the failure is in Miniflux's own error format, which contains `error_message`. A proxy's error page is
  /// not.
  static func saysGone(_ failure: ServiceFailure) -> Bool { failure.object?["error_message"] != nil }

  func carry(_ acts: [OutgoingAct], _ client: ServiceClient) async -> WriteBackResult {
    await MinifluxActs(server: MinifluxServer(client)).carry(acts)
  }
}

/// The addresses of a Miniflux server, and the client for requests to it.
struct MinifluxServer: Sendable {
  let client: ServiceClient
  /// The path, below the server's root, of the list of all entries, or of the entries of one feed or category.
  private let list: String

  init(_ client: ServiceClient) {
    self.client = client
    list = Self.root(client.source.address).list
  }

  /// Splits a source's address, which is that of the server or of a list of entries (`…/v1/feeds/42/entries`); its
  /// query is sent with every request for a list.
  static func root(_ address: String) -> (root: String, list: String) {
    guard var parts = URLComponents(string: address), let api = parts.percentEncodedPath.range(of: "/v1")
    else {
      return (address, "/v1/entries")
    }
    let path = parts.percentEncodedPath
    guard path[api.upperBound...].isEmpty || path[api.upperBound...].hasPrefix("/") else {
      return (address, "/v1/entries")
    }
    let below = path[api.lowerBound...]
    parts.percentEncodedPath = String(path[..<api.lowerBound])
    return (parts.string ?? address, below.hasSuffix("/entries") ? String(below) : "/v1/entries")
  }

  /// Returns entries in the order of their ids.
  func entries(
    _ query: [(String, String)], ascending: Bool, limit: Int
  ) async throws(ServiceFailure) -> (page: MinifluxPage, date: Date?) {
    let order = [("order", "id"), ("direction", ascending ? "asc" : "desc"), ("limit", String(limit))]
    let answer = try await client.get(client.address(list, query + order, filtered: true))
    let page = try await answer.response.body.page(MinifluxPage.init)
    return (page, answer.response.serverDate(now: client.context.now))
  }

  /// Returns the address of a path of the API.
  func address(_ path: String) -> String { client.address("/v1" + path) }
}

/// The position in the lists of a Miniflux server, for the next part of a poll.
struct MinifluxCursor: ServiceCursor {
  /// The greatest known id; `nil` before the first poll.
  var newest: Int?
  /// The time up to which changes are known, in seconds since 1970 by the server's clock; `nil` if the server doesn't
  /// report changes.
  var since: Int?
  /// The id below which the first poll still has to read the unread entries, or `nil` if it has read all of them.
  var backlog: Int?
  /// While changes are read: the id after which entries are still to be read.
  var after: Int?
  /// The value that `since` gets once all changes have been read.
  var until: Int?
  /// Whether entries after the newest known one are still to be read.
  var hasNews: Bool?
  /// Whether the last page of entries after the newest known one was full, so that larger pages are requested.
  var isCatchingUp: Bool?

  init() {}
}
