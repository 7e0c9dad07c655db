import Formats
import Foundation
import Limits
import Messages
import Transport

/// The notifications of a user of a Discourse forum (docs.discourse.org).
///
/// Never asks with `recent=true`, which would clear the bell of the person's browser.
struct DiscourseAdapter: ServiceAdapter {
  static let facts = ServiceFacts(
    name: "Discourse", scheme: .headers("User-Api-Key", withUser: "Api-Key"),
    addressHelp: "the address of the forum",
    tokenHelp:
      "a user API key with the scope notifications; or an administrator's API key, with user as the user's name",
    carries: [.read])

  private static let pageSize = 60

  let transport: any HTTPTransport

  func poll(_ source: Source, position: PollPosition, context: PollContext) async -> PollOutcome {
    let client = ServiceClient(transport, source, context)
    let last = position.cursor.flatMap { DecimalInteger($0.text) }
    var list = DiscourseList(base: client.base, after: last)
    do throws(ServiceFailure) {
      // A first poll takes one page; a later one goes on to what is known.
      for page in 0..<(last == nil ? 1 : Limits.discoursePages) {
        var query = [("limit", "\(Self.pageSize)")]
        if page > 0 { query.append(("offset", "\(page * Self.pageSize)")) }
        let answer = try await client.get(
          client.address("/notifications.json", query), headers: Self.headers(context))
        guard let elements = try answer.json().object?["notifications"]?.elements else {
          throw ServiceFailure(failure: .malformed(line: nil, reason: "no list of notifications"))
        }
        for (index, element) in elements.enumerated() {
          list.take(element, at: "$.notifications[\(index)]")
        }
        // A page may be shorter than asked for; only an empty one is the end.
        if list.hasReachedKnown || elements.isEmpty { break }
      }
    } catch {
      return Self.outcome(error, context.now)
    }
    var content = PollContent(messages: list.found.messages.reversed(), problems: list.found.problems)
    content.position = PollPosition(cursor: list.newest.map { Cursor($0.text) })
    content.upstream = list.upstream
    return .content(content, PollHints())
  }

  func carry(_ acts: [OutgoingAct], of source: Source, context: PollContext) async -> CarryResult {
    let client = ServiceClient(transport, source, context)
    return await CarryResult(oneByOne: acts) { act throws(ServiceFailure) in
      // Without an id all would be marked.
      guard act.mark == .read(true), let id = DecimalInteger(act.remoteID.text) else { return true }
      _ = try await client.send(
        .put, client.address("/notifications/mark-read.json"), form: [("id", id.text)],
        headers: [HeaderField("Accept", "application/json")] + Self.headers(context))
      return true
    } failure: {
      Self.waiting($0, context.now)
    }
  }

  /// An administrator's key is for all users.
  private static func headers(_ context: PollContext) -> [HeaderField] {
    (context.credential?.user).map { [HeaderField("Api-Username", $0)] } ?? []
  }

  static func messages(of bytes: Data, source: Source, context: PollContext) -> ServiceMessages? {
    guard let elements = (try? JSONReader.parse(bytes))?.object?["notifications"]?.elements else {
      return nil
    }
    var list = DiscourseList(base: source.address, after: nil)
    for (index, element) in elements.enumerated() { list.take(element, at: "$.notifications[\(index)]") }
    return list.found
  }

  private static func outcome(_ error: ServiceFailure, _ now: Date) -> PollOutcome {
    waiting(error, now).outcome
  }

  /// How long to wait stands in the body too: `{"extras": {"wait_seconds": 12}}`.
  private static func waiting(_ error: ServiceFailure, _ now: Date) -> ServiceFailure {
    guard error.status == 429, error.hints.retryAfter == nil else { return error }
    var error = error
    let json = try? JSONReader.parse(error.body)
    let seconds = json?.object?["extras"]?.object?["wait_seconds"]?.double ?? 60
    error.hints.retryAfter = now.addingTimeInterval(min(max(seconds, 1), Limits.longestMinimumWait))
    error.failure = .heldBack(status: 429)
    return error
  }
}
