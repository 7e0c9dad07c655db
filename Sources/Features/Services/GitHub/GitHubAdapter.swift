import Basics
import Formats
import Foundation
import HTTP
import Messages

/// Reads a user's notifications on GitHub or GitHub Enterprise Server (docs.github.com/rest/activity/notifications).
struct GitHubAdapter: PagedService {
  static let facts = ServiceFacts(
    name: "GitHub", address: "https://api.github.com",
    scheme: .header("Authorization", prefix: "Bearer ", isBasicToo: true),
    addressHelp: "https://api.github.com, or the address of your Enterprise server",
    tokenHelp:
      "a classic personal access token with the scope notifications, and repo for the state of private threads, "
      + "from Settings, Developer settings",
    writableMarks: [.read, .done], limitHeaders: "x-ratelimit-")

  let transport: any HTTPTransport

  /// Returns the API's address for that of the website github.com; other addresses are unchanged.
  static func address(of given: String) -> String {
    guard var parts = URLComponents(string: given), let host = parts.host?.lowercased() else { return given }
    if host == "github.com" || host == "www.github.com" {
      parts.host = "api.github.com"
      parts.path = ""
    }
    return parts.string ?? given
  }

  /// Returns a client for the API, which is on a separate host, or below `/api/v3` on an Enterprise server.
  func client(_ source: Source, _ context: PollContext) -> ServiceClient {
    let client = ServiceClient(transport, source, context, base: Self.address(of: source.address))
    let host = URLComponents(string: client.base)?.host?.lowercased() ?? ""
    return host.hasPrefix("api.") || client.base.hasSuffix("/api/v3") ? client : client.below("/api/v3")
  }

  static let headers = [
    HeaderField("X-GitHub-Api-Version", "2022-11-28"),
    // A proxy may return an old response.
    HeaderField("Cache-Control", "no-cache"),
  ]

  static let accept = "application/vnd.github+json"
  static let isConditional = true
  private static let pageSize = 50

  static func address(ofPage page: String?, _ client: ServiceClient) -> String {
    client.address(
      "/notifications", [("per_page", "\(pageSize)")] + (page.map { [("page", $0)] } ?? []), filtered: true)
  }

  static func element(_ fields: inout JSONFields) -> ListElement? { GitHubThread.element(&fields) }

  static func link(_ client: ServiceClient) -> String? {
    client.page("/notifications", without: "/api/v3")?.replacingBytes(
      "://api.", with: "://", maxReplacements: 1)
  }

  static func hints(_ answer: ServiceAnswer, _ client: ServiceClient) -> PollHints {
    GitHubLimits.hints(answer.response, client.context)
  }

  static func lastModified(_ answer: ServiceAnswer, _ client: ServiceClient) -> String? {
    GitHubLimits.lastModified(answer.response, client.context)
  }

  static func meaning(of failure: ServiceFailure, _ client: ServiceClient) -> ServiceFailure {
    GitHubLimits.failure(failure, client)
  }

  // MARK: Acts

  static let actsAtOnce: Int? = Limits.writesAtOnce

  /// Whether the failure is in GitHub's own error format, which contains `documentation_url`. A proxy's error page is
  /// not.
  static func saysGone(_ failure: ServiceFailure) -> Bool { failure.object?["documentation_url"] != nil }

  /// Marks a thread as read or done, or mutes it.
  func send(_ act: OutgoingAct, _ client: ServiceClient) async throws(ServiceFailure) -> SentAct {
    let thread = client.address("/notifications/threads/" + ServiceClient.encoded(act.remoteID.text))
    switch act.mark {
    case .read(true): _ = try await client.send(.patch, thread, headers: Self.headers)
    case .done(true):
      do throws(ServiceFailure) {
        _ = try await client.send(.delete, thread, headers: Self.headers)
      } catch {
        // Enterprise Server before 3.13 does not support "done".
        guard error.status == 404 || error.status == 405 else { throw error }
        _ = try await client.send(.patch, thread, headers: Self.headers)
      }
    case .named(MessageAction.mute):
      let body = JSONValue.object(JSONObject([JSONObject.Member(key: "ignored", value: .bool(true))]))
      _ = try await client.send(.put, thread + "/subscription", json: body, headers: Self.headers)
    case .read(false), .done(false), .starred, .snoozed, .named: return .notOffered
    }
    return .done
  }
}
