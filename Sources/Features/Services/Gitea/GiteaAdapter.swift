import Formats
import HTTP
import Messages

/// Reads the notifications of a user of Gitea or Forgejo (their API, `/api/v1/notifications`).
struct GiteaAdapter: PagedService {
  static let facts = ServiceFacts(
    name: "Gitea or Forgejo", scheme: .header("Authorization", prefix: "token ", isBasicToo: true),
    addressHelp: "the address of your server, such as https://codeberg.org",
    tokenHelp: "an access token that may read and write notifications, from Settings, Applications",
    writableMarks: [.read, .unread])

  let transport: any HTTPTransport

  /// Returns a client for the API, which is below `/api/v1`.
  func client(_ source: Source, _ context: PollContext) -> ServiceClient {
    let client = ServiceClient(transport, source, context)
    return client.base.hasSuffix("/api/v1") ? client : client.below("/api/v1")
  }

  private static let pageSize = 50

  static func address(ofPage page: String?, _ client: ServiceClient) -> String {
    client.address(
      "/notifications", [("limit", "\(pageSize)"), ("page", page ?? "1")], filtered: true)
  }

  /// Reads a page. The list ends with an empty page, or when the total in `X-Total-Count` is reached.
  static func page(
    _ answer: ServiceAnswer, after reading: ListCursor.Reading?
  ) throws(ServiceFailure) -> ListPage {
    let elements = try answer.list()
    // A server may limit pages to fewer elements than requested, so a short page may not be the last one.
    let total = answer.headers["X-Total-Count"].flatMap { Int($0) }
    let count = (reading?.count ?? 0) + elements.count
    let isLast = elements.isEmpty || total.map { count >= $0 } ?? false
    return ListPage(elements: elements, next: isLast ? nil : reading.nextNumber)
  }

  static func element(_ fields: inout JSONFields) -> ListElement? { GiteaThread.element(&fields) }

  /// Returns the URL of the web page with the notifications.
  static func link(_ client: ServiceClient) -> String? {
    client.page("/notifications", without: "/api/v1")
  }

  /// Whether the failure is in Gitea's own error format, which contains `message` and `url` or `errors`. A proxy's
  /// error page is not.
  static func saysGone(_ failure: ServiceFailure) -> Bool {
    failure.object.map { $0["message"] != nil && ($0["url"] != nil || $0["errors"] != nil) } ?? false
  }

  /// Marks a thread as read or unread.
  func send(_ act: OutgoingAct, _ client: ServiceClient) async throws(ServiceFailure) -> SentAct {
    guard case .read(let isRead) = act.mark else { return .notOffered }
    let id = ServiceClient.encoded(act.remoteID.text)
    let answer = try await client.send(
      .patch, client.address("/notifications/threads/\(id)", [("to-status", isRead ? "read" : "unread")]))
    // A mark also updates the thread.
    return (try? answer.json())?.object?["updated_at"]?.text.map(SentAct.doneAs(occasion:)) ?? .done
  }
}
