import Basics
import Formats
import Foundation
package import Messages
import Synchronization

/// A Prometheus Alertmanager: the whole state, sorted by fingerprint, without tombstones; empty after a restart until
/// Prometheus has sent its alerts again.
package final class AlertmanagerStandIn: ServiceStandIn {
  package static let kind = SourceKind.alertmanager
  package static let abilities: StandInAbilities = [.news, .edits, .read, .restarts]

  /// The seconds after a restart in which no alert has been sent again.
  private static let silence = 60.0

  private struct Alert {
    var starts: Date
    var isFiring = true
    var edits = 0
  }

  private struct State {
    var alerts: [Alert] = []
    var everPresent: Set<StandInOccasion> = []
    var started: Date
  }

  package let conditions: StandInConditions
  private let state: Mutex<State>

  package init(_ conditions: StandInConditions) {
    self.conditions = conditions
    state = Mutex(State(started: conditions.now.addingTimeInterval(-86_400)))
  }

  package static func address(at origin: String) -> String { origin + "/alertmanager/" }

  /// Whether the request has the token, which a proxy requires, because Alertmanager has no accounts.
  package func isAuthorized(_ request: StandInRequest) -> Bool {
    request.headers["authorization"] == "Bearer " + conditions.token
  }

  private static func fingerprint(_ place: Int) -> String {
    let digits = String(place + 1, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  // MARK: What happens there

  @discardableResult package func arrive() -> RemoteID {
    let now = conditions.now
    return state.withLock { state in
      state.alerts.append(Alert(starts: now))
      return Self.note(state.alerts.count - 1, &state)
    }
  }

  @discardableResult private static func note(_ place: Int, _ state: inout State) -> RemoteID {
    let id = RemoteID(fingerprint(place))
    state.everPresent.insert(StandInOccasion(id, ISOInstant.text(state.alerts[place].starts)))
    return id
  }

  /// Resolves an alert, which then fires again.
  package func renew(_ id: RemoteID) {
    let now = conditions.now
    state.withLock { state in
      guard let place = Self.place(of: id, state), state.alerts[place].starts < now - 1 else { return }
      state.alerts[place].isFiring = true
      state.alerts[place].starts = now
      Self.note(place, &state)
    }
  }

  package func edit(_ id: RemoteID) {
    state.withLock { state in
      if let place = Self.place(of: id, state) { state.alerts[place].edits += 1 }
    }
  }

  /// Resolves an alert.
  package func markElsewhere(_ mark: OutgoingMark, of id: RemoteID) {
    guard case .read(true) = mark else { return }
    state.withLock { state in
      if let place = Self.place(of: id, state) { state.alerts[place].isFiring = false }
    }
  }

  package func restart() {
    let now = conditions.now
    state.withLock { $0.started = now }
  }

  private static func place(of id: RemoteID, _ state: State) -> Int? {
    state.alerts.indices.first { fingerprint($0) == id.text }
  }

  /// Returns the alerts that are known now.
  private func known(_ state: State) -> [Int] {
    let age = conditions.now.timeIntervalSince(state.started)
    guard age >= Self.silence else {
      // Alerts that began after the restart have been sent.
      return state.alerts.indices.filter {
        state.alerts[$0].isFiring && state.alerts[$0].starts >= state.started
      }
    }
    return state.alerts.indices.filter { state.alerts[$0].isFiring }
  }

  package var truth: StandInTruth {
    state.withLock { state in
      var truth = StandInTruth()
      truth.everPresent = state.everPresent
      for place in state.alerts.indices where !state.alerts[place].isFiring {
        truth.marks[RemoteID(Self.fingerprint(place))] = UpstreamMarks(isRead: true)
      }
      for place in known(state) {
        let id = RemoteID(Self.fingerprint(place))
        truth.openNow.insert(id)
        truth.marks[id] = UpstreamMarks(isRead: false)
        truth.listed.insert(StandInOccasion(id, ISOInstant.text(state.alerts[place].starts)))
      }
      return truth
    }
  }

  // MARK: Its API

  package func respond(to request: StandInRequest) -> StandInResponse {
    let prefix = "/alertmanager/api/v2"
    guard request.path.hasPrefix(prefix) else { return .text("404 page not found\n", status: 404) }
    guard isAuthorized(request) else { return .text("Unauthorized\n", status: 401) }
    let date = [(name: "Date", value: HTTPText.date(conditions.now))]
    switch (request.method, String(request.path.dropFirst(prefix.count))) {
    case ("GET", "/alerts"):
      let alerts = state.withLock { state in known(state).map { json($0, state, request) } }
      return .json(.array(alerts), date)
    case ("GET", "/status"):
      let started = state.withLock { $0.started }
      return .json(["cluster": ["status": "ready"], "uptime": .string(ISOInstant.text(started))], date)
    case _: return .text("404 page not found\n", status: 404)
    }
  }

  private func json(_ place: Int, _ state: State, _ request: StandInRequest) -> JSONValue {
    let alert = state.alerts[place]
    let now = conditions.now
    let link = (conditions.isLeadingAway ? conditions.stranger : request.origin) + "/graph"
    return [
      "annotations": ["summary": .string("value \(alert.edits)")],
      "endsAt": .string(ISOInstant.text(now + 240)), "fingerprint": .string(Self.fingerprint(place)),
      "receivers": [["name": "web"]], "startsAt": .string(ISOInstant.text(alert.starts)),
      "status": [
        "state": "active", "silencedBy": [], "inhibitedBy": [], "mutedBy": [],
      ],
      "updatedAt": .string(ISOInstant.text(now)), "generatorURL": .string(link),
      "labels": ["alertname": .string("Alert\(place)"), "severity": "warning"],
    ]
  }

  package func refusal(_ fault: StandInFault) -> StandInResponse {
    switch fault {
    case .unauthorized: .text("Unauthorized\n", status: 401)
    case .forbidden: .text("Limit of concurrent GET requests reached (8), try again later.\n", status: 503)
    case .tooManyRequests:
      StandInResponse(429, [("Retry-After", "120"), ("Content-Type", "text/plain")], body: Data("slow".utf8))
    case .serverError: .json("the server has failed", status: 500)
    case .cut, .hangUp: StandInResponse(500)
    }
  }
}
