import Basics
import Formats
import Foundation
import HTTP
import Messages

/// Reads the notifications of a user of a Discourse forum (docs.discourse.org).
///
/// This adapter never requests `recent=true`, which would clear the bell in the user's browser.
struct DiscourseAdapter: ServiceAdapter {
  static let facts = ServiceFacts(
    name: "Discourse", scheme: .headers("User-Api-Key", withUser: "Api-Key"),
    addressHelp: "the address of the forum",
    tokenHelp:
      "a user API key with the scope notifications; or an administrator's API key, with user as the user's name",
    writableMarks: [.read])

  static let reusedID: ReusedID? = .date
  private static let pageSize = 60

  let transport: any HTTPTransport

  /// Reads one page of notifications, and decides whether the poll continues with the next page.
  func part(
    _ request: ServiceRequest<DiscourseCursor>, _ client: ServiceClient
  ) async throws(ServiceFailure) -> ServicePart<DiscourseCursor> {
    let offset = request.cursor.reading?.offset ?? 0
    let answer = try await client.get(
      client.address(
        "/notifications.json",
        [("limit", "\(Self.pageSize)")] + (offset > 0 ? [("offset", "\(offset)")] : [])),
      headers: Self.headers(client.context))
    guard let elements = try answer.json().object?["notifications"]?.elements else {
      throw ServiceFailure(malformed: "no list of notifications")
    }
    var list = DiscourseList(base: client.base, after: request.cursor)
    list.add(elements)
    // A first poll reads one page; a later one continues to the known ones. A page may be shorter than requested; only
    // an empty one is the end.
    let hasEnded = request.cursor.newest == nil || list.hasReachedKnown || elements.isEmpty
    var part = ServicePart(list.cursor(hasEnded: hasEnded, pageSize: Self.pageSize))
    part.add(list.found)
    part.upstream = list.upstream
    // The server accepts 20 requests per minute.
    if !hasEnded { part.hints.leaveMore(partsAtMost: Limits.discoursePages) }
    return part
  }

  /// Marks a notification as read.
  func send(_ act: OutgoingAct, _ client: ServiceClient) async throws(ServiceFailure) -> SentAct {
    // Without an id all notifications would be marked.
    guard act.mark == .read(true), let id = DecimalInteger(act.remoteID.text) else { return .done }
    _ = try await client.send(
      .put, client.address("/notifications/mark-read.json"), form: [("id", id.text)],
      headers: [HeaderField("Accept", "application/json")] + Self.headers(client.context))
    return .done
  }

  /// Returns the header with the user's name if the credential has one, because an administrator's key is valid for all
  /// users.
  private static func headers(_ context: PollContext) -> [HeaderField] {
    (context.credential?.user).map { [HeaderField("Api-Username", $0)] } ?? []
  }

  static func messages(of bytes: Data, _ client: ServiceClient) -> ServiceMessages? {
    guard let elements = (try? JSONReader.parse(bytes))?.object?["notifications"]?.elements else {
      return nil
    }
    var list = DiscourseList(base: client.base, after: DiscourseCursor())
    list.add(elements)
    return list.found
  }

  /// Adds the waiting time that is in the body of a 429: `{"extras": {"wait_seconds": 12}}`.
  static func meaning(of error: ServiceFailure, _ client: ServiceClient) -> ServiceFailure {
    guard error.status == 429, error.hints.retryAfter == nil else { return error }
    var error = error
    let seconds = error.object?["extras"]?.object?["wait_seconds"]?.double ?? 60
    error.hints.retryAfter = client.context.now.addingTimeInterval(
      min(max(seconds, 1), Limits.longestMinimumWait))
    error.failure = .heldBack(status: 429)
    return error
  }
}
