import Formats
import HTTP
import Messages

/// Reads the to-do items of a user of GitLab (docs.gitlab.com/api/todos).
struct GitLabAdapter: PagedService {
  static let facts = ServiceFacts(
    name: "GitLab", address: "https://gitlab.com", scheme: .header("PRIVATE-TOKEN"),
    addressHelp: "the address of your server, or https://gitlab.com",
    tokenHelp:
      "a personal access token with the scope api, from Preferences, Access tokens",
    writableMarks: [.done], limitHeaders: "RateLimit-")

  static let reusedID: ReusedID? = .date
  private static let pageSize = 100

  let transport: any HTTPTransport

  /// Returns a client for the API, which is below `/api/v4`.
  func client(_ source: Source, _ context: PollContext) -> ServiceClient {
    let client = ServiceClient(transport, source, context)
    return client.base.hasSuffix("/api/v4") ? client : client.below("/api/v4")
  }

  static func address(ofPage page: String?, _ client: ServiceClient) -> String {
    client.address(
      "/todos", [("state", "pending"), ("per_page", "\(pageSize)")] + (page.map { [("page", $0)] } ?? []),
      filtered: true)
  }

  static func element(_ fields: inout JSONFields) -> ListElement? { GitLabToDo.element(&fields) }

  /// Returns the URL of the user's to-do list.
  static func link(_ client: ServiceClient) -> String? {
    client.page("/dashboard/todos", without: "/api/v4")
  }

  /// Whether the failure means that the item no longer exists. For an unknown path, GitLab returns the member `error`
  /// instead of `message`.
  static func saysGone(_ failure: ServiceFailure) -> Bool { failure.object?["message"] != nil }

  /// Marks a to-do item as done; GitLab supports no other change.
  func send(_ act: OutgoingAct, _ client: ServiceClient) async throws(ServiceFailure) -> SentAct {
    guard act.mark == .done(true) else { return .notOffered }
    let id = ServiceClient.encoded(act.remoteID.text)
    _ = try await client.send(.post, client.address("/todos/\(id)/mark_as_done"))
    return .done
  }

  /// Returns the scope that the token lacks, or `nil` if none is known to be missing. A token may query its own scopes
  /// (docs.gitlab.com/api/personal_access_tokens, since 15.5).
  func missingScope(_ client: ServiceClient) async -> MissingScope? {
    // After any failure, the scopes are unknown.
    let answer = try? await client.get(client.address("/personal_access_tokens/self"))
    let scopes = (try? answer?.json())?.object?["scopes"]?.elements?.compactMap(\.text) ?? []
    // A granular token has permissions instead, which the response does not contain.
    guard !scopes.isEmpty, !scopes.contains("api"), !scopes.contains("granular") else { return nil }
    let page = client.page(
      "/-/user_settings/personal_access_tokens?name=reddot&scopes=api", without: "/api/v4")
    return MissingScope(scope: "api", has: scopes, page: page)
  }
}
