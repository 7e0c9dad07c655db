import Basics
import Formats
import Foundation
package import HTTP
package import Messages
import Synchronization

/// One topic of an ntfy server: messages, updates, and the events that they were read or deleted, for twelve hours.
/// Some messages are delayed: they appear among those that came after them.
package final class NtfyStandIn: ServiceStandIn {
  package static let kind = SourceKind.ntfy
  package static let abilities: StandInAbilities = [.news, .read, .done]

  private struct Event {
    var id: String
    /// The message of the event.
    var sequence: String
    var name = "message"
    var time: Int
    var number: Int
    /// The time before which the event isn't delivered.
    var appears: Int
  }

  private struct State {
    var events: [Event] = []
    var messages = 0
  }

  package let conditions: StandInConditions
  private let state = Mutex(State())

  package init(_ conditions: StandInConditions) { self.conditions = conditions }

  package static func address(at origin: String) -> String { origin + "/alerts" }

  package func isAuthorized(_ request: StandInRequest) -> Bool {
    let basic = Data("\(conditions.user):\(conditions.token)".utf8).base64EncodedString()
    let given = request.headers["authorization"]
    return given == "Bearer " + conditions.token || given == "Basic " + basic
  }

  private var second: Int { Int(conditions.now.timeIntervalSince1970.rounded(.down)) }

  // MARK: What happens there

  @discardableResult package func arrive() -> RemoteID {
    let second = second
    let event = state.withLock { state in
      state.messages += 1
      let id = Self.id(state.events.count, second)
      // Every fourth message is delayed, and every eighth is delivered late.
      let delay = state.messages % 4 == 0 ? 30 : 0
      let late = state.messages % 8 == 0 ? 9 : 0
      let event = Event(
        id: id, sequence: id, time: second + delay, number: state.messages, appears: second + delay + late)
      state.events.append(event)
      return event
    }
    if event.appears <= second { announce(event) }
    return RemoteID(event.id)
  }

  private func announce(_ event: Event) { conditions.announce(json(event).serialized()) }

  package func stream(for request: StandInRequest) -> StreamForm? {
    request.method == "GET" && request.path == "/alerts/json" && request["poll"] == nil ? .lines : nil
  }

  /// Returns twelve characters, in no order. As on a server, no id is repeated, even after a backup was restored.
  private static func id(_ number: Int, _ time: Int) -> String {
    let digits = Array("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
    var rest = UInt64(number + 1) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(time) &* 0xBF58_476D_1CE4_E5B9
    return String(
      (0..<12).map { _ in
        defer { rest = rest / 62 &+ rest << 3 }
        return digits[Int(rest % 62)]
      })
  }

  package func renew(_ id: RemoteID) {
    let event = state.withLock { state -> Event? in
      guard let number = state.events.first(where: { $0.sequence == id.text })?.number else { return nil }
      return Self.append("message", id.text, number, second, &state)
    }
    if let event { announce(event) }
  }

  package func markElsewhere(_ mark: OutgoingMark, of id: RemoteID) {
    switch mark {
    case .read(true): note("message_clear", id.text)
    case .done(true): note("message_delete", id.text)
    case .read(false), .done(false), .starred, .snoozed, .named: break
    }
  }

  @discardableResult private func note(_ name: String, _ sequence: String) -> Event {
    let event = state.withLock { Self.append(name, sequence, 0, second, &$0) }
    announce(event)
    return event
  }

  /// Adds an event. The events of one message are never within one second, because their order would be unknown.
  @discardableResult private static func append(
    _ name: String, _ sequence: String, _ number: Int, _ second: Int, _ state: inout State
  ) -> Event {
    let last = state.events.last { $0.sequence == sequence }.map { max($0.time, $0.appears) + 1 } ?? second
    let time = max(second, last)
    let event = Event(
      id: id(state.events.count, time), sequence: sequence, name: name, time: time, number: number,
      appears: time)
    state.events.append(event)
    return event
  }

  /// Returns the events that a client may read now.
  private func delivered(_ state: State, _ second: Int) -> [Event] {
    state.events.filter { $0.appears <= second && $0.time > second - 12 * 3600 }
      .sorted { ($0.time, $0.id) < ($1.time, $1.id) }
  }

  package var truth: StandInTruth {
    let second = second
    return state.withLock { state in
      var truth = StandInTruth()
      for event in state.events where event.name == "message" {
        truth.everPresent.insert(StandInOccasion(RemoteID(event.sequence), event.id))
      }
      var newest: [String: Event] = [:]
      var marks: [String: UpstreamMarks] = [:]
      for event in delivered(state, second) {
        switch event.name {
        case "message":
          newest[event.sequence] = event
          marks[event.sequence] = UpstreamMarks(isRead: false, isDone: false)
        case "message_clear": marks[event.sequence, default: UpstreamMarks()].isRead = true
        case _: marks[event.sequence, default: UpstreamMarks()].isDone = true
        }
      }
      for (sequence, event) in newest {
        let id = RemoteID(sequence)
        truth.marks[id] = marks[sequence]
        guard marks[sequence]?.isDone == false else { continue }
        truth.listed.insert(StandInOccasion(id, event.id))
        if marks[sequence]?.isRead == false { truth.openNow.insert(id) }
      }
      return truth
    }
  }

  // MARK: Its API

  package func refusal(_ fault: StandInFault) -> StandInResponse {
    func error(_ code: Int, _ status: Int, _ text: String, _ headers: [(name: String, value: String)] = [])
      -> StandInResponse
    {
      .json(
        [
          "code": .integer(code), "http": .integer(status), "error": .string(text),
          "link": "https://ntfy.sh/docs/",
        ], status: status, headers)
    }
    switch fault {
    case .unauthorized: return error(40101, 401, "unauthorized")
    case .forbidden: return error(40301, 403, "forbidden")
    case .tooManyRequests:
      return error(42901, 429, "limit reached: too many requests", [("Retry-After", "120")])
    case .serverError: return error(50001, 500, "internal server error")
    case .cut, .hangUp: return StandInResponse(500)
    }
  }

  package func respond(to request: StandInRequest) -> StandInResponse {
    guard isAuthorized(request) else { return refusal(.forbidden) }
    let parts = request.path.split(separator: "/").map(String.init)
    guard parts.first == "alerts" else {
      return .json(["code": 40401, "http": 404, "error": "not found"], status: 404)
    }
    switch (request.method, parts.count) {
    case ("GET", 2) where parts[1] == "json": return list(request)
    case ("PUT", 3) where parts[2] == "clear" || parts[2] == "read":
      return .json(json(note("message_clear", parts[1])))
    case ("DELETE", 2): return .json(json(note("message_delete", parts[1])))
    case _: return .json(["code": 40401, "http": 404, "error": "page not found"], status: 404)
    }
  }

  private func list(_ request: StandInRequest) -> StandInResponse {
    let since = request["since"] ?? (request["poll"] == "1" ? "all" : "none")
    let second = second
    let found = state.withLock { state -> ArraySlice<Event> in
      let all = delivered(state, second)
      switch since {
      case "none": return []
      case "latest": return all.suffix(1)
      case "all": return all[...]
      case _:
        if let time = Int(since) { return all.filter { $0.time >= time }[...] }
        // An unknown id counts as missing: everything is returned.
        guard let place = state.events.firstIndex(where: { $0.id == since }) else { return all[...] }
        let later = Set(state.events[(place + 1)...].map(\.id))
        return all.filter { later.contains($0.id) }[...]
      }
    }
    var body = Data()
    for event in found { body += Data((json(event).serialized() + "\n").utf8) }
    return StandInResponse(
      200,
      [("Content-Type", "application/x-ndjson; charset=utf-8"), ("Date", HTTPText.date(conditions.now))],
      body: body)
  }

  private func json(_ event: Event) -> JSONValue {
    var object = JSONObject()
    object["id"] = .string(event.id)
    if event.sequence != event.id { object["sequence_id"] = .string(event.sequence) }
    object["time"] = .integer(event.time)
    object["expires"] = .integer(event.time + 12 * 3600)
    object["event"] = .string(event.name)
    object["topic"] = "alerts"
    if event.name == "message" {
      object["title"] = "Backup \(event.number)"
      object["message"] = "The backup has ended."
      object["tags"] = ["white_check_mark", "backup"]
      object["priority"] = .integer(2 + event.number % 4)
      object["click"] = .string(conditions.stranger + "/backups/\(event.number)")
      object["attachment"] = ["name": "log.txt", "url": .string(conditions.stranger + "/log.txt")]
    }
    return .object(object)
  }
}
