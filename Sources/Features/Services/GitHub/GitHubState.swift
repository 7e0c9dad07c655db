import Basics
import Formats
import Foundation
import HTTP
import Messages

/// The issue or pull request that a notification is about, identified by its URL in the API:
/// `…/repos/octo/hello/pulls/7`.
struct GitHubSubject {
  private let owner: String
  private let repository: String
  private let number: Int32
  private let isPullRequest: Bool

  /// Parses a URL of the API, or returns `nil` if it isn't that of an issue or a pull request.
  init?(_ address: String) {
    let parts = address.split(onBytes: "/").suffix(5).map(String.init)
    guard parts.count == 5, parts[0] == "repos", Self.isName(parts[1]), Self.isName(parts[2]),
      ["pulls", "issues"].contains(parts[3]), let number = Int32(parts[4]), number > 0
    else { return nil }
    (owner, repository, self.number) = (parts[1], parts[2], number)
    isPullRequest = parts[3] == "pulls"
  }

  /// Whether a name contains no characters that would need an escape in a query.
  private static func isName(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-_.".utf8.contains($0) }
  }

  /// Returns the GraphQL field that requests the state; in the response, the state is the member `it` of the alias.
  func field(named alias: String) -> String {
    // Older Enterprise Servers know the checks only through the commit.
    let object =
      isPullRequest
      ? "pullRequest(number: \(number)) { state isDraft closedAt "
        + "commits(last: 1) { nodes { commit { statusCheckRollup { state } } } } }"
      : "issue(number: \(number)) { state closedAt }"
    return "\(alias): repository(owner: \"\(owner)\", name: \"\(repository)\") { it: \(object) }"
  }
}

/// The state of an issue or a pull request (docs.github.com/graphql/reference/objects).
struct GitHubState {
  private let isOpen: Bool
  private let closed: Date?
  /// The tags for the message: the state, and `draft` or `checks-failed` if that applies.
  let tags: [String]

  /// Reads a state, or returns `nil` if the response does not contain it.
  init?(_ json: JSONValue?) {
    guard let object = json?.object, let state = object["state"]?.text?.lowercased(),
      ["open", "closed", "merged"].contains(state)
    else { return nil }
    isOpen = state == "open"
    closed = object["closedAt"]?.text.flatMap(ISOInstant.parse)
    let commit = object["commits"]?.object?["nodes"]?.elements?.last?.object?["commit"]?.object
    let checks = commit?["statusCheckRollup"]?.object?["state"]?.text
    tags =
      [state] + (object["isDraft"]?.bool == true ? ["draft"] : [])
      + (["FAILURE", "ERROR"].contains(checks) ? ["checks-failed"] : [])
  }

  /// Whether the issue or pull request has ended, or `nil` if something happened after the end that the user has not
  /// read.
  ///
  /// - Parameter changed: the time of the last event of its notification thread.
  func isOver(changed: Date?) -> Bool? {
    if isOpen { return false }
    guard let closed, let changed else { return true }
    return changed.timeIntervalSince(closed) > Limits.closingSeconds ? nil : true
  }
}

extension GitHubAdapter {
  /// Adds the states of the issues and pull requests of a page, which are read with one request.
  ///
  /// If the response is missing or lacks some states, nothing is known about these: the threads do not end, and they
  /// keep the tags that they had before.
  static func addStates(
    to elements: inout [ListElement], _ part: inout ServicePart<ListCursor>, _ client: ServiceClient
  ) async {
    // Nothing needs to be known about a thread that was read.
    let subjects = elements.enumerated().compactMap { place, element in
      element.isOpen ? element.subject.flatMap(GitHubSubject.init).map { (place, $0) } : nil
    }
    // If GitHub refuses to respond, one request per poll shows whether it still does.
    if !subjects.isEmpty, !part.cursor.lacksStates || part.cursor.reading == nil {
      for (place, state) in await states(of: subjects, &part, client) {
        elements[place].isOver = state.isOver(changed: elements[place].time)
        part.cursor[tagsOf: elements[place].message.remoteID] = state.tags
      }
    }
    for place in elements.indices {
      guard let tags = part.cursor[tagsOf: elements[place].message.remoteID] else { continue }
      elements[place].message.tags = ServiceText.tags(elements[place].message.tags + tags)
    }
  }

  /// Requests the states of issues and pull requests; `place` is the index of the element in the page.
  private static func states(
    of subjects: [(place: Int, subject: GitHubSubject)], _ part: inout ServicePart<ListCursor>,
    _ client: ServiceClient
  ) async -> [(place: Int, state: GitHubState)] {
    let fields = subjects.map { $0.subject.field(named: "n\($0.place)") }
    let query = JSONValue.string("query { \(fields.joined(separator: " ")) }")
    do throws(ServiceFailure) {
      let server = graphQL(client)
      let answer = try await server.send(
        .post, server.base, json: .object(JSONObject([.init(key: "query", value: query)])), headers: headers)
      let json = try answer.json().object
      let reason = json?["errors"]?.elements?.first?.object?["message"]?.text
      guard let data = json?["data"]?.object else {
        throw ServiceFailure(malformed: reason.map(ServiceText.oneLine) ?? "the answer has no data")
      }
      part.cursor.lacksStates = false
      let found = subjects.compactMap { place, _ in
        GitHubState(data["n\(place)"]?.object?["it"]).map { (place, $0) }
      }
      if found.count < subjects.count, reason != nil, !part.cursor.lacksSomeStates {
        part.cursor.lacksSomeStates = true
        part.problems.append(FormatProblem(at: "", message: lacksSome))
      }
      return found
    } catch {
      lackStates(error, &part, client)
      return []
    }
  }

  /// Records that GitHub returned no states. This is reported as a problem once, until GitHub returns states again.
  private static func lackStates(
    _ failure: ServiceFailure, _ part: inout ServicePart<ListCursor>, _ client: ServiceClient
  ) {
    if failure.failure == .cancelled { return }
    if failure.headers["Retry-After"] != nil {
      // This limit applies to all requests, while that of GraphQL alone must not delay the list.
      let hints = meaning(of: failure, client).hints
      (part.hints.retryAfter, part.hints.retryAfterFrom) = (hints.retryAfter, hints.retryAfterFrom)
    }
    guard !part.cursor.lacksStates else { return }
    part.cursor.lacksStates = true
    part.problems.append(FormatProblem(at: "", message: "\(lacksAll): \(reason(of: failure))"))
  }

  private static let lacksAll =
    "the state of issues and pull requests is unknown, so none of them ends"
  private static let lacksSome =
    "the state of some issues and pull requests is unknown, so these do not end: the token may not see them; "
    + "private repositories need the scope repo"

  /// Returns a description of a failed GraphQL request.
  private static func reason(of failure: ServiceFailure) -> String {
    switch failure.failure {
    case .status(let status, let reason): "/graphql returned \(status)\(reason.isEmpty ? "" : ", \(reason)")"
    case .malformed(_, let reason): "/graphql returned an error: \(reason)"
    case _: failure.status.map { "/graphql returned \($0)" } ?? "/graphql did not respond"
    }
  }

  /// Returns the client for GraphQL, which is next to `/api/v3` on an Enterprise server.
  ///
  /// Its requests have a separate limit, which must not be shown as the limit of the list.
  private static func graphQL(_ client: ServiceClient) -> ServiceClient {
    var context = client.context
    context.answers = nil
    let rest = "/v3"
    let base = client.base.hasSuffix("/api" + rest) ? String(client.base.dropLast(rest.count)) : client.base
    return ServiceClient(client.transport, client.source, context, base: base + "/graphql")
  }
}
