import Basics
import Formats
import Foundation
package import HTTP
package import Messages
import Synchronization

/// An ntfy server with the topic of a phone, which needs the user's token, and other topics, which everybody may write to. Beside it
/// is the phone, which follows the topic.
///
/// Its limits are those of docs.ntfy.sh and of the server's source: 60 requests at once, then one each 5 seconds; 4,096 bytes of a
/// message, three buttons, names of 64 characters. Before 2.16 it knows no sequences.
package final class NtfyPhoneStandIn: ServiceStandIn {
  package static let kind = SourceKind.ntfy
  package static let abilities: StandInAbilities = []
  package static let topic = "k3v9wq2mznt8"

  private struct Event {
    var id: String
    var name: String
    var sequence: String
    var time: Int
    var topic: String
    var fields: JSONObject
  }

  private struct State {
    var events: [Event] = []
    var isOld = false
    var requests = 60.0
    var refilled: Date?
    var isLimited = false
  }

  package let conditions: StandInConditions
  private let state = Mutex(State())

  package init(_ conditions: StandInConditions) { self.conditions = conditions }

  package static func address(at origin: String) -> String { origin + "/" + topic }

  /// Whether it is a server before 2.16.
  package var isOld: Bool {
    get { state.withLock(\.isOld) }
    set { state.withLock { $0.isOld = newValue } }
  }

  /// Whether it counts requests.
  package var isLimited: Bool {
    get { state.withLock(\.isLimited) }
    set { state.withLock { $0.isLimited = newValue } }
  }

  // MARK: - The phone

  /// A notification on the phone.
  package struct Shown: Sendable {
    package var sequence: String
    package var title: String
    package var message: String
    package var priority: Int
    package var click: String?
    package var buttons: [(label: String, url: String, text: String)]
  }

  /// The notifications on the phone, in the order in which they first arrived.
  package var phone: [Shown] {
    let events = state.withLock { $0.events.filter { $0.topic == Self.topic } }
    var order: [String] = []
    var shown: [String: Shown] = [:]
    for event in events {
      switch event.name {
      case "message":
        if shown[event.sequence] == nil { order.append(event.sequence) }
        shown[event.sequence] = Self.shown(event)
      case _:
        shown[event.sequence] = nil
        order.removeAll { $0 == event.sequence }
      }
    }
    return order.compactMap { shown[$0] }
  }

  /// All messages that the phone ever got.
  package var received: [Shown] {
    state.withLock { $0.events.filter { $0.topic == Self.topic && $0.name == "message" } }.map(Self.shown)
  }

  private static func shown(_ event: Event) -> Shown {
    let buttons = (event.fields["actions"]?.elements ?? []).map {
      action -> (label: String, url: String, text: String) in
      let action = action.object ?? JSONObject()
      return (action["label"]?.text ?? "", action["url"]?.text ?? "", action["body"]?.text ?? "")
    }
    return Shown(
      sequence: event.sequence, title: event.fields["title"]?.text ?? "",
      message: event.fields["message"]?.text ?? "", priority: event.fields["priority"]?.integer ?? 3,
      click: event.fields["click"]?.text, buttons: buttons)
  }

  /// Presses a button, as the user does.
  ///
  /// - Returns: the text that the button sent, and the topic that it sent the text to.
  @discardableResult
  package func press(_ label: String, of shown: Shown) -> (topic: String, text: String)? {
    guard let button = shown.buttons.first(where: { $0.label == label }),
      let url = URLComponents(string: button.url)
    else { return nil }
    let topic = String(url.path.dropFirst())
    send(button.text, to: topic)
    return (topic, button.text)
  }

  /// A message of anybody.
  package func send(_ text: String, to topic: String) {
    append("message", nil, topic, JSONObject([.init(key: "message", value: .string(text))]))
  }

  // MARK: - Its API

  package func isAuthorized(_ request: StandInRequest) -> Bool {
    request.headers["authorization"] == "Bearer " + conditions.token
  }

  package func stream(for request: StandInRequest) -> StreamForm? {
    request.method == "GET" && request.path.hasSuffix("/json") && request["poll"] == nil ? .lines : nil
  }

  private static func error(
    _ code: Int, _ status: Int, _ text: String, _ headers: [(name: String, value: String)] = []
  ) -> StandInResponse {
    .json(
      ["code": .integer(code), "http": .integer(status), "error": .string(text)], status: status, headers)
  }

  package func refusal(_ fault: StandInFault) -> StandInResponse {
    switch fault {
    case .unauthorized: Self.error(40101, 401, "unauthorized")
    case .forbidden: Self.error(40301, 403, "forbidden")
    case .tooManyRequests: Self.error(42901, 429, "limit reached: too many requests")
    case .serverError: Self.error(50001, 500, "internal server error")
    case .cut, .hangUp: StandInResponse(500)
    }
  }

  package func respond(to request: StandInRequest) -> StandInResponse {
    guard takesRequest() else { return refusal(.tooManyRequests) }
    let parts = request.path.split(separator: "/").map(String.init)
    let isAuthorized = isAuthorized(request)
    switch (request.method, parts.count) {
    case ("POST", 0): return isAuthorized ? publish(request.json?.object) : refusal(.forbidden)
    case ("POST", 1):
      guard parts[0] != Self.topic || isAuthorized else { return refusal(.forbidden) }
      send(String(decoding: request.body, as: UTF8.self), to: parts[0])
      return .json(["event": "message"])
    case ("DELETE", 2) where !isOld:
      guard isAuthorized else { return refusal(.forbidden) }
      return .json(json(append("message_delete", parts[1], parts[0], JSONObject())))
    case ("GET", 2) where parts[1] == "json":
      return isAuthorized ? list(parts[0], request) : refusal(.forbidden)
    case ("GET", 2) where parts == ["v1", "version"] && !isOld:
      return isAuthorized ? .json(["version": "2.17.0"]) : refusal(.unauthorized)
    case _: return Self.error(40401, 404, "page not found")
    }
  }

  private func takesRequest() -> Bool {
    let now = conditions.now
    return state.withLock { state in
      guard state.isLimited else { return true }
      let passed = state.refilled.map { now.timeIntervalSince($0) } ?? 0
      state.requests = min(60, state.requests + passed / 5)
      state.refilled = now
      guard state.requests >= 1 else { return false }
      state.requests -= 1
      return true
    }
  }

  private func publish(_ body: JSONObject?) -> StandInResponse {
    guard let body, let topic = body["topic"]?.text, Self.isName(topic) else {
      return Self.error(40024, 400, "invalid request: actions invalid")
    }
    let message = body["message"]?.text ?? ""
    let actions = (body["actions"]?.elements ?? []).compactMap(\.object)
    guard message.utf8.count <= 4096 else { return Self.error(41301, 413, "message too large") }
    guard actions.count <= 3,
      actions.allSatisfy({ $0["label"]?.text?.isEmpty == false && $0["url"]?.text?.isEmpty == false })
    else { return Self.error(40018, 400, "invalid request: actions invalid") }
    guard body["priority"] == nil || (1...5).contains(body["priority"]?.integer ?? 0) else {
      return Self.error(40007, 400, "invalid priority parameter")
    }
    let sequence = isOld ? nil : body["sequence_id"]?.text
    guard sequence.map(Self.isName) ?? true else { return Self.error(40049, 400, "invalid sequence id") }
    return .json(json(append("message", sequence, topic, body)))
  }

  private static func isName(_ name: String) -> Bool { name.wholeMatch(of: /[-_A-Za-z0-9]{1,64}/) != nil }

  @discardableResult
  private func append(_ name: String, _ sequence: String?, _ topic: String, _ fields: JSONObject) -> Event {
    let second = Int(conditions.now.timeIntervalSince1970.rounded(.down))
    let event = state.withLock { state in
      let number = String(state.events.count + 1)
      let id = String(repeating: "0", count: 12 - number.count) + number
      let event = Event(
        id: id, name: name, sequence: sequence ?? id, time: second, topic: topic, fields: fields)
      state.events.append(event)
      return event
    }
    if topic != Self.topic { conditions.announce(json(event).serialized()) }
    return event
  }

  private func list(_ topic: String, _ request: StandInRequest) -> StandInResponse {
    let since = request["since"].flatMap { Int($0) } ?? 0
    let found = state.withLock { $0.events.filter { $0.topic == topic && $0.time >= since } }
    let body = found.map { json($0).serialized() + "\n" }.joined()
    return StandInResponse(
      200,
      [("Content-Type", "application/x-ndjson; charset=utf-8"), ("Date", HTTPText.date(conditions.now))],
      body: Data(body.utf8))
  }

  private func json(_ event: Event) -> JSONValue {
    var object = JSONObject()
    object["id"] = .string(event.id)
    if event.sequence != event.id { object["sequence_id"] = .string(event.sequence) }
    object["time"] = .integer(event.time)
    object["event"] = .string(event.name)
    object["topic"] = .string(event.topic)
    for member in event.fields.members where object[member.key] == nil && member.key != "sequence_id" {
      object[member.key] = member.value
    }
    return .object(object)
  }

  // MARK: - As a service

  @discardableResult package func arrive() -> RemoteID {
    RemoteID(append("message", nil, Self.topic, JSONObject()).id)
  }

  package var truth: StandInTruth { StandInTruth() }
}
