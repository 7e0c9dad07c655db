import Dates
import Formats
import Foundation
import Limits
import Messages
import Transport

/// Miniflux by its own API (miniflux.app/docs/api.html).
///
/// A poll asks for what has changed since the last one: new entries, and those that were read or starred elsewhere. Where
/// there is something new, the entries after the newest known id are read too, since times of a server can be wrong. The
/// unread entries of the first poll come in portions, newest first.
struct MinifluxAdapter: ServiceAdapter {
  static let facts = ServiceFacts(
    name: "Miniflux", scheme: .header("X-Auth-Token"), addressHelp: "the address of your server",
    tokenHelp: "an API key, made in the settings of your Miniflux under API Keys",
    carries: [.read, .unread, .star, .unstar])

  let transport: any HTTPTransport

  func poll(_ source: Source, position: PollPosition, context: PollContext) async -> PollOutcome {
    let server = MinifluxServer(transport, source, context)
    var intake = MinifluxIntake(position.cursor)
    do throws(ServiceFailure) {
      try await intake.run(server)
    } catch {
      return error.outcome
    }
    var content = PollContent(
      messages: intake.takeMessages(), link: server.client.page("/unread", without: "/v1"),
      position: PollPosition(cursor: intake.cursor.stored),
      problems: intake.problems)
    var upstream = UpstreamState()
    upstream.marks = intake.marks
    content.upstream = upstream
    var hints = PollHints()
    if intake.hasMore { hints.leaveMore(until: context.now.addingTimeInterval(Limits.backlogPauseSeconds)) }
    return .content(content, hints)
  }

  static func messages(of bytes: Data, source: Source, context: PollContext) -> ServiceMessages? {
    let allowance = Allowance(documentBytes: bytes.count)
    guard let page = try? MinifluxPage.read(bytes, allowance) else { return nil }
    var messages = ServiceMessages()
    page.entries.forEach { messages.append($0.message) }
    page.problems.forEach { messages.note($0) }
    return messages
  }

  func carry(_ acts: [OutgoingAct], of source: Source, context: PollContext) async -> CarryResult {
    await MinifluxActs(server: MinifluxServer(transport, source, context)).carry(acts)
  }
}

/// The addresses of one Miniflux server.
struct MinifluxServer: Sendable {
  let client: ServiceClient
  /// Below the server's root: all entries, or those of one feed or category.
  private let list: String

  /// The source's address is the server's, or that of a list of entries (`…/v1/feeds/42/entries`); its query is sent with
  /// every list.
  init(_ transport: any HTTPTransport, _ source: Source, _ context: PollContext) {
    var root = source.address
    var list = "/v1/entries"
    if var parts = URLComponents(string: source.address), let api = parts.percentEncodedPath.range(of: "/v1")
    {
      let path = parts.percentEncodedPath
      if path[api.upperBound...].isEmpty || path[api.upperBound...].hasPrefix("/") {
        let below = path[api.lowerBound...]
        if below.hasSuffix("/entries") { list = String(below) }
        parts.percentEncodedPath = String(path[..<api.lowerBound])
        root = parts.string ?? root
      }
    }
    self.list = list
    client = ServiceClient(transport, source, context, base: root)
  }

  /// Entries in the order of their ids.
  func entries(
    _ query: [(String, String)], ascending: Bool, limit: Int
  ) async throws(ServiceFailure) -> (page: MinifluxPage, date: Date?) {
    let answer = try await answer(query, ascending: ascending, limit: limit)
    let page = try await MinifluxDraft.read(answer.response.body).finished()
    return (page, answer.headers["Date"].flatMap { HTTPDate.parse($0, now: client.context.now) })
  }

  /// The answer with unread entries before one of them, newest first.
  func unread(before id: Int, limit: Int) async -> Result<ServiceAnswer, ServiceFailure> {
    do throws(ServiceFailure) {
      let query = [("status", "unread"), ("before_entry_id", String(id))]
      return .success(try await answer(query, ascending: false, limit: limit))
    } catch {
      return .failure(error)
    }
  }

  private func answer(
    _ query: [(String, String)], ascending: Bool, limit: Int
  ) async throws(ServiceFailure) -> ServiceAnswer {
    let order = [("order", "id"), ("direction", ascending ? "asc" : "desc"), ("limit", String(limit))]
    return try await client.get(client.address(list, query + order, filtered: true))
  }

  func address(_ path: String) -> String { client.address("/v1" + path) }
}

/// What the next poll needs.
struct MinifluxCursor: Equatable {
  /// The greatest id that is known.
  var newest = 0
  /// Seconds since 1970, by the server's clock: changes until then are known. nil: the server doesn't tell of changes.
  var since: Int?
  /// The unread entries of the first poll with smaller ids are still to come.
  var backlog: Int?
  /// Changes are being read: those after this id are still to come, and what `since` will be then.
  var changes: (after: Int, until: Int?)?

  static func == (a: Self, b: Self) -> Bool {
    a.newest == b.newest && a.since == b.since && a.backlog == b.backlog
      && a.changes?.after == b.changes?.after && a.changes?.until == b.changes?.until
  }

  init(newest: Int = 0, since: Int? = nil) {
    self.newest = newest
    self.since = since
  }

  /// nil if it isn't one of ours.
  init?(_ stored: Cursor) {
    guard let object = try? JSONReader.parse(stored.text).object, let newest = object["newest"]?.integer
    else { return nil }
    self.newest = newest
    since = object["since"]?.integer
    backlog = object["backlog"]?.integer
    changes = object["after"]?.integer.map { ($0, object["until"]?.integer) }
  }

  var stored: Cursor {
    var object = JSONObject()
    object["newest"] = .integer(newest)
    object["since"] = since.map(JSONValue.integer)
    object["backlog"] = backlog.map(JSONValue.integer)
    object["after"] = changes.map { .integer($0.after) }
    object["until"] = changes?.until.map(JSONValue.integer)
    return Cursor(JSONValue.object(object).serialized())
  }
}
