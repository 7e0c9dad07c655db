import Formats
import Foundation
import Limits
import Messages
import Transport

/// Notifications of Mastodon and servers with its API (docs.joinmastodon.org/methods/notifications).
struct MastodonAdapter: ServiceAdapter {
  static let facts = ServiceFacts(
    name: "Mastodon", scheme: .header("Authorization", prefix: "Bearer "),
    addressHelp: "the address of your server, such as https://mastodon.social",
    tokenHelp:
      "an access token with the scopes read:notifications and write:notifications, from Preferences, Development",
    carries: [.done], isStreamed: true)

  private static let limitPrefix = "X-RateLimit-"
  private static let path = "/api/v1/notifications"

  let transport: any HTTPTransport

  func poll(_ source: Source, position: PollPosition, context: PollContext) async -> PollOutcome {
    let client = ServiceClient(transport, source, context)
    var reading = MastodonReading(position.cursor?.text)
    var hints = PollHints()
    do throws(ServiceFailure) {
      while !reading.isDone {
        if Task.isCancelled { return .failed(.cancelled, hints) }
        let answer = try await client.get(
          client.address(Self.path, [("limit", "80")] + reading.next, filtered: true))
        hints.quota =
          RequestLimits(headers: answer.headers, prefix: Self.limitPrefix, now: context.now).quota
          ?? hints.quota
        reading.take(try answer.list())
      }
    } catch {
      return RequestLimits.failure(error, prefix: Self.limitPrefix, client).outcome
    }
    let next = PollPosition(cursor: reading.newest.map(Cursor.init))
    if reading.isEmpty { return .notModified(next, hints) }
    let page = client.page("/notifications")
    return .content(
      PollContent(messages: reading.messages, link: page, position: next, problems: reading.problems), hints)
  }

  static func messages(of bytes: Data, source: Source, context: PollContext) -> ServiceMessages? {
    ServiceMessages(list: bytes) { MastodonMessage.message(&$0) }
  }

  func carry(_ acts: [OutgoingAct], of source: Source, context: PollContext) async -> CarryResult {
    let client = ServiceClient(transport, source, context)
    return await CarryResult(oneByOne: acts) { act throws(ServiceFailure) in
      guard act.mark == .done(true) else { return false }
      let id = ServiceClient.encoded(act.remoteID.text)
      _ = try await client.send(.post, client.address("\(Self.path)/\(id)/dismiss"))
      return true
    } failure: {
      RequestLimits.failure($0, prefix: Self.limitPrefix, client)
    }
  }

  func stream(_ source: Source, context: PollContext) -> StreamRequest? {
    let client = ServiceClient(transport, source, context)
    let request = client.request(
      .get, client.address("/api/v1/streaming/user/notification"),
      [HeaderField("Accept", "text/event-stream")])
    return StreamRequest(request, .events) { data in
      let object = (try? JSONReader.parse(data))?.object
      return object?["id"] != nil && object?["type"] != nil
    }
  }
}

/// What the pages of one poll brought so far.
///
/// The first poll reads backwards from the newest, and no more than a person looks at. Later ones go forwards from the
/// newest known one, page by page, so that no gap remains.
struct MastodonReading {
  private(set) var newest: String?
  private var oldest: String?
  private let isForward: Bool
  /// Pages in their order, each with its newest first.
  private var pages: [ServiceMessages] = []
  private var seen: Set<RemoteID> = []
  private(set) var isDone = false

  init(_ known: String?) {
    newest = known
    isForward = known != nil
  }

  /// The query of the next page.
  var next: [(String, String)] {
    if isForward { return newest.map { [("min_id", $0)] } ?? [] }
    return oldest.map { [("max_id", $0)] } ?? []
  }

  mutating func take(_ elements: [JSONValue]) {
    var list = ServiceMessages()
    var ids: [String] = []
    for (index, element) in elements.enumerated() {
      list.take(element, at: JSONPath.index(index, under: "$")) { fields in
        guard let message = MastodonMessage.message(&fields) else { return nil }
        let id = message.remoteID
        ids.append(id.text)
        return seen.insert(id).inserted ? message : nil
      }
    }
    pages.append(list)
    let before = (newest, oldest)
    for id in ids {
      if newest.map({ Self.isLess($0, id) }) ?? true { newest = id }
      if oldest.map({ Self.isLess(id, $0) }) ?? true { oldest = id }
    }
    let limit = isForward ? Limits.servicePages : Limits.firstPages
    // A page that leads no further would be asked for again and again.
    let isStuck = isForward ? before.0 == newest : before.1 == oldest
    isDone = elements.isEmpty || isStuck || pages.count >= limit
  }

  /// Ids grow: as numbers, or with one length as texts.
  private static func isLess(_ a: String, _ b: String) -> Bool {
    (a.utf8.count, a) < (b.utf8.count, b)
  }

  var isEmpty: Bool { pages.allSatisfy { $0.messages.isEmpty && $0.problems.isEmpty } }
  var problems: [PollProblem] { pages.flatMap(\.problems) }

  /// Oldest first.
  var messages: [IncomingMessage] {
    (isForward ? pages : pages.reversed()).flatMap { $0.messages.reversed() }
  }
}
