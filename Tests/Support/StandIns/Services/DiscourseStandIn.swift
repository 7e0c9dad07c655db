import Basics
import Formats
import Foundation
package import Messages
import Synchronization

/// A Discourse forum: notifications, newest first, in pages by offset.
package final class DiscourseStandIn: ServiceStandIn {
  package static let kind = SourceKind.discourse
  package static let abilities: StandInAbilities = [.read]

  private static let pageSize = 60

  private struct State {
    /// The notifications, as whether each was read.
    var isRead: [Bool] = []
    var made: [Date] = []
    var wasBellCleared = false
    var wereAllMarked = false
  }

  package let conditions: StandInConditions
  private let state = Mutex(State())

  package init(_ conditions: StandInConditions) { self.conditions = conditions }

  package static func address(at origin: String) -> String { origin + "/forum/" }

  package func isAuthorized(_ request: StandInRequest) -> Bool {
    request.headers["user-api-key"] == conditions.token
  }

  /// Whether a client cleared the badge of the user's browser, which is never allowed without a request of the user.
  package var wasBellCleared: Bool { state.withLock { $0.wasBellCleared } }
  /// Whether a client marked all as read.
  package var wereAllMarked: Bool { state.withLock { $0.wereAllMarked } }

  // MARK: What happens there

  @discardableResult package func arrive() -> RemoteID {
    let now = conditions.now
    return state.withLock { state in
      state.isRead.append(false)
      state.made.append(now)
      return RemoteID("\(state.isRead.count)")
    }
  }

  package func markElsewhere(_ mark: OutgoingMark, of id: RemoteID) {
    if case .read(true) = mark { markRead(id.text) }
  }

  private func markRead(_ id: String) {
    state.withLock { state in
      if let number = Int(id), state.isRead.indices.contains(number - 1) { state.isRead[number - 1] = true }
    }
  }

  package var truth: StandInTruth {
    state.withLock { state in
      var truth = StandInTruth()
      for (place, isRead) in state.isRead.enumerated() {
        let id = RemoteID("\(place + 1)")
        truth.everPresent.insert(StandInOccasion(id))
        if !isRead { truth.openNow.insert(id) }
        // Every poll reads the first page.
        guard place >= state.isRead.count - Self.pageSize else { continue }
        truth.marks[id] = UpstreamMarks(isRead: isRead)
        truth.listed.insert(StandInOccasion(id))
      }
      return truth
    }
  }

  // MARK: Its API

  package func respond(to request: StandInRequest) -> StandInResponse {
    guard isAuthorized(request) else {
      return .json(
        [
          "errors": ["You are not permitted to view the requested resource."], "error_type": "invalid_access",
        ],
        status: 403)
    }
    switch (request.method, request.path) {
    case ("GET", "/forum/notifications.json"): return list(request)
    case ("PUT", "/forum/notifications/mark-read.json"):
      if let id = request.form.first(where: { $0.name == "id" })?.value {
        markRead(id)
      } else {
        state.withLock { state in
          state.wereAllMarked = true
          state.isRead = state.isRead.map { _ in true }
        }
      }
      return .json(["success": "OK"])
    case _: return .json(["errors": ["not found"], "error_type": "not_found"], status: 404)
    }
  }

  private func list(_ request: StandInRequest) -> StandInResponse {
    if request["recent"] != nil, request["silent"] != "true" { state.withLock { $0.wasBellCleared = true } }
    let limit = min(Self.pageSize, request["limit"].flatMap { Int($0) } ?? Self.pageSize)
    let offset = request["offset"].flatMap { Int($0) } ?? 0
    let (isRead, made) = state.withLock { ($0.isRead, $0.made) }
    let numbers = (1..<(isRead.count + 1)).reversed().dropFirst(offset).prefix(limit)
    let more = conditions.isLeadingAway ? conditions.stranger + "/notifications" : "/notifications"
    return .json([
      "notifications": .array(
        numbers.map { number in
          [
            "id": .integer(number), "user_id": 1, "notification_type": .integer(number % 40),
            "read": .bool(isRead[number - 1]), "high_priority": .bool(number % 5 == 0),
            "created_at": .string(ISOInstant.text(made[number - 1])), "topic_id": .integer(number),
            "post_number": 2, "slug": "a-topic", "fancy_title": .string("A &amp; B \(number)"),
            "data": ["display_username": "bo", "topic_title": "A & B", "count": "2"],
          ]
        }), "total_rows_notifications": .integer(isRead.count), "seen_notification_id": 0,
      "load_more_notifications": .string("\(more)?offset=\(offset + limit)"),
    ])
  }

  package func refusal(_ fault: StandInFault) -> StandInResponse {
    switch fault {
    case .unauthorized: .json(["errors": ["wrong key"], "error_type": "not_logged_in"], status: 401)
    case .forbidden: .json(["errors": ["not now"], "error_type": "invalid_access"], status: 403)
    case .tooManyRequests:
      .json(
        ["errors": ["slow down"], "error_type": "rate_limit", "extras": ["wait_seconds": 120]], status: 429)
    case .serverError: .text("oops", status: 500)
    case .cut, .hangUp: StandInResponse(500)
    }
  }
}
