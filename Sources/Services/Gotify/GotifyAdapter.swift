import Formats
import Foundation
import Limits
import Messages
import Transport

/// Messages of a Gotify server (its `docs/spec.json`).
struct GotifyAdapter: ServiceAdapter {
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

  func poll(_ source: Source, position: PollPosition, context: PollContext) async -> PollOutcome {
    let client = ServiceClient(transport, source, context)
    var reading = GotifyReading(position.cursor)
    do throws(ServiceFailure) {
      while !reading.isDone, reading.pages < Limits.servicePages {
        if Task.isCancelled { return .failed(.cancelled, PollHints()) }
        var query = [("limit", "100")]
        if let oldest = reading.oldest { query.append(("since", String(oldest))) }
        let answer = try await client.get(client.address("/message", query))
        let object = try answer.json().object
        guard let object, let elements = object["messages"]?.elements else {
          throw ServiceFailure(failure: .malformed(line: nil, reason: "the answer has no messages"))
        }
        reading.take(elements, hasMore: object["paging"]?.object?["next"]?.text?.isEmpty == false)
      }
    } catch {
      return error.outcome
    }
    var content = reading.content
    content.link = Self.server(client.base) + "/"
    return .content(content, PollHints())
  }

  static func messages(of bytes: Data, source: Source, context: PollContext) -> ServiceMessages? {
    guard let elements = (try? JSONReader.parse(bytes))?.object?["messages"]?.elements else { return nil }
    var list = ServiceMessages()
    for (index, element) in elements.enumerated() {
      list.take(element, at: JSONPath.index(index, under: "$.messages")) { GotifyMessage.message(&$0) }
    }
    return list
  }

  func carry(_ acts: [OutgoingAct], of source: Source, context: PollContext) async -> CarryResult {
    let client = ServiceClient(transport, source, context)
    let server = Self.server(client.base)
    return await CarryResult(oneByOne: acts) { act throws(ServiceFailure) in
      guard act.mark == .done(true) else { return false }
      _ = try await client.send(.delete, server + "/message/" + ServiceClient.encoded(act.remoteID.text))
      return true
    }
  }

  func stream(_ source: Source, context: PollContext) -> StreamRequest? {
    let client = ServiceClient(transport, source, context)
    let request = client.request(.get, Self.server(client.base) + "/stream", [])
    return StreamRequest(request, .webSocket) { text in
      (try? JSONReader.parse(text))?.object?["id"] != nil
    }
  }
}
