import Basics
import Formats
import Foundation
package import Messages
import Synchronization

/// GitLab's to-do list: pending items, newest id first, pages of at most 100 with Link.
package final class GitLabStandIn: ServiceStandIn {
  package static let kind = SourceKind.gitlab
  package static let abilities: StandInAbilities = [.done]

  package let conditions: StandInConditions
  private let state = Mutex(NumberedItems())
  private let tokenScopes = Mutex<[String]?>(nil)

  package init(_ conditions: StandInConditions) { self.conditions = conditions }

  /// The scopes of the token; `nil` for a server that doesn't report them.
  package var scopes: [String]? {
    get { tokenScopes.withLock(\.self) }
    set { tokenScopes.withLock { $0 = newValue } }
  }

  package func isAuthorized(_ request: StandInRequest) -> Bool {
    request.headers["private-token"] == conditions.token
      || request.headers["authorization"] == "Bearer " + conditions.token
  }

  @discardableResult package func arrive() -> RemoteID {
    let now = conditions.now
    return state.withLock { $0.arrive(at: now).id }
  }

  package func markElsewhere(_ mark: OutgoingMark, of id: RemoteID) {
    if mark == .done(true) { _ = state.withLock { $0.finish(id) } }
  }

  package var truth: StandInTruth {
    state.withLock { items in
      var truth = StandInTruth()
      for item in items.all {
        truth.everPresent.insert(StandInOccasion(item.id))
        truth.marks[item.id] = UpstreamMarks(isRead: !item.isOpen)
        guard item.isOpen else { continue }
        truth.openNow.insert(item.id)
        truth.listed.insert(StandInOccasion(item.id))
      }
      return truth
    }
  }

  package func refusal(_ fault: StandInFault) -> StandInResponse {
    switch fault {
    case .unauthorized: return .json(["message": "401 Unauthorized"], status: 401)
    case .forbidden:
      return .json(["message": "403 Forbidden"], status: 403)
    case .tooManyRequests:
      var response = StandInResponse.text("Retry later\n", status: 429)
      response.headers.append(("Retry-After", "120"))
      return response
    case .serverError: return .json(["message": "500 Internal Server Error"], status: 500)
    case .cut, .hangUp: return StandInResponse(500)
    }
  }

  package func respond(to request: StandInRequest) -> StandInResponse {
    guard isAuthorized(request) else { return refusal(.unauthorized) }
    let parts = request.path.split(separator: "/").map(String.init)
    let notFound = StandInResponse.json(["message": "404 Not found"], status: 404)
    if request.method == "GET", parts == ["api", "v4", "personal_access_tokens", "self"], let scopes {
      return .json(["id": 4, "active": true, "scopes": .array(scopes.map { .string($0) })])
    }
    guard parts.prefix(3) == ["api", "v4", "todos"] else { return notFound }
    switch (request.method, parts.count) {
    case ("GET", 3): return list(request)
    case ("POST", 5) where parts[4] == "mark_as_done":
      guard var item = state.withLock({ $0.finish(RemoteID(parts[3])) }) else { return notFound }
      item.isOpen = false
      return .json(json(item, request), status: 201)
    case _: return notFound
    }
  }

  private func list(_ request: StandInRequest) -> StandInResponse {
    let isPending = request["state"] != "done"
    let size = min(100, max(1, request["per_page"].flatMap { Int($0) } ?? 20))
    let page = max(1, request["page"].flatMap { Int($0) } ?? 1)
    let found = state.withLock { items in items.all.filter { $0.isOpen == isPending }.reversed() }
    let origin = conditions.isLeadingAway ? conditions.stranger : request.origin
    var headers = [
      (name: "Date", value: HTTPText.date(conditions.now)), (name: "RateLimit-Limit", value: "2000"),
      (name: "RateLimit-Remaining", value: "1999"),
    ]
    if page * size < found.count {
      let next = "\(origin)/api/v4/todos?page=\(page + 1)&per_page=\(size)&state=pending"
      headers.append(("Link", "<\(next)>; rel=\"next\""))
      headers.append(("x-next-page", "\(page + 1)"))
    } else {
      headers.append(("x-next-page", ""))
    }
    return .json(.array(found.dropFirst((page - 1) * size).prefix(size).map { json($0, request) }), headers)
  }

  private func json(_ item: NumberedItems.Item, _ request: StandInRequest) -> JSONValue {
    let number = item.number
    let title: JSONValue = "Merge request \(number)"
    return [
      "id": .integer(number), "project": ["id": 2, "path_with_namespace": "octo/hello"],
      "author": ["id": 1, "username": "root", "name": "Administrator"], "action_name": "marked",
      "target_type": "MergeRequest",
      "target": ["id": .integer(number), "iid": .integer(number), "title": title, "labels": []],
      "target_url": .string("\(request.origin)/octo/hello/-/merge_requests/\(number)"), "body": title,
      "state": item.isOpen ? "pending" : "done", "created_at": .string(ISOInstant.text(item.created)),
      "updated_at": .string(ISOInstant.text(item.created)),
    ]
  }
}
