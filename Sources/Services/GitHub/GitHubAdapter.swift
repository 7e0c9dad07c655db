import Formats
import Foundation
import Limits
import Messages
import Transport

/// Notifications of GitHub and GitHub Enterprise Server (docs.github.com/rest/activity/notifications).
struct GitHubAdapter: ServiceAdapter {
  static let facts = ServiceFacts(
    name: "GitHub", address: "https://api.github.com", scheme: .header("Authorization", prefix: "Bearer "),
    addressHelp: "https://api.github.com, or the address of your Enterprise server",
    tokenHelp:
      "a classic personal access token with the scope notifications, from Settings, Developer settings",
    carries: [.read, .done])

  /// The name of the action that ends the notifications of a thread.
  static let mute = "mute"

  let transport: any HTTPTransport

  static func address(of given: String) -> String {
    guard var parts = URLComponents(string: given), let host = parts.host?.lowercased() else { return given }
    if host == "github.com" || host == "www.github.com" {
      parts.host = "api.github.com"
      parts.path = ""
    }
    return parts.string ?? given
  }

  /// The API is on a host of its own, or below `/api/v3` on an Enterprise server.
  private func client(_ source: Source, _ context: PollContext) -> ServiceClient {
    let client = ServiceClient(transport, source, context, base: Self.address(of: source.address))
    let host = URLComponents(string: client.base)?.host?.lowercased() ?? ""
    return host.hasPrefix("api.") || client.base.hasSuffix("/api/v3") ? client : client.below("/api/v3")
  }

  static let headers = [
    HeaderField("X-GitHub-Api-Version", "2022-11-28"),
    // A proxy in between may keep an old answer.
    HeaderField("Cache-Control", "no-cache"),
  ]

  func poll(_ source: Source, position: PollPosition, context: PollContext) async -> PollOutcome {
    let client = client(source, context)
    var cursor = ListCursor(position.cursor)
    var reading = ListReading(cursor, now: context.now)
    var hints = PollHints()
    var validators = Validators()
    var next: String? = client.address("/notifications", [("per_page", "50")], filtered: true)
    do throws(ServiceFailure) {
      while let address = next, !reading.isDone, reading.pages < Limits.servicePages {
        if Task.isCancelled { return .failed(.cancelled, hints) }
        // "Not modified" means that nothing is new, and says nothing of what was read elsewhere.
        let isConditional = reading.pages == 0 && !reading.isWhole
        let answer = try await client.get(
          address, headers: Self.headers, validators: isConditional ? position.validators : Validators(),
          accept: "application/vnd.github+json")
        hints = GitHubLimits.hints(answer.response, context, earlier: hints)
        if answer.isNotModified {
          cursor.noteBeginning([])
          return .notModified(PollPosition(cursor: cursor.cursor, validators: position.validators), hints)
        }
        if reading.pages == 0 {
          validators.lastModified = GitHubLimits.lastModified(answer.response, context)
        }
        let link = answer.link("next")
        next = link.flatMap { client.isOwn($0) ? $0 : nil }
        reading.take(try answer.list(), isLast: link == nil) { GitHubThread.element(&$0) }
      }
    } catch {
      return GitHubLimits.failure(error, client, earlier: hints).outcome
    }
    await readNotes(&reading, client, &hints)
    if Task.isCancelled { return .failed(.cancelled, hints) }
    // What an unread page has would be hidden by "not modified".
    var content = reading.content(reading.isDone ? validators : Validators())
    content.link = client.page("/notifications", without: "/api/v3")?.replacing(
      "://api.", with: "://", maxReplacements: 1)
    return .content(content, hints)
  }

  static func messages(of bytes: Data, source: Source, context: PollContext) -> ServiceMessages? {
    ServiceMessages(list: bytes) { GitHubThread.element(&$0)?.message }
  }

  // MARK: Acts

  func carry(_ acts: [OutgoingAct], of source: Source, context: PollContext) async -> CarryResult {
    let client = client(source, context)
    var result = await CarryResult(oneByOne: acts.prefix(Limits.writesAtOnce)) {
      act throws(ServiceFailure) in
      try await carry(act, client)
    } failure: {
      GitHubLimits.failure($0, client, earlier: PollHints())
    }
    if acts.count > Limits.writesAtOnce, result.failure == nil {
      // GitHub asks for a second between two writes: the others come later.
      result.hints.minimumWait = .seconds(Limits.writesAtOnce)
      result.hints.minimumWaitRule = .requestLimit
    }
    return result
  }

  /// - Returns: false if GitHub has no such mark.
  private func carry(_ act: OutgoingAct, _ client: ServiceClient) async throws(ServiceFailure) -> Bool {
    let thread = client.address("/notifications/threads/" + ServiceClient.encoded(act.remoteID.text))
    switch act.mark {
    case .read(true): _ = try await client.send(.patch, thread, headers: Self.headers)
    case .done(true):
      do throws(ServiceFailure) {
        _ = try await client.send(.delete, thread, headers: Self.headers)
      } catch {
        // Enterprise Server before 3.13 knows no "done".
        guard error.status == 404 || error.status == 405 else { throw error }
        _ = try await client.send(.patch, thread, headers: Self.headers)
      }
    case .named(Self.mute):
      let body = JSONValue.object(JSONObject([JSONObject.Member(key: "ignored", value: .bool(true))]))
      _ = try await client.send(.put, thread + "/subscription", json: body, headers: Self.headers)
    case .read(false), .done(false), .starred, .snoozed, .named: return false
    }
    return true
  }
}
