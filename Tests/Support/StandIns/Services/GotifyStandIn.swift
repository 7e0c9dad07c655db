import Basics
import Formats
import Foundation
package import HTTP
package import Messages
import Synchronization

/// A Gotify server: messages, newest first, in pages that lead into the past, and deletions.
package final class GotifyStandIn: ServiceStandIn {
  package static let kind = SourceKind.gotify
  package static let abilities: StandInAbilities = [.done]

  package let conditions: StandInConditions
  private let state = Mutex(NumberedItems())

  package init(_ conditions: StandInConditions) { self.conditions = conditions }

  package func isAuthorized(_ request: StandInRequest) -> Bool {
    request.headers["x-gotify-key"] == conditions.token
      || request.headers["authorization"] == "Bearer " + conditions.token
      || request["token"] == conditions.token
  }

  @discardableResult package func arrive() -> RemoteID {
    let now = conditions.now
    let item = state.withLock { $0.arrive(at: now) }
    conditions.announce(json(item).serialized())
    return item.id
  }

  package func stream(for request: StandInRequest) -> StreamForm? {
    request.method == "GET" && request.path == "/stream" ? .webSocket : nil
  }

  package func markElsewhere(_ mark: OutgoingMark, of id: RemoteID) {
    if mark == .done(true) { _ = delete(id) }
  }

  private func delete(_ id: RemoteID) -> Bool {
    state.withLock { $0.finish(id) }?.isOpen == true
  }

  package var truth: StandInTruth {
    state.withLock { items in
      var truth = StandInTruth()
      let isShort = items.open.count <= 100
      for item in items.all {
        let id = item.id
        truth.everPresent.insert(StandInOccasion(id))
        // If a list is long, deletions at its end cannot be known.
        if isShort { truth.marks[id] = UpstreamMarks(isRead: !item.isOpen) }
        guard item.isOpen else { continue }
        truth.openNow.insert(id)
        truth.listed.insert(StandInOccasion(id))
      }
      return truth
    }
  }

  package func refusal(_ fault: StandInFault) -> StandInResponse {
    func error(_ status: Int, _ name: String, _ headers: [(name: String, value: String)] = [])
      -> StandInResponse
    {
      .json(
        [
          "error": .string(name), "errorCode": .integer(status),
          "errorDescription": .string("it says: " + name),
        ],
        status: status, headers)
    }
    switch fault {
    case .unauthorized: return error(401, "Unauthorized")
    case .forbidden: return error(403, "Forbidden")
    case .tooManyRequests: return error(429, "Too Many Requests", [("Retry-After", "120")])
    case .serverError: return error(500, "Internal Server Error")
    case .cut, .hangUp: return StandInResponse(500)
    }
  }

  package func respond(to request: StandInRequest) -> StandInResponse {
    guard isAuthorized(request) else { return refusal(.unauthorized) }
    let parts = request.path.split(separator: "/").map(String.init)
    if request.method == "GET", parts == ["application"] {
      return .json([["id": 3, "name": "Backups", "token": "A-secret", "internal": false]])
    }
    guard parts.first == "message" else {
      return .json(
        ["error": "Not Found", "errorCode": 404, "errorDescription": "page not found"], status: 404)
    }
    switch (request.method, parts.count) {
    case ("GET", 1): return list(request)
    case ("DELETE", 2):
      return delete(RemoteID(parts[1]))
        ? StandInResponse(200)
        : .json(
          ["error": "Not Found", "errorCode": 404, "errorDescription": "message does not exist"], status: 404)
    case _:
      return .json(
        ["error": "Not Found", "errorCode": 404, "errorDescription": "page not found"], status: 404)
    }
  }

  private func list(_ request: StandInRequest) -> StandInResponse {
    let limit = request["limit"].flatMap { Int($0) } ?? 100
    guard (1...200).contains(limit) else {
      return .json(["error": "Bad Request", "errorCode": 400], status: 400)
    }
    let since = request["since"].flatMap { Int($0) } ?? 0
    let found = state.withLock { items in
      items.open.filter { since == 0 || $0.number < since }.reversed()
    }
    let part = found.prefix(limit)
    var paging: [String: JSONValue] = [
      "size": .integer(part.count), "limit": .integer(limit), "since": .integer(part.last?.number ?? 0),
    ]
    if found.count > limit {
      let origin = conditions.isLeadingAway ? conditions.stranger : request.origin
      paging["next"] = .string("\(origin)/message?limit=\(limit)&since=\(part.last?.number ?? 0)")
    } else {
      paging["since"] = 0
    }
    let members = paging.sorted { $0.key < $1.key }.map { JSONObject.Member(key: $0.key, value: $0.value) }
    return .json(["messages": .array(part.map(json)), "paging": .object(JSONObject(members))])
  }

  private func json(_ item: NumberedItems.Item) -> JSONValue {
    [
      "id": .integer(item.number), "appid": 3, "title": .string("Backup \(item.number)"),
      "message": "**Backup** was successful.", "priority": .integer(item.number % 11),
      "date": .string(ISOInstant.text(item.created)),
      "extras": [
        "client::display": ["contentType": "text/markdown"],
        "client::notification": ["click": ["url": .string(conditions.stranger + "/backups")]],
      ],
    ]
  }
}
