import Basics
import Formats
package import Foundation
package import Messages
import Synchronization

/// GitHub Enterprise Server: threads, newest first, in pages of at most 50 with Link, conditional requests that return
/// only new threads, a request limit, and GraphQL for the states of issues and pull requests.
package final class GitHubStandIn: ServiceStandIn {
  package static let kind = SourceKind.github
  package static let abilities: StandInAbilities = [.news, .read, .done]

  private struct Thread {
    var number: Int
    var updated: Int
    var isUnread = true
    var isDone = false
    var isIgnored = false
    var comments = 0
    var subject = Subject()
  }

  /// The issue or pull request of a thread.
  package struct Subject: Sendable {
    package var isPullRequest = false
    /// `OPEN`, `CLOSED` or `MERGED`.
    package var state = "OPEN"
    package var closed: Date?
    package var isDraft = false
    /// The state of the checks of a pull request, such as `FAILURE`.
    package var checks: String?
    /// Whether the token may see it by GraphQL.
    package var isVisible = true

    /// Closes it, or merges a pull request.
    package mutating func end(_ state: String, at time: Date) { (self.state, closed) = (state, time) }
  }

  /// The response to a token that may not use GraphQL.
  package enum GraphQLRefusal: Sendable, CaseIterable {
    case unauthorized, forbidden, errors
  }

  private struct State {
    var threads: [Thread] = []
    var everPresent: Set<StandInOccasion> = []
    var used = 0
    var graphQLRefusal: GraphQLRefusal?
  }

  package let conditions: StandInConditions
  private let state = Mutex(State())

  package init(_ conditions: StandInConditions) { self.conditions = conditions }

  package func isAuthorized(_ request: StandInRequest) -> Bool {
    let header = request.headers["authorization"]
    return header == "Bearer " + conditions.token || header == "token " + conditions.token
  }

  private var second: Int { Int(conditions.now.timeIntervalSince1970.rounded(.down)) }

  private static func text(_ seconds: Int) -> String {
    ISOInstant.text(Date(timeIntervalSince1970: Double(seconds)))
  }

  private static func id(_ number: Int) -> RemoteID { RemoteID("90000\(number)") }

  // MARK: What happens there

  @discardableResult package func arrive() -> RemoteID {
    let second = second
    return state.withLock { state in
      let number = state.threads.count + 1
      state.threads.append(Thread(number: number, updated: second))
      state.everPresent.insert(StandInOccasion(Self.id(number), Self.text(second)))
      return Self.id(number)
    }
  }

  package func renew(_ id: RemoteID) {
    let second = second
    change(id) { thread, state in
      guard thread.updated < second, !thread.isIgnored else { return }
      thread.updated = second
      thread.comments += 1
      thread.isUnread = true
      thread.isDone = false
      state.insert(StandInOccasion(id, Self.text(second)))
    }
  }

  package func markElsewhere(_ mark: OutgoingMark, of id: RemoteID) {
    switch mark {
    case .read(true): change(id) { thread, _ in thread.isUnread = false }
    case .done(true):
      change(id) { thread, _ in
        thread.isUnread = false
        thread.isDone = true
      }
    case .read(false), .done(false), .starred, .snoozed, .named: break
    }
  }

  /// The response to requests by GraphQL, or `nil` if the token may use it.
  package var graphQLRefusal: GraphQLRefusal? {
    get { state.withLock(\.graphQLRefusal) }
    set { state.withLock { $0.graphQLRefusal = newValue } }
  }

  /// Changes the issue or pull request of a thread without a notification, as when the user does it.
  package func change(_ id: RemoteID, _ body: (inout Subject) -> Void) {
    change(id) { thread, _ in body(&thread.subject) }
  }

  @discardableResult private func change(
    _ id: RemoteID, _ body: (inout Thread, inout Set<StandInOccasion>) -> Void
  ) -> Thread? {
    state.withLock { state in
      guard let place = state.threads.firstIndex(where: { Self.id($0.number) == id }) else { return nil }
      let before = state.threads[place]
      body(&state.threads[place], &state.everPresent)
      return before
    }
  }

  package var truth: StandInTruth {
    state.withLock { state in
      var truth = StandInTruth()
      truth.everPresent = state.everPresent
      for thread in state.threads {
        let id = Self.id(thread.number)
        truth.marks[id] = UpstreamMarks(isRead: !thread.isUnread)
        guard thread.isUnread else { continue }
        truth.openNow.insert(id)
        truth.listed.insert(StandInOccasion(id, Self.text(thread.updated)))
      }
      return truth
    }
  }

  /// The threads whose notifications another request has ended.
  package var ignored: Set<RemoteID> {
    state.withLock { Set($0.threads.filter(\.isIgnored).map { Self.id($0.number) }) }
  }

  // MARK: Its API

  package func refusal(_ fault: StandInFault) -> StandInResponse {
    let page = "https://docs.github.com/rest"
    func error(_ status: Int, _ message: String, _ headers: [(name: String, value: String)] = [])
      -> StandInResponse
    {
      .json(
        ["message": .string(message), "documentation_url": .string(page), "status": .string("\(status)")],
        status: status, [("Date", HTTPText.date(conditions.now))] + headers)
    }
    switch fault {
    case .unauthorized: return error(401, "Bad credentials")
    case .forbidden:
      return error(
        403, "API rate limit exceeded for user ID 1.",
        [
          ("x-ratelimit-limit", "5000"), ("x-ratelimit-remaining", "0"),
          ("x-ratelimit-reset", "\(second + 1800)"),
        ])
    case .tooManyRequests:
      return error(429, "You have exceeded a secondary rate limit.", [("Retry-After", "120")])
    case .serverError: return error(500, "Server Error")
    case .cut, .hangUp: return StandInResponse(500)
    }
  }

  package func respond(to request: StandInRequest) -> StandInResponse {
    guard isAuthorized(request) else { return refusal(.unauthorized) }
    if let release = release(request) { return release }
    if request.method == "POST", request.path == "/api/graphql" { return graphQL(request) }
    let prefix = "/api/v3/notifications"
    guard request.path.hasPrefix(prefix) else { return notFound }
    let rest = String(request.path.dropFirst(prefix.count))
    if request.method == "GET", rest.isEmpty { return list(request) }
    guard rest.hasPrefix("/threads/") else { return notFound }
    let parts = rest.dropFirst("/threads/".count).split(separator: "/").map(String.init)
    guard let first = parts.first else { return notFound }
    let id = RemoteID(first)
    switch (request.method, parts.dropFirst().first) {
    case ("PATCH", nil):
      guard let before = change(id, { thread, _ in thread.isUnread = false }) else { return notFound }
      return answer(before.isUnread ? 205 : 304)
    case ("DELETE", nil):
      let before = change(id) { thread, _ in
        thread.isUnread = false
        thread.isDone = true
      }
      return before == nil ? notFound : answer(204)
    case ("PUT", "subscription"?):
      guard request.json?.object?["ignored"]?.bool == true,
        change(id, { thread, _ in thread.isIgnored = true }) != nil
      else { return notFound }
      return .json(["subscribed": false, "ignored": true])
    case _: return notFound
    }
  }

  private var notFound: StandInResponse {
    .json(
      ["message": "Not Found", "status": "404", "documentation_url": "https://docs.github.com/rest"],
      status: 404)
  }

  private func answer(_ status: Int, _ headers: [(name: String, value: String)] = []) -> StandInResponse {
    let used = state.withLock { state in
      if status != 304 { state.used += 1 }
      return state.used
    }
    let limits = [
      ("Date", HTTPText.date(conditions.now)), ("x-ratelimit-limit", "5000"),
      ("x-ratelimit-remaining", "\(5000 - used % 5000)"), ("x-ratelimit-used", "\(used % 5000)"),
      ("x-ratelimit-reset", "\(second / 3600 * 3600 + 3600)"),
    ]
    return StandInResponse(status, limits.map { (name: $0.0, value: $0.1) } + headers)
  }

  /// Whether a thread is that of a release, which is every fourth; the list does not have its notes.
  private static func isRelease(_ number: Int) -> Bool { number % 4 == 0 }

  private func release(_ request: StandInRequest) -> StandInResponse? {
    let prefix = "/api/v3/repos/octo/hello/releases/"
    guard request.method == "GET", request.path.hasPrefix(prefix) else { return nil }
    guard let number = Int(request.path.dropFirst(prefix.count)), Self.isRelease(number) else {
      return notFound
    }
    var response = answer(200, [("Content-Type", "application/json; charset=utf-8")])
    let web = conditions.isLeadingAway ? conditions.stranger : request.origin
    let json: JSONValue = [
      "id": .integer(number), "tag_name": .string("v\(number)"), "name": .string("Issue \(number)"),
      "html_url": .string("\(web)/octo/hello/releases/tag/v\(number)"), "author": ["login": "octo"],
      "body": .string("## What is new\r\n\r\n* Number \(number)"),
    ]
    response.body = Data(json.serialized().utf8)
    return response
  }

  private func list(_ request: StandInRequest) -> StandInResponse {
    let found = state.withLock { state in
      state.threads.filter { $0.isUnread || request["all"] == "true" && !$0.isDone }
        .sorted { ($0.updated, $0.number) > ($1.updated, $1.number) }
    }
    let newest = found.first(where: \.isUnread)?.updated ?? 0
    if let text = request.headers["if-modified-since"] {
      guard let date = HTTPDate.parse(text, now: conditions.now), HTTPText.date(date) == text else {
        return .json(["message": "Invalid If-Modified-Since", "status": "422"], status: 422)
      }
      if newest <= Int(date.timeIntervalSince1970) { return answer(304, [("X-Poll-Interval", "60")]) }
    }
    let size = min(50, max(1, request["per_page"].flatMap { Int($0) } ?? 50))
    let page = max(1, request["page"].flatMap { Int($0) } ?? 1)
    var headers = [
      (name: "Content-Type", value: "application/json; charset=utf-8"),
      (name: "X-Poll-Interval", value: "60"),
    ]
    if newest > 0 {
      headers.append(
        ("Last-Modified", HTTPText.date(Date(timeIntervalSince1970: Double(newest)))))
    }
    let origin = conditions.isLeadingAway ? conditions.stranger : request.origin
    var links: [String] = []
    if page * size < found.count {
      links.append("<\(origin)/api/v3/notifications?per_page=\(size)&page=\(page + 1)>; rel=\"next\"")
      links.append(
        "<\(origin)/api/v3/notifications?per_page=\(size)&page=\((found.count + size - 1) / size)>; rel=\"last\""
      )
    }
    if !links.isEmpty { headers.append(("Link", links.joined(separator: ", "))) }
    var response = answer(200, headers)
    let part = found.dropFirst((page - 1) * size).prefix(size)
    response.body = Data(JSONValue.array(part.map { json($0, origin, request.origin) }).serialized().utf8)
    return response
  }

  /// Responds to a query for issues and pull requests, each in a repository with an alias.
  private func graphQL(_ request: StandInRequest) -> StandInResponse {
    switch graphQLRefusal {
    case .unauthorized: return refusal(.unauthorized)
    case .forbidden:
      return .json(["message": "Resource not accessible", "documentation_url": "x"], status: 403)
    case .errors:
      let error: JSONValue = [
        "type": "INSUFFICIENT_SCOPES", "message": "Your token has not been granted the required scopes",
      ]
      return .json(["data": .null, "errors": [error]])
    case nil: break
    }
    guard let query = request.json?.object?["query"]?.text, query.hasPrefix("query {") else {
      return .json(["errors": [["message": "A query attribute must be specified and must be a string."]]])
    }
    let pattern =
      #/(\w+): repository\(owner: "octo", name: "hello"\) \{ it: (pullRequest|issue)\(number: (\d+)\) \{ state /#
    let threads = state.withLock(\.threads)
    var (data, errors): (JSONObject, [JSONValue]) = (JSONObject(), [])
    for match in query.matches(of: pattern) {
      let (alias, kind, number) = (String(match.1), match.2, Int(match.3))
      let subject = threads.first { $0.number == number }?.subject
      guard let subject, subject.isVisible, subject.isPullRequest == (kind == "pullRequest") else {
        data[alias] = .null
        errors.append([
          "type": "NOT_FOUND", "path": [.string(alias)],
          "message": "Could not resolve to a Repository with the name 'octo/hello'.",
        ])
        continue
      }
      var it = JSONObject([.init(key: "state", value: .string(subject.state))])
      it["closedAt"] = subject.closed.map { JSONValue.string(ISOInstant.text($0)) } ?? JSONValue.null
      if subject.isPullRequest {
        let checks = subject.checks.map { ["state": JSONValue.string($0)] as JSONValue } ?? JSONValue.null
        it["isDraft"] = .bool(subject.isDraft)
        it["commits"] = ["nodes": [["commit": ["statusCheckRollup": checks]]]]
      }
      data[alias] = ["it": .object(it)]
    }
    var json = JSONObject([.init(key: "data", value: .object(data))])
    if !errors.isEmpty { json["errors"] = .array(errors) }
    var response = answer(
      200, [("Content-Type", "application/json; charset=utf-8"), ("x-ratelimit-resource", "graphql")])
    response.body = Data(JSONValue.object(json).serialized().utf8)
    return response
  }

  private func json(_ thread: Thread, _ api: String, _ web: String) -> JSONValue {
    let number = thread.number
    let isRelease = Self.isRelease(number)
    let isPullRequest = thread.subject.isPullRequest
    let kind = isRelease ? "releases" : isPullRequest ? "pulls" : "issues"
    let subject = "\(api)/api/v3/repos/octo/hello/\(kind)/\(number)"
    return [
      "id": .string(Self.id(number).text), "unread": .bool(thread.isUnread), "reason": "subscribed",
      "updated_at": .string(Self.text(thread.updated)), "last_read_at": .null,
      "url": .string("\(api)/api/v3/notifications/threads/\(Self.id(number).text)"),
      "subject": [
        "title": .string("Issue \(number)"), "url": .string(subject),
        "latest_comment_url": .string(
          thread.comments == 0
            ? subject : "\(api)/api/v3/repos/octo/hello/issues/comments/\(number)\(thread.comments)"),
        "type": .string(isRelease ? "Release" : isPullRequest ? "PullRequest" : "Issue"),
      ],
      "repository": [
        "id": 1, "full_name": "octo/hello", "private": false, "html_url": .string(web + "/octo/hello"),
        "owner": ["login": "octo"],
      ],
    ]
  }
}
