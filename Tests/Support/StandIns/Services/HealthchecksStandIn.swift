import Basics
import Formats
import Foundation
package import Messages
import Synchronization

/// A project of Healthchecks: the whole state of its checks, and the flips of each.
package final class HealthchecksStandIn: ServiceStandIn {
  package static let kind = SourceKind.healthchecks
  package static let abilities: StandInAbilities = [.news, .edits, .read]

  private struct Check {
    var isLate: Bool
    var isTroubled = true
    /// The time of the last ping, in whole seconds; below, that of the change to down.
    var lastPing: Int
    var flipped: Int
    var edits = 0

    var status: String { !isTroubled ? "up" : isLate ? "grace" : "down" }
    /// The value that distinguishes one outage from the next.
    var occasion: Int { lastPing }
  }

  private struct State {
    var checks: [Check] = []
    var everPresent: Set<StandInOccasion> = []
    var pings = 0
  }

  package let conditions: StandInConditions
  private let state = Mutex(State())

  package init(_ conditions: StandInConditions) { self.conditions = conditions }

  package func isAuthorized(_ request: StandInRequest) -> Bool {
    request.headers["x-api-key"] == conditions.token
  }

  /// The number of requests to a ping address, which no client may send.
  package var pings: Int { state.withLock { $0.pings } }

  private var second: Int { Int(conditions.now.timeIntervalSince1970.rounded(.down)) }

  private static func text(_ seconds: Int) -> String {
    ISOInstant.text(Date(timeIntervalSince1970: Double(seconds)))
  }

  private static func uuid(_ place: Int) -> String { "0000-\(place)" }

  private static func id(_ place: Int, _ state: State) -> RemoteID {
    RemoteID("\(uuid(place)):\(state.checks[place].isLate ? "grace" : "down")")
  }

  // MARK: What happens there

  /// Adds a check that is late or down.
  @discardableResult package func arrive() -> RemoteID {
    let second = second
    return state.withLock { state in
      let isLate = state.checks.count % 3 == 2
      state.checks.append(Check(isLate: isLate, lastPing: second - 60, flipped: second))
      return Self.note(state.checks.count - 1, &state)
    }
  }

  @discardableResult private static func note(_ place: Int, _ state: inout State) -> RemoteID {
    let id = id(place, state)
    state.everPresent.insert(StandInOccasion(id, "\(state.checks[place].occasion)"))
    return id
  }

  /// Makes a check up for a moment.
  package func renew(_ id: RemoteID) {
    let second = second
    state.withLock { state in
      guard let place = Self.place(of: id, state), state.checks[place].flipped < second,
        state.checks[place].lastPing < second
      else { return }
      state.checks[place].isTroubled = true
      state.checks[place].lastPing = second
      state.checks[place].flipped = second
      Self.note(place, &state)
    }
  }

  package func edit(_ id: RemoteID) {
    state.withLock { state in
      if let place = Self.place(of: id, state) { state.checks[place].edits += 1 }
    }
  }

  /// Makes a check up again.
  package func markElsewhere(_ mark: OutgoingMark, of id: RemoteID) {
    guard case .read(true) = mark else { return }
    let second = second
    state.withLock { state in
      guard let place = Self.place(of: id, state) else { return }
      state.checks[place].isTroubled = false
      state.checks[place].lastPing = max(state.checks[place].lastPing, second)
    }
  }

  private static func place(of id: RemoteID, _ state: State) -> Int? {
    state.checks.indices.first { Self.id($0, state) == id }
  }

  package var truth: StandInTruth {
    state.withLock { state in
      var truth = StandInTruth()
      truth.everPresent = state.everPresent
      for (place, check) in state.checks.enumerated() {
        let id = Self.id(place, state)
        truth.marks[id] = UpstreamMarks(isRead: !check.isTroubled)
        guard check.isTroubled else { continue }
        truth.openNow.insert(id)
        truth.listed.insert(StandInOccasion(id, "\(check.occasion)"))
      }
      return truth
    }
  }

  // MARK: Its API

  package func respond(to request: StandInRequest) -> StandInResponse {
    if request.path.hasPrefix("/ping/") { state.withLock { $0.pings += 1 } }
    let prefix = "/api/v3/checks/"
    guard request.method == "GET", request.path.hasPrefix(prefix) else {
      return .json(["error": "not found"], status: 404)
    }
    guard isAuthorized(request) else { return .json(["error": "wrong api key"], status: 401) }
    let rest = request.path.dropFirst(prefix.count).split(separator: "/").map(String.init)
    return state.withLock { state in
      if rest.isEmpty {
        return .json([
          "checks": .array(state.checks.indices.map { json($0, state.checks[$0], request) })
        ])
      }
      guard rest.count == 2, rest[1] == "flips",
        let place = state.checks.indices.first(where: { Self.uuid($0) == rest[0] })
      else { return .json(["error": "not found"], status: 404) }
      let check = state.checks[place]
      let up: [JSONValue] =
        check.isTroubled ? [] : [["timestamp": .string(Self.text(check.lastPing)), "up": 1]]
      let down: [JSONValue] =
        check.isLate ? [] : [["timestamp": .string(Self.text(check.flipped)), "up": 0]]
      return .json(["flips": .array(up + down)])
    }
  }

  private func json(_ place: Int, _ check: Check, _ request: StandInRequest) -> JSONValue {
    let uuid = Self.uuid(place)
    let api = (conditions.isLeadingAway ? conditions.stranger : request.origin) + "/api/v3/checks/\(uuid)"
    return [
      "name": .string("Check \(place)"), "slug": "", "tags": "prod db",
      "desc": .string("edit \(check.edits)"),
      "grace": 600, "n_pings": 7, "status": .string(check.status), "started": false,
      "last_ping": .string(Self.text(check.lastPing)), "next_ping": .null, "manual_resume": false,
      "uuid": .string(uuid), "ping_url": .string(request.origin + "/ping/" + uuid),
      "update_url": .string(api), "pause_url": .string(api + "/pause"),
      "resume_url": .string(api + "/resume"),
      "channels": "", "timeout": 3600,
    ]
  }

  package func refusal(_ fault: StandInFault) -> StandInResponse {
    switch fault {
    case .unauthorized: .json(["error": "wrong api key"], status: 401)
    case .forbidden: .json(["error": "forbidden"], status: 403)
    case .tooManyRequests: .json(["error": "too many"], status: 429, [("Retry-After", "120")])
    case .serverError: .text("Server Error (500)", status: 500)
    case .cut, .hangUp: StandInResponse(500)
    }
  }
}
