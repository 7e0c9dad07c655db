import Basics
import Formats
import Foundation
import HTTP
import Messages

/// Miniflux by its own API (miniflux.app/docs/api.html).
///
/// A poll asks for what has changed since the last one: new entries, and those that were read or starred elsewhere. Where
/// there is something new, the entries after the newest known id are read too, since times of a server can be wrong. The
/// unread entries of the first poll come page by page, newest first.
struct MinifluxAdapter: ServiceAdapter {
  static let facts = ServiceFacts(
    name: "Miniflux", scheme: .header("X-Auth-Token", isBasicToo: true),
    addressHelp: "the address of your server",
    tokenHelp: "an API key, made in the settings of your Miniflux under API Keys",
    carries: [.read, .unread, .star, .unstar])

  static let reusedID: ReusedID? = .titleAndDate

  let transport: any HTTPTransport

  func client(_ source: Source, _ context: PollContext) -> ServiceClient {
    ServiceClient(transport, source, context, base: MinifluxServer.root(source.address).root)
  }

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

  static func saysGone(_ failure: ServiceFailure) -> Bool { failure.object?["error_message"] != nil }

  func carry(_ acts: [OutgoingAct], _ client: ServiceClient) async -> CarryResult {
    await MinifluxActs(server: MinifluxServer(client)).carry(acts)
  }
}

/// The addresses of one Miniflux server.
struct MinifluxServer: Sendable {
  let client: ServiceClient
  /// Below the server's root: all entries, or those of one feed or category.
  private let list: String

  init(_ client: ServiceClient) {
    self.client = client
    list = Self.root(client.source.address).list
  }

  /// The source's address is the server's, or that of a list of entries (`…/v1/feeds/42/entries`); its query is sent with
  /// every list.
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

  /// Entries in the order of their ids.
  func entries(
    _ query: [(String, String)], ascending: Bool, limit: Int
  ) async throws(ServiceFailure) -> (page: MinifluxPage, date: Date?) {
    let order = [("order", "id"), ("direction", ascending ? "asc" : "desc"), ("limit", String(limit))]
    let answer = try await client.get(client.address(list, query + order, filtered: true))
    let page = try await answer.response.body.page(MinifluxPage.init)
    return (page, answer.response.serverDate(now: client.context.now))
  }

  func address(_ path: String) -> String { client.address("/v1" + path) }
}

/// What the next part needs.
struct MinifluxCursor: ServiceCursor {
  /// The greatest id that is known; nil before the first poll.
  var newest: Int?
  /// Seconds since 1970, by the server's clock: changes until then are known. nil: the server doesn't tell of changes.
  var since: Int?
  /// The unread entries of the first poll with smaller ids are still to come.
  var backlog: Int?
  /// Changes are being read: those after this id are still to come.
  var after: Int?
  /// What `since` will be then.
  var until: Int?
  /// Whether entries after the newest known one are still to come.
  var hasNews: Bool?
  /// Whether a page of them was full.
  var isCatchingUp: Bool?

  init() {}
}
