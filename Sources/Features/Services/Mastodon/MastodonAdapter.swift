import Basics
import Formats
import Foundation
import HTTP
import Messages

/// Reads the notifications of Mastodon and of servers with its API (docs.joinmastodon.org/methods/notifications).
struct MastodonAdapter: ServiceAdapter {
  static let facts = ServiceFacts(
    name: "Mastodon", scheme: .header("Authorization", prefix: "Bearer "),
    addressHelp: "the address of your server, such as https://mastodon.social",
    tokenHelp:
      "an access token with the scopes read:notifications, read:statuses and write:notifications, from Preferences, Development",
    writableMarks: [.done], isStreamed: true, limitHeaders: "X-RateLimit-")

  static let reusedID: ReusedID? = .date
  private static let path = "/api/v1/notifications"
  /// The path of the read positions (markers).
  private static let markers = "/api/v1/markers"

  let transport: any HTTPTransport

  /// Reads one page of notifications and, if it is due, the read position elsewhere.
  func part(
    _ request: ServiceRequest<MastodonCursor>, _ client: ServiceClient
  ) async throws(ServiceFailure) -> ServicePart<MastodonCursor> {
    var reading = MastodonReading(request.cursor)
    let answer = try await client.get(
      client.address(Self.path, [("limit", "80")] + reading.query, filtered: true))
    reading.add(try answer.list(), isPartial: answer.isPartial)
    if reading.hasEnded, reading.wantsMarker(at: client.context.now) {
      try await readMarker(client, &reading)
    }
    if reading.isEmpty, reading.upstream == UpstreamState() {
      return ServicePart(notModified: reading.cursor)
    }
    var part = ServicePart(reading.cursor)
    part.add(reading.list)
    part.problems += reading.problem.map { [$0] } ?? []
    part.upstream = reading.upstream
    part.link = client.page("/notifications")
    if !reading.hasEnded { part.hints.leaveMore() }
    return part
  }

  /// Reads the marker, which is the position up to which the user has read in another program
  /// (docs.joinmastodon.org/methods/markers).
  private func readMarker(
    _ client: ServiceClient, _ reading: inout MastodonReading
  ) async throws(ServiceFailure) {
    do throws(ServiceFailure) {
      let answer = try await client.get(client.address(Self.markers, [("timeline[]", "notifications")]))
      let marker = try answer.json().object?["notifications"]?.object?["last_read_id"]?.text
      reading.set(marker: marker.map(RemoteID.init), at: client.context.now)
    } catch {
      reading.set(marker: nil, at: client.context.now)
      // A server with this API may have no markers.
      if error.isUnknownAddress { return }
      guard error.status == 403 else { throw error }
      reading.problem = FormatProblem(
        at: Self.markers,
        message: "needs a token with the scope read:statuses: what you read elsewhere stays unread here")
    }
  }

  static func messages(of bytes: Data, _ client: ServiceClient) -> ServiceMessages? {
    ServiceMessages(list: ServiceAnswer(of: bytes)) { MastodonMessage.message(&$0) }
  }

  /// Whether the failure is Mastodon's own error for a notification that does not exist.
  static func saysGone(_ failure: ServiceFailure) -> Bool {
    failure.object?["error"]?.text == "Record not found"
  }

  /// Dismisses a notification that was marked as done; Mastodon supports no other change.
  func send(_ act: OutgoingAct, _ client: ServiceClient) async throws(ServiceFailure) -> SentAct {
    guard act.mark == .done(true) else { return .notOffered }
    let path = Self.path + "/" + ServiceClient.encoded(act.remoteID.text)
    do throws(ServiceFailure) {
      _ = try await client.send(.post, client.address(path + "/dismiss"))
    } catch {
      guard error.status == 404, error.object != nil, !Self.saysGone(error) else { throw error }
      // Another program with this API may use other words. The request checks whether the notification still exists.
      do throws(ServiceFailure) {
        _ = try await client.get(client.address(path))
      } catch {
        guard error.status == 404, error.object != nil else { throw error }
        return .done
      }
      // GoToSocial, for example, has no such address.
      throw ServiceFailure(
        failure: .status(404, reason: "the server does not offer to dismiss notifications"), status: 405)
    }
    return .done
  }

  func stream(_ client: ServiceClient) async throws(ServiceFailure) -> StreamRequest? {
    let path = "/api/v1/streaming/user/notification"
    let headers = [HeaderField("Accept", "text/event-stream")]
    let other = try await streamingServer(client)
    let request =
      other.flatMap { client.request(toOwners: client.address(path, of: $0), headers) }
      ?? client.request(.get, client.address(path), headers)
    return StreamRequest(request, .events) { data in
      let object = (try? JSONReader.parse(data))?.object
      return object?["id"] != nil && object?["type"] != nil
    }
  }

  /// Returns the address of the server's streaming API (docs.joinmastodon.org/methods/instance), with the scheme for a
  /// stream of events on the same kind of connection, or `nil` if the server names none.
  private func streamingServer(_ client: ServiceClient) async throws(ServiceFailure) -> String? {
    let answer: ServiceAnswer
    do throws(ServiceFailure) {
      answer = try await client.get(client.address("/api/v2/instance"))
    } catch {
      // Servers with this API may lack the address, or require a login for it.
      guard let status = error.status, (400..<500).contains(status), status != 429 else { throw error }
      return nil
    }
    let urls = (try? answer.json())?.object?["configuration"]?.object?["urls"]?.object
    guard let given = urls?["streaming"]?.text, given.utf8.count <= Limits.addressBytes,
      var parts = URLComponents(string: given), parts.user == nil
    else { return nil }
    switch parts.scheme?.lowercased() {
    case "wss", "https": parts.scheme = "https"
    case "ws", "http": parts.scheme = "http"
    case _: return nil
    }
    return parts.string.map(ServiceClient.base)
  }
}
