import Formats
import Foundation
import Limits
import Messages
import Transport

/// To-do items of GitLab (docs.gitlab.com/api/todos).
struct GitLabAdapter: ServiceAdapter {
  static let facts = ServiceFacts(
    name: "GitLab", address: "https://gitlab.com", scheme: .header("PRIVATE-TOKEN"),
    addressHelp: "the address of your server, or https://gitlab.com",
    tokenHelp:
      "a personal access token with the scope api, or read_api to read only, from Preferences, Access tokens",
    carries: [.done])

  private static let limitPrefix = "RateLimit-"

  let transport: any HTTPTransport

  private func client(_ source: Source, _ context: PollContext) -> ServiceClient {
    let client = ServiceClient(transport, source, context)
    return client.base.hasSuffix("/api/v4") ? client : client.below("/api/v4")
  }

  func poll(_ source: Source, position: PollPosition, context: PollContext) async -> PollOutcome {
    let client = client(source, context)
    var reading = ListReading(ListCursor(position.cursor), now: context.now)
    var hints = PollHints()
    var next: String? = client.address("/todos", [("state", "pending"), ("per_page", "100")], filtered: true)
    do throws(ServiceFailure) {
      while let address = next, !reading.isDone, reading.pages < Limits.servicePages {
        if Task.isCancelled { return .failed(.cancelled, hints) }
        let answer = try await client.get(address)
        hints.quota =
          RequestLimits(headers: answer.headers, prefix: Self.limitPrefix, now: context.now).quota
          ?? hints.quota
        let link = answer.link("next")
        next = link.flatMap { client.isOwn($0) ? $0 : nil }
        reading.take(try answer.list(), isLast: link == nil) { GitLabToDo.element(&$0) }
      }
    } catch {
      return RequestLimits.failure(error, prefix: Self.limitPrefix, client).outcome
    }
    var content = reading.content()
    content.link = client.page("/dashboard/todos", without: "/api/v4")
    return .content(content, hints)
  }

  static func messages(of bytes: Data, source: Source, context: PollContext) -> ServiceMessages? {
    ServiceMessages(list: bytes) { GitLabToDo.element(&$0)?.message }
  }

  func carry(_ acts: [OutgoingAct], of source: Source, context: PollContext) async -> CarryResult {
    let client = client(source, context)
    return await CarryResult(oneByOne: acts) { act throws(ServiceFailure) in
      guard act.mark == .done(true) else { return false }
      let id = ServiceClient.encoded(act.remoteID.text)
      _ = try await client.send(.post, client.address("/todos/\(id)/mark_as_done"))
      return true
    } failure: {
      RequestLimits.failure($0, prefix: Self.limitPrefix, client)
    }
  }
}
