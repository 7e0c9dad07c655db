import Basics
import Formats
import Foundation
package import HTTP
package import Messages
import Synchronization

/// A Mastodon server: notifications, newest first, paged by id in both directions.
package final class MastodonStandIn: ServiceStandIn {
  package static let kind = SourceKind.mastodon
  package static let abilities: StandInAbilities = [.read, .done]

  package let conditions: StandInConditions
  private let state = Mutex(NumberedItems())
  /// The number of the newest notification that another program has displayed.
  private let marker = Mutex(0)
  private let streamingServer = Mutex<String?>(nil)

  package init(_ conditions: StandInConditions) { self.conditions = conditions }

  /// The address of the streaming server in the responses; `nil` if there is none.
  package var streaming: String? {
    get { streamingServer.withLock(\.self) }
    set { streamingServer.withLock { $0 = newValue } }
  }

  package func isAuthorized(_ request: StandInRequest) -> Bool {
    request.headers["authorization"] == "Bearer " + conditions.token
  }

  @discardableResult package func arrive() -> RemoteID {
    let now = conditions.now
    let item = state.withLock { $0.arrive(at: now) }
    conditions.announce(json(item).serialized())
    return item.id
  }

  package func stream(for request: StandInRequest) -> StreamForm? {
    request.method == "GET" && request.path == "/api/v1/streaming/user/notification" ? .events : nil
  }

  package var truth: StandInTruth {
    let marker = marker.withLock(\.self)
    return state.withLock { items in
      var truth = StandInTruth()
      for item in items.all {
        truth.everPresent.insert(StandInOccasion(item.id))
        truth.marks[item.id] = UpstreamMarks(
          isRead: item.number <= marker ? true : nil, isDone: item.isOpen ? nil : true)
        if item.isOpen { truth.listed.insert(StandInOccasion(item.id)) }
      }
      return truth
    }
  }

  package func markElsewhere(_ mark: OutgoingMark, of id: RemoteID) {
    switch mark {
    case .read(true): marker.withLock { $0 = max($0, Int(id.text) ?? 0) }
    case .done(true): state.withLock { _ = $0.finish(id) }
    case .read, .starred, .done, .snoozed, .named: break
    }
  }

  package func refusal(_ fault: StandInFault) -> StandInResponse {
    switch fault {
    case .unauthorized: .json(["error": "The access token is invalid"], status: 401)
    case .forbidden: .json(["error": "This action is not allowed"], status: 403)
    case .tooManyRequests:
      .json(
        ["error": "Too many requests"], status: 429,
        [
          ("Date", HTTPText.date(conditions.now)), ("X-RateLimit-Limit", "300"),
          ("X-RateLimit-Remaining", "0"),
          ("X-RateLimit-Reset", ISOInstant.text(conditions.now.addingTimeInterval(120))),
        ])
    case .serverError: .text("We're sorry, but something went wrong on our end", status: 500)
    case .cut, .hangUp: StandInResponse(500)
    }
  }

  package func respond(to request: StandInRequest) -> StandInResponse {
    guard isAuthorized(request) else { return refusal(.unauthorized) }
    let parts = request.path.split(separator: "/").map(String.init)
    let notFound = StandInResponse.json(["error": "Record not found"], status: 404)
    if request.method == "GET", parts == ["api", "v2", "instance"], let streaming {
      return .json(["configuration": ["urls": ["streaming": .string(streaming)]]])
    }
    if request.method == "GET", parts == ["api", "v1", "markers"] {
      let marker = marker.withLock(\.self)
      return .json(
        marker == 0 ? [:] : ["notifications": ["last_read_id": .string("\(marker)"), "version": 1]])
    }
    guard parts.prefix(3) == ["api", "v1", "notifications"] else { return notFound }
    switch (request.method, parts.count) {
    case ("GET", 3): return list(request)
    case ("POST", 5) where parts[4] == "dismiss":
      let before = state.withLock { $0.finish(RemoteID(parts[3])) }
      return before?.isOpen == true ? .json([:]) : notFound
    case _: return notFound
    }
  }

  private func list(_ request: StandInRequest) -> StandInResponse {
    let limit = min(80, max(1, request["limit"].flatMap { Int($0) } ?? 40))
    let newer = max(request["since_id"].flatMap { Int($0) } ?? 0, request["min_id"].flatMap { Int($0) } ?? 0)
    let older = request["max_id"].flatMap { Int($0) } ?? .max
    let found = state.withLock { items in
      items.open.filter { $0.number > newer && $0.number < older }
    }
    // From `min_id` the page is the next one; otherwise it is the newest.
    let part = request["min_id"] == nil ? found.suffix(limit) : found.prefix(limit)
    var headers = [(name: "X-RateLimit-Limit", value: "300"), (name: "X-RateLimit-Remaining", value: "299")]
    if let first = part.first, let last = part.last {
      let origin = conditions.isLeadingAway ? conditions.stranger : request.origin
      let base = "\(origin)/api/v1/notifications?limit=\(limit)"
      headers.append(
        (
          "Link",
          "<\(base)&max_id=\(first.number)>; rel=\"next\", <\(base)&min_id=\(last.number)>; rel=\"prev\""
        ))
    }
    return .json(.array(part.reversed().map { json($0) }), headers)
  }

  private func json(_ item: NumberedItems.Item) -> JSONValue {
    [
      "id": "\(item.number)", "type": item.number % 3 == 0 ? "follow" : "mention",
      "created_at": .string(ISOInstant.text(item.created)),
      "account": [
        "id": "7", "acct": "ben@other.example", "display_name": "Ben",
        "url": .string(conditions.stranger + "/@ben"),
      ],
      "status": [
        "id": "10\(item.number)", "url": .string(conditions.stranger + "/@ben/10\(item.number)"),
        "content": "<p>Hello <b>there</b>, \(item.number)</p>", "spoiler_text": "", "language": "en",
        "media_attachments": [],
      ],
    ]
  }
}
