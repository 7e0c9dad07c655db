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
      "an access token with the scopes read:notifications, read:statuses and write:notifications, from Preferences, Development",
    carries: [.done], isStreamed: true)

  private static let limitPrefix = "X-RateLimit-"
  private static let path = "/api/v1/notifications"
  private static let markers = "/api/v1/markers"

  let transport: any HTTPTransport

  func poll(_ source: Source, position: PollPosition, context: PollContext) async -> PollOutcome {
    let client = ServiceClient(transport, source, context)
    var reading = MastodonReading(MastodonCursor(position.cursor))
    var hints = PollHints()
    do throws(ServiceFailure) {
      while !reading.isDone {
        if Task.isCancelled { return .failed(.cancelled, hints) }
        let answer = try await client.get(
          client.address(Self.path, [("limit", "80")] + reading.next, filtered: true))
        hints.quota =
          RequestLimits(headers: answer.headers, prefix: Self.limitPrefix, now: context.now).quota
          ?? hints.quota
        reading.add(try answer.list())
      }
      if reading.wantsMarker(at: context.now) { try await readMarker(client, &reading) }
    } catch {
      return RequestLimits.failure(error, prefix: Self.limitPrefix, client).outcome
    }
    let next = PollPosition(cursor: reading.cursor.cursor)
    let upstream = reading.upstream
    if reading.isEmpty, upstream == UpstreamState() { return .notModified(next, hints) }
    var content = PollContent(
      messages: reading.messages, link: client.page("/notifications"), position: next,
      problems: reading.problems)
    content.upstream = upstream
    return .content(content, hints)
  }

  /// How far the person has read in another program (docs.joinmastodon.org/methods/markers).
  private func readMarker(
    _ client: ServiceClient, _ reading: inout MastodonReading
  ) async throws(ServiceFailure) {
    do throws(ServiceFailure) {
      let answer = try await client.get(client.address(Self.markers, [("timeline[]", "notifications")]))
      let marker = try answer.json().object?["notifications"]?.object?["last_read_id"]?.text
      reading.set(marker: marker.map(RemoteID.init), at: client.context.now)
    } catch {
      reading.set(marker: nil, at: client.context.now)
      // Servers with this API need not have markers.
      if error.isUnknownAddress { return }
      guard error.status == 403 else { throw error }
      reading.problem = PollProblem(
        at: Self.markers,
        message: "needs a token with the scope read:statuses: what you read elsewhere stays unread here")
    }
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
