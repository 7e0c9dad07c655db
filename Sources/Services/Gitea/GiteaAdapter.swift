import Formats
import Foundation
import Limits
import Messages
import Transport

/// Notifications of Gitea and Forgejo (their API, `/api/v1/notifications`).
struct GiteaAdapter: ServiceAdapter {
  static let facts = ServiceFacts(
    name: "Gitea or Forgejo", scheme: .header("Authorization", prefix: "token "),
    addressHelp: "the address of your server, such as https://codeberg.org",
    tokenHelp: "an access token that may read and write notifications, from Settings, Applications",
    carries: [.read, .unread])

  let transport: any HTTPTransport

  private func client(_ source: Source, _ context: PollContext) -> ServiceClient {
    let client = ServiceClient(transport, source, context)
    return client.base.hasSuffix("/api/v1") ? client : client.below("/api/v1")
  }

  func poll(_ source: Source, position: PollPosition, context: PollContext) async -> PollOutcome {
    let client = client(source, context)
    var reading = ListReading(ListCursor(position.cursor), now: context.now)
    do throws(ServiceFailure) {
      while !reading.isDone, reading.pages < Limits.servicePages {
        if Task.isCancelled { return .failed(.cancelled, PollHints()) }
        let page = reading.pages + 1
        let answer = try await client.get(
          client.address("/notifications", [("limit", "50"), ("page", "\(page)")], filtered: true))
        let elements = try answer.list()
        // A server may allow shorter pages than were asked for: a short page is not the last one.
        let total = answer.headers["X-Total-Count"].flatMap { Int($0) }
        let isLast = elements.isEmpty || total.map { reading.count + elements.count >= $0 } ?? false
        reading.take(elements, isLast: isLast) { GiteaThread.element(&$0) }
      }
    } catch {
      return error.outcome
    }
    var content = reading.content()
    content.link = client.page("/notifications", without: "/api/v1")
    return .content(content, PollHints())
  }

  static func messages(of bytes: Data, source: Source, context: PollContext) -> ServiceMessages? {
    ServiceMessages(list: bytes) { GiteaThread.element(&$0)?.message }
  }

  func carry(_ acts: [OutgoingAct], of source: Source, context: PollContext) async -> CarryResult {
    let client = client(source, context)
    var occasions: [RemoteID: String] = [:]
    var result = await CarryResult(oneByOne: acts) { act throws(ServiceFailure) in
      guard case .read(let isRead) = act.mark else { return false }
      let id = ServiceClient.encoded(act.remoteID.text)
      let answer = try await client.send(
        .patch,
        client.address("/notifications/threads/\(id)", [("to-status", isRead ? "read" : "unread")]))
      // A mark is an update of the thread too, which must not come back as news.
      occasions[act.remoteID] = (try? answer.json())?.object?["updated_at"]?.text
      return true
    }
    result.occasions = occasions
    return result
  }
}
