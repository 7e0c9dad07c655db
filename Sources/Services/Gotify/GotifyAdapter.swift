import Formats
import Foundation
import Limits
import Messages
import Transport

/// Messages of a Gotify server (its `docs/spec.json`).
struct GotifyAdapter: PagedService {
  static let facts = ServiceFacts(
    name: "Gotify", scheme: .header("X-Gotify-Key"),
    addressHelp:
      "the address of your server; with /application/5 at its end only that application's messages",
    tokenHelp: "the token of a client, from the page Clients of your server", carries: [.done],
    isStreamed: true)

  let transport: any HTTPTransport

  /// The server itself, where the source is one application of it.
  private static func server(_ base: String) -> String {
    let parts = base.components(separatedBy: "/application/")
    guard parts.count > 1, let last = parts.last, !last.contains("/") else { return base }
    return parts.dropLast().joined(separator: "/application/")
  }

  static let reusedID: ReusedID? = .date
  static let countsIDs = true
  /// All messages that the server keeps, which may be thousands: so what was deleted elsewhere is seen later there.
  static let pollsUntilWhole = Int.max
  static let secondsUntilWhole = Limits.longListSeconds

  /// - Parameter page: the oldest id of the page before.
  static func address(ofPage page: String?, _ client: ServiceClient) -> String {
    client.address("/message", [("limit", "100")] + (page.map { [("since", $0)] } ?? []))
  }

  static func page(
    _ answer: ServiceAnswer, after reading: ListCursor.Reading?
  ) throws(ServiceFailure) -> ListPage {
    let object = try answer.json().object
    guard let object, let elements = object["messages"]?.elements else {
      throw ServiceFailure(malformed: "the answer has no messages")
    }
    let hasMore = object["paging"]?.object?["next"]?.text?.isEmpty == false
    let oldest = elements.compactMap { $0.object?["id"]?.integer }.min()
    return ListPage(elements: elements, path: "$.messages", next: hasMore ? oldest.map(String.init) : nil)
  }

  static func element(_ fields: inout JSONFields) -> ListElement? {
    guard let message = GotifyMessage.message(&fields) else { return nil }
    return ListElement(message: message, time: message.published)
  }

  static func link(_ client: ServiceClient) -> String? { server(client.base) + "/" }

  static func saysGone(_ failure: ServiceFailure) -> Bool {
    failure.object.map { $0["errorCode"] != nil && $0["errorDescription"]?.text != "page not found" } ?? false
  }

  func send(_ act: OutgoingAct, _ client: ServiceClient) async throws(ServiceFailure) -> SentAct {
    guard act.mark == .done(true) else { return .notOffered }
    // One whose id the server gave to another message isn't there any more.
    guard let id = DecimalInteger(act.remoteID.text) else { return .done }
    _ = try await client.send(.delete, Self.server(client.base) + "/message/\(id)")
    return .done
  }

  func stream(_ client: ServiceClient) -> StreamRequest? {
    let request = client.request(.get, Self.server(client.base) + "/stream", [])
    return StreamRequest(request, .webSocket) { text in
      (try? JSONReader.parse(text))?.object?["id"] != nil
    }
  }
}
