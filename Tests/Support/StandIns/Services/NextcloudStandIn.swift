import Basics
import Formats
import Foundation
package import Messages
import Synchronization

/// Nextcloud's notifications: the newest 25, a tag over their ids, and deleting for all devices.
package final class NextcloudStandIn: ServiceStandIn {
  package static let kind = SourceKind.nextcloud
  package static let abilities: StandInAbilities = [.done]

  private static let shown = 25

  private struct State {
    /// All notifications, with whether each still exists.
    var isThere: [Bool] = []
    var made: [Date] = []
  }

  package let conditions: StandInConditions
  private let state = Mutex(State())

  package init(_ conditions: StandInConditions) { self.conditions = conditions }

  package static func address(at origin: String) -> String { origin + "/nextcloud" }

  package func isAuthorized(_ request: StandInRequest) -> Bool {
    let pair = Data("\(conditions.user):\(conditions.token)".utf8).base64EncodedString()
    return request.headers["authorization"] == "Basic " + pair
  }

  // MARK: What happens there

  @discardableResult package func arrive() -> RemoteID {
    let now = conditions.now
    return state.withLock { state in
      state.isThere.append(true)
      state.made.append(now)
      return RemoteID("\(state.isThere.count)")
    }
  }

  package func markElsewhere(_ mark: OutgoingMark, of id: RemoteID) {
    if case .done(true) = mark { delete(id.text) }
  }

  private func delete(_ id: String) {
    state.withLock { state in
      if let number = Int(id), state.isThere.indices.contains(number - 1) {
        state.isThere[number - 1] = false
      }
    }
  }

  /// Returns the numbers in the list, newest first.
  private static func listed(_ state: State) -> [Int] {
    Array(state.isThere.indices.filter { state.isThere[$0] }.suffix(shown).map { $0 + 1 }.reversed())
  }

  package var truth: StandInTruth {
    state.withLock { state in
      var truth = StandInTruth()
      let listed = Self.listed(state)
      let oldest = listed.count < Self.shown ? 0 : listed.last ?? 0
      for number in 1..<(state.isThere.count + 1) {
        let id = RemoteID("\(number)")
        truth.everPresent.insert(StandInOccasion(id))
        // Nothing is known about notifications after the end of a full list.
        if !state.isThere[number - 1], number > oldest { truth.marks[id] = UpstreamMarks(isRead: true) }
      }
      truth.listed = Set(listed.map { StandInOccasion(RemoteID("\($0)")) })
      truth.openNow = Set(truth.listed.map(\.id))
      return truth
    }
  }

  // MARK: Its API

  package func respond(to request: StandInRequest) -> StandInResponse {
    let prefix = "/nextcloud/ocs/v2.php/apps/notifications/api/v2/notifications"
    guard request.path.hasPrefix(prefix) else { return .text("not found", status: 404) }
    guard request.headers["ocs-apirequest"] == "true" else {
      return Self.envelope([], status: 412, "CSRF check failed")
    }
    guard isAuthorized(request) else {
      return Self.envelope([], status: 401, "Current user is not logged in")
    }
    let rest = String(request.path.dropFirst(prefix.count))
    switch (request.method, rest) {
    case ("GET", ""): return list(request)
    case ("POST", "/exists"): return exist(request)
    case ("DELETE", _) where rest.hasPrefix("/") && rest.count > 1:
      let id = String(rest.dropFirst())
      if id == "0" { return Self.envelope([], status: 404, "not found") }
      delete(id)
      return Self.envelope([])
    case _: return Self.envelope([], status: 404, "not found")
    }
  }

  private func exist(_ request: StandInRequest) -> StandInResponse {
    let ids = request.json?.object?["ids"]?.elements?.compactMap(\.integer) ?? []
    guard ids.count <= 200 else { return Self.envelope([], status: 400, "too many ids") }
    let there = state.withLock { state in
      ids.filter { state.isThere.indices.contains($0 - 1) && state.isThere[$0 - 1] }
    }
    return Self.envelope(there.map(JSONValue.integer))
  }

  private func list(_ request: StandInRequest) -> StandInResponse {
    let (listed, made) = state.withLock { (Self.listed($0), $0.made) }
    let etag = "\"\(listed.map(String.init).joined(separator: "-"))\""
    if request.headers["if-none-match"] == etag { return StandInResponse(304, [("ETag", etag)]) }
    let origin = conditions.isLeadingAway ? conditions.stranger : request.origin
    let items = listed.map { number -> JSONValue in
      [
        "notification_id": .integer(number), "app": "spreed", "user": .string(conditions.user),
        "datetime": .string(ISOInstant.text(made[number - 1])), "object_type": "chat", "object_id": "x",
        "subject": .string("Bo mentioned you, \(number)"), "subjectRich": "{user} mentioned you",
        "subjectRichParameters": ["user": ["type": "user", "id": "bo", "name": "Bo"]], "message": "",
        "messageRich": "", "messageRichParameters": [], "link": .string(origin + "/call/\(number)"),
        "icon": "",
        "shouldNotify": .bool(number % 2 == 0),
        "actions": [
          ["label": "Join", "link": .string(origin + "/join"), "type": "POST", "primary": true],
          ["label": "Look", "link": .string(origin + "/look"), "type": "WEB", "primary": false],
        ],
      ]
    }
    return Self.envelope(items, [("ETag", etag)])
  }

  private static func envelope(
    _ data: [JSONValue], status: Int = 200, _ message: String? = nil,
    _ headers: [(name: String, value: String)] = []
  ) -> StandInResponse {
    .json(
      [
        "ocs": [
          "meta": [
            "status": .string(status == 200 ? "ok" : "failure"), "statuscode": .integer(status),
            "message": message.map { .string($0) } ?? .null,
          ], "data": .array(data),
        ]
      ], status: status, headers)
  }

  private static func envelope(
    _ data: [JSONValue], _ headers: [(name: String, value: String)]
  ) -> StandInResponse { envelope(data, status: 200, nil, headers) }

  package func refusal(_ fault: StandInFault) -> StandInResponse {
    switch fault {
    case .unauthorized: Self.envelope([], status: 401, "Current user is not logged in")
    case .forbidden: Self.envelope([], status: 403, "not now")
    case .tooManyRequests: Self.envelope([], status: 429, "slow down", [("Retry-After", "120")])
    case .serverError: .text("Internal Server Error", status: 500)
    case .cut, .hangUp: StandInResponse(500)
    }
  }
}
