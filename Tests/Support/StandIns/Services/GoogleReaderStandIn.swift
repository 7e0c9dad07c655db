import Formats
import Foundation
package import Messages
import Synchronization

/// The part of the Google Reader API that FreshRSS and Miniflux have in common; the flavour determines the differences.
final class GoogleReaderService: Sendable {
  enum Flavour: Sendable {
    case freshRSS, miniflux
  }

  struct Item {
    var id: UInt64
    var isUnread = true
    var isStarred = false
    var content = "<p>The body</p>"
    var published: Int
  }

  private struct State {
    var items: [Item] = []
    /// The number of further logins that are refused.
    var refusedLogins = 0
    var lastPath = ""
  }

  let conditions: StandInConditions
  let flavour: Flavour
  private let state = Mutex(State())

  init(_ conditions: StandInConditions, _ flavour: Flavour) {
    self.conditions = conditions
    self.flavour = flavour
  }

  private var auth: String { conditions.user + "/8e6845e089457af25303abc6f53356eb60bdb5f8" }

  /// The token that the form of a write must contain.
  private var token: String {
    switch flavour {
    case .freshRSS: String(repeating: "Z", count: 57)
    case .miniflux: auth
    }
  }

  private static let base = "/api/greader.php"

  private func path(_ request: StandInRequest) -> String? {
    switch flavour {
    case .freshRSS: request.path.hasPrefix(Self.base) ? String(request.path.dropFirst(Self.base.count)) : nil
    case .miniflux: request.path
    }
  }

  func isAuthorized(_ request: StandInRequest) -> Bool {
    state.withLock { $0.lastPath = request.path }
    if request.path.hasSuffix("/accounts/ClientLogin") {
      let form = request.form
      return form.contains { $0.name == "Email" && $0.value == conditions.user }
        && form.contains { $0.name == "Passwd" && $0.value == conditions.token }
    }
    if flavour == .miniflux, request.method == "POST" {
      return request.form.contains { $0.name == "T" && $0.value == token }
    }
    return request.headers["authorization"] == "GoogleLogin auth=" + auth
  }

  func refusal(_ fault: StandInFault) -> StandInResponse? {
    guard fault == .unauthorized else { return nil }
    // Otherwise, a client would log in again and succeed.
    state.withLock { if !$0.lastPath.hasSuffix("/accounts/ClientLogin") { $0.refusedLogins = 1 } }
    return unauthorized
  }

  private var unauthorized: StandInResponse {
    switch flavour {
    case .freshRSS:
      StandInResponse(
        401, [("Content-Type", "text/plain; charset=UTF-8"), ("Google-Bad-Token", "true")],
        body: Data("Unauthorized!".utf8))
    case .miniflux:
      .json(["error_message": "access unauthorized"], status: 401, [("X-Reader-Google-Bad-Token", "true")])
    }
  }

  // MARK: What happens there

  func arrive(_ count: Int, content: String? = nil) -> [RemoteID] {
    let now = conditions.now
    return state.withLock { state in
      (0..<count).map { _ in
        let last = state.items.last?.id
        let id: UInt64 =
          switch flavour {
          case .freshRSS: max((last ?? 0) + 1, UInt64(now.timeIntervalSince1970 * 1_000_000))
          case .miniflux: (last ?? 100) + 1
          }
        var item = Item(id: id, published: Int(now.timeIntervalSince1970))
        if let content { item.content = content }
        state.items.append(item)
        return RemoteID(String(id))
      }
    }
  }

  func edit(_ id: RemoteID) { change([id]) { $0.content += "<p>More</p>" } }

  func mark(_ mark: OutgoingMark, of id: RemoteID) {
    change([id]) { item in
      switch mark {
      case .read(let isRead): item.isUnread = !isRead
      case .starred(let isStarred): item.isStarred = isStarred
      case .done, .snoozed, .named: break
      }
    }
  }

