import Basics
import Formats
import Foundation
import HTTP
import Messages

/// Reads the messages of a Gotify server (its `docs/spec.json`).
struct GotifyAdapter: PagedService {
  static let facts = ServiceFacts(
    name: "Gotify", scheme: .header("X-Gotify-Key"),
    addressHelp:
      "the address of your server; with /application/5 at its end only that application's messages",
    tokenHelp: "the token of a client, from the page Clients of your server", writableMarks: [.done],
    isStreamed: true)

  let transport: any HTTPTransport

  /// Returns the address of the server. The source's address may also be that of one of the server's applications.
  private static func server(_ base: String) -> String {
    let parts = base.components(separatedBy: "/application/")
    guard parts.count > 1, let last = parts.last, !last.contains("/") else { return base }
    return parts.dropLast().joined(separator: "/application/")
  }

  static let reusedID: ReusedID? = .date
  static let countsIDs = true
  /// The whole list is read only after some time, and not after a number of polls, because the server may keep
  /// thousands of messages. So a deletion by another program is noticed late.
  static let pollsUntilWhole = Int.max
  static let secondsUntilWhole = Limits.longListSeconds

  /// Returns the address of a page.
  ///
  /// - Parameter page: the oldest id of the previous page.
  static func address(ofPage page: String?, _ client: ServiceClient) -> String {
    client.address("/message", [("limit", "100")] + (page.map { [("since", $0)] } ?? []))
  }

  /// Reads a page. The oldest id on it identifies the next page.
  static func page(
    _ answer: ServiceAnswer, after reading: ListCursor.Reading?
  ) throws(ServiceFailure) -> ListPage {
    let object = try answer.json().object
    guard let object, let elements = object["messages"]?.elements else {
      throw ServiceFailure(malformed: "the response has no messages")
    }
    let hasMore = object["paging"]?.object?["next"]?.text?.isEmpty == false
    let oldest = elements.compactMap { $0.object?["id"]?.integer }.min()
    return ListPage(elements: elements, path: "$.messages", next: hasMore ? oldest.map(String.init) : nil)
  }

  static func element(_ fields: inout JSONFields) -> ListElement? {
    guard let message = GotifyMessage.message(&fields) else { return nil }
    return ListElement(
      message: message, time: message.published, group: fields.integer("appid").map { String($0) })
  }

  /// The path of the list of applications.
  private static let applications = "/application"

  /// Adds the name of a message's application as its channel. The list has only the ids: the names are requested with
  /// the first message of an application.
  static func addDetails(
    to elements: [ListElement], _ part: inout ServicePart<ListCursor>, _ client: ServiceClient
  ) async -> [IncomingMessage] {
    let groups = Set(elements.compactMap(\.group))
    if !groups.subtracting((part.cursor.names ?? [:]).keys).isEmpty {
      await readNames(of: groups, &part, client)
    }
    return elements.map { element in
      var message = element.message
      if let name = element.group.flatMap({ part.cursor.names?[$0] }), !name.isEmpty {
        message.channel = name
      }
      return message
    }
  }

  /// Reads the names of the applications into the cursor.
  ///
  /// - Parameter groups: the ids of the applications that have messages.
  private static func readNames(
    of groups: Set<String>, _ part: inout ServicePart<ListCursor>, _ client: ServiceClient
  ) async {
    var names: [String: String] = [:]
    do throws(ServiceFailure) {
      for element in try await client.get(server(client.base) + applications).list() {
        guard let object = element.object, let id = object["id"]?.integer else { continue }
        let name = ServiceText.oneLine(object["name"]?.text ?? "")
        names[String(id)] = name.utf8.count <= Limits.remoteIDBytes ? name : ""
      }
    } catch {
      // The messages were read, so the poll hasn't failed.
      let reason =
        error.status.map { "the server answered with the status \($0)" } ?? "the server did not answer"
      part.problems.append(
        FormatProblem(at: applications, message: "the names of the applications are missing: \(reason)"))
      if error.status == 429 { part.hints = error.hints }
      // A refusal is permanent. After another failure, the next poll tries again.
      guard let status = error.status, (400..<500).contains(status), status != 429 else { return }
      names = part.cursor.names ?? [:]
    }
    // Keeps the applications that have messages; starts again if a server has too many applications.
    var wanted = groups.union((part.cursor.names ?? [:]).keys)
    if wanted.count > Limits.applicationNames { wanted = groups }
    let kept = wanted.prefix(Limits.applicationNames).map { ($0, names[$0] ?? "") }
    part.cursor.names = Dictionary(uniqueKeysWithValues: kept)
  }

  static func link(_ client: ServiceClient) -> String? { server(client.base) + "/" }

  /// Whether the failure is in Gotify's own error format, and not about an unknown path.
  static func saysGone(_ failure: ServiceFailure) -> Bool {
    failure.object.map { $0["errorCode"] != nil && $0["errorDescription"]?.text != "page not found" } ?? false
  }

  /// Deletes a message that was marked as done; Gotify supports no other change.
  func send(_ act: OutgoingAct, _ client: ServiceClient) async throws(ServiceFailure) -> SentAct {
    guard act.mark == .done(true) else { return .notOffered }
    // A message whose id the server has reused no longer exists there.
    guard let id = DecimalInteger(act.remoteID.text) else { return .done }
    _ = try await client.send(.delete, Self.server(client.base) + "/message/\(id)")
    return .done
  }

  /// Returns the request for the WebSocket on which the server sends new messages.
  func stream(_ client: ServiceClient) -> StreamRequest? {
    let request = client.request(.get, Self.server(client.base) + "/stream", [])
    return StreamRequest(request, .webSocket) { text in
      (try? JSONReader.parse(text))?.object?["id"] != nil
    }
  }
}