  private func change(_ ids: Set<RemoteID>, _ body: (inout Item) -> Void) {
    state.withLock { state in
      for place in state.items.indices where ids.contains(RemoteID(String(state.items[place].id))) {
        body(&state.items[place])
      }
    }
  }

  var truth: StandInTruth {
    state.withLock { state in
      var truth = StandInTruth()
      for item in state.items {
        let id = RemoteID(String(item.id))
        truth.everPresent.insert(StandInOccasion(id))
        if item.isUnread {
          truth.listed.insert(StandInOccasion(id))
          truth.openNow.insert(id)
        }
        truth.marks[id] = UpstreamMarks(isRead: !item.isUnread, isStarred: item.isStarred)
      }
      return truth
    }
  }

  // MARK: Its API

  func respond(to request: StandInRequest) -> StandInResponse {
    guard let path = path(request) else { return StandInResponse(404) }
    let isRefused = state.withLock { state in
      guard path == "/accounts/ClientLogin", state.refusedLogins > 0 else { return false }
      state.refusedLogins -= 1
      return true
    }
    if isRefused { return unauthorized }
    guard isAuthorized(request) else { return unauthorized }
    state.withLock { $0.refusedLogins = 0 }
    if flavour == .miniflux, path.contains("/stream/"), request["output"] != "json" {
      return .text("Bad Request", status: 400)
    }
    switch (request.method, path) {
    case ("POST", "/accounts/ClientLogin"): return .text("SID=\(auth)\nLSID=\(auth)\nAuth=\(auth)\n")
    case ("GET", "/reader/api/0/token"): return .text(token + "\n")
    case ("GET", "/reader/api/0/stream/items/ids"): return ids(request)
    case ("POST", "/reader/api/0/stream/items/contents"): return contents(request)
    case ("POST", "/reader/api/0/edit-tag"): return edit(request)
    case _:
      switch flavour {
      case .freshRSS: return .text("Bad Request!", status: 400)
      // Unknown paths return empty lists.
      case .miniflux: return .json([])
      }
    }
  }

  private func ids(_ request: StandInRequest) -> StandInResponse {
    let isStarred = request["s"] == "user/-/state/com.google/starred"
    let isUnread = request["xt"] == "user/-/state/com.google/read"
    var found = state.withLock { $0.items }.filter {
      (!isStarred || $0.isStarred) && (!isUnread || $0.isUnread)
    }
    found.reverse()
    let asked = request["n"].flatMap { Int($0) }
    var answer = JSONObject()
    let page: ArraySlice<Item>
    switch flavour {
    case .freshRSS:
      let count = asked ?? 20
      if let last = request["c"].flatMap({ UInt64($0) }) { found.removeAll { $0.id >= last } }
      page = found.prefix(count)
      // A full page always names a next one, which may be empty.
      if page.count == count, let last = page.last { answer["continuation"] = .string(String(last.id)) }
    case .miniflux:
      let count = min(10_000, asked ?? 10_000)
      let offset = request["c"].flatMap { Int($0) } ?? 0
      page = found.dropFirst(offset).prefix(count)
      if offset + page.count < found.count { answer["continuation"] = .string(String(offset + page.count)) }
    }
    answer["itemRefs"] =
      page.isEmpty && flavour == .miniflux ? .null : .array(page.map { ["id": .string(String($0.id))] })
    return .json(.object(answer))
  }

  private static func number(_ text: String) -> UInt64? {
    text.hasPrefix("tag:") ? UInt64(text.split(separator: "/").last ?? "", radix: 16) : UInt64(text)
  }

  private func contents(_ request: StandInRequest) -> StandInResponse {
    guard request.body.count <= 1 << 20 else { return .text("Bad Request!", status: 400) }
    let asked = Set(request.form.filter { $0.name == "i" }.compactMap { Self.number($0.value) })
    let found = state.withLock { $0.items }.filter { asked.contains($0.id) }
    return .json([
      "id": "user/-/state/com.google/reading-list", "items": .array(found.map { json($0, request) }),
    ])
  }

  private func edit(_ request: StandInRequest) -> StandInResponse {
    let form = request.form
    let ids = Set(
      form.filter { $0.name == "i" }.compactMap { Self.number($0.value) }.map { RemoteID(String($0)) })
    for (name, isSet) in [("a", true), ("r", false)] {
      let tag = form.first { $0.name == name }?.value.split(separator: "/").last
      change(ids) { item in
        if tag == "read" { item.isUnread = !isSet }
        if tag == "starred" { item.isStarred = isSet }
      }
    }
    return .text("OK")
  }

  private func json(_ item: Item, _ request: StandInRequest) -> JSONValue {
    let host = conditions.isLeadingAway ? conditions.stranger : request.origin
    let hex = String(item.id, radix: 16)
    let long = "tag:google.com,2005:reader/item/" + String(repeating: "0", count: 16 - hex.count) + hex
    let user = flavour == .freshRSS ? "user/-/" : "user/7/"
    var categories: [JSONValue] = [
      .string(user + "state/com.google/reading-list"), .string(user + "label/News"),
    ]
    if !item.isUnread { categories.append(.string(user + "state/com.google/read")) }
    if item.isStarred { categories.append(.string(user + "state/com.google/starred")) }
    return [
      "id": .string(long), "published": .integer(item.published),
      "title": .string("Item \(item.id) of \(item.published)"),
      "canonical": [["href": .string("\(host)/articles/\(item.id)")]], "categories": .array(categories),
      "origin": ["streamId": "feed/1", "title": "Feed", "htmlUrl": .string(host)],
      "summary": ["content": .string(item.content)],
    ]
  }
}

/// FreshRSS: ids are microseconds, and only the header with the token is read.
package final class FreshRSSStandIn: ServiceStandIn {
  package static let kind = SourceKind.greader
  package static let abilities: StandInAbilities = [.edits, .read, .unread, .star]

  let service: GoogleReaderService

  package init(_ conditions: StandInConditions) { service = GoogleReaderService(conditions, .freshRSS) }

  package var conditions: StandInConditions { service.conditions }
  package static func address(at origin: String) -> String { origin + "/api/greader.php" }
  package func isAuthorized(_ request: StandInRequest) -> Bool { service.isAuthorized(request) }
  package func respond(to request: StandInRequest) -> StandInResponse { service.respond(to: request) }
  package func refusal(_ fault: StandInFault) -> StandInResponse {
    service.refusal(fault) ?? .usual(fault)
  }
  @discardableResult package func arrive() -> RemoteID { service.arrive(1)[0] }
  package func arrive(_ count: Int) { _ = service.arrive(count) }
  package func edit(_ id: RemoteID) { service.edit(id) }
  package func markElsewhere(_ mark: OutgoingMark, of id: RemoteID) { service.mark(mark, of: id) }
  package var truth: StandInTruth { service.truth }
}

/// Miniflux: ids are counted, pages are numbered, and the token of a write is in the form.
package final class MinifluxReaderStandIn: ServiceStandIn {
  package static let kind = SourceKind.greader
  package static let abilities: StandInAbilities = [.edits, .read, .unread, .star]

  let service: GoogleReaderService

  package init(_ conditions: StandInConditions) { service = GoogleReaderService(conditions, .miniflux) }

  package var conditions: StandInConditions { service.conditions }
  package func isAuthorized(_ request: StandInRequest) -> Bool { service.isAuthorized(request) }
  package func respond(to request: StandInRequest) -> StandInResponse { service.respond(to: request) }
  package func refusal(_ fault: StandInFault) -> StandInResponse {
    service.refusal(fault) ?? .usual(fault)
  }
  @discardableResult package func arrive() -> RemoteID { service.arrive(1)[0] }
  package func arrive(_ count: Int) { _ = service.arrive(count) }
  package func edit(_ id: RemoteID) { service.edit(id) }
  package func markElsewhere(_ mark: OutgoingMark, of id: RemoteID) { service.mark(mark, of: id) }
  package var truth: StandInTruth { service.truth }
}
