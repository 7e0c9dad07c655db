import Basics
import Formats
import Foundation
package import Messages
import Synchronization

/// Miniflux: entries by rising ids, filters that count as absent when they make no sense, `changed_after` in whole
/// seconds.
package final class MinifluxStandIn: ServiceStandIn {
  package static let kind = SourceKind.miniflux
  package static let abilities: StandInAbilities = [.edits, .read, .unread, .star]

  private struct Entry {
    var id: Int
    var isUnread = true
    var isStarred = false
    var title: String?
    var content = "<p>The body</p>"
    var created: Date
    var changed: Date
    /// The JSON of the last response, because making it is most of the work.
    var sent: (host: String, json: String)?
  }

  private struct State {
    var entries: [Entry] = []
  }

  package let conditions: StandInConditions
  /// The version in `/v1/version`; before 2.3.2, a star can only be toggled.
  package let version: String
  private let state = Mutex(State())

  package convenience init(_ conditions: StandInConditions) { self.init(conditions, version: "2.3.3") }

  package init(_ conditions: StandInConditions, version: String) {
    self.conditions = conditions
    self.version = version
  }

  package func isAuthorized(_ request: StandInRequest) -> Bool {
    request.headers["x-auth-token"] == conditions.token
  }

  // MARK: What happens there

  @discardableResult package func arrive() -> RemoteID {
    let now = conditions.now
    return state.withLock { state in
      // Ids are shared by all users.
      let id = (state.entries.last?.id ?? 100) + 1 + state.entries.count % 3
      state.entries.append(Entry(id: id, created: now, changed: now))
      return RemoteID(String(id))
    }
  }

  /// Adds many entries, each with a body.
  package func arrive(_ count: Int, content: String) {
    let now = conditions.now
    state.withLock { state in
      let first = (state.entries.last?.id ?? 100) + 1
      state.entries += (first..<first + count).map {
        Entry(id: $0, content: content, created: now, changed: now)
      }
    }
  }

  /// Adds entries with different titles and bodies.
  package func arrive(_ contents: [(title: String, content: String)]) {
    let now = conditions.now
    state.withLock { state in
      let first = (state.entries.last?.id ?? 100) + 1
      state.entries += contents.enumerated().map { index, entry in
        Entry(id: first + index, title: entry.title, content: entry.content, created: now, changed: now)
      }
    }
  }

  /// Updates an entry from its feed, which does not change the time of the change.
  package func edit(_ id: RemoteID) { change(id, touching: false) { $0.content += "<p>More</p>" } }

  package func markElsewhere(_ mark: OutgoingMark, of id: RemoteID) {
    change(id) { entry in
      switch mark {
      case .read(let isRead): entry.isUnread = !isRead
      case .starred(let isStarred): entry.isStarred = isStarred
      case .done, .snoozed, .named: break
      }
    }
  }

  @discardableResult
  private func change(_ id: RemoteID, touching: Bool = true, _ body: (inout Entry) -> Void) -> Bool {
    let now = conditions.now
    return state.withLock { state in
      guard let place = state.entries.firstIndex(where: { String($0.id) == id.text }) else { return false }
      body(&state.entries[place])
      state.entries[place].sent = nil
      if touching { state.entries[place].changed = now }
      return true
    }
  }

  package var truth: StandInTruth {
    state.withLock { state in
      var truth = StandInTruth()
      for entry in state.entries {
        let id = RemoteID(String(entry.id))
        truth.everPresent.insert(StandInOccasion(id))
        if entry.isUnread {
          truth.listed.insert(StandInOccasion(id))
          truth.openNow.insert(id)
        }
        truth.marks[id] = UpstreamMarks(isRead: !entry.isUnread, isStarred: entry.isStarred)
      }
      return truth
    }
  }

  // MARK: Its API

  package func respond(to request: StandInRequest) -> StandInResponse {
    guard request.path.hasPrefix("/v1/") else { return StandInResponse(404) }
    guard isAuthorized(request) else { return Self.error(401, "access unauthorized") }
    let rest = request.path.dropFirst("/v1/".count).split(separator: "/").map(String.init)
    var response: StandInResponse
    switch (request.method, rest.first, rest.count) {
    case ("GET", "version", 1): response = .json(["version": .string(version)])
    case ("GET", "entries", 1): response = list(request)
    case ("PUT", "entries", 1): response = update(request)
    case ("GET", "entries", 2):
      let entry = state.withLock { $0.entries.first { String($0.id) == rest[1] } }
      response = entry.map { .json(json($0, request)) } ?? Self.error(404, "resource not found")
    case ("PUT", "entries", 3) where rest[2] == "star" || rest[2] == "bookmark":
      let isKnown = change(RemoteID(rest[1])) { $0.isStarred.toggle() }
      response = isKnown ? StandInResponse(204) : Self.error(404, "resource not found")
    case _: response = StandInResponse(404)
    }
    response.headers.append(("Date", HTTPText.date(conditions.now)))
    return response
  }

  private static func error(_ status: Int, _ message: String) -> StandInResponse {
    .json(["error_message": .string(message)], status: status)
  }

  /// Returns a number of the query; an invalid or negative one counts as absent.
  private static func number(_ request: StandInRequest, _ name: String) -> Int? {
    request[name].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
  }

  private func list(_ request: StandInRequest) -> StandInResponse {
    let limit = request["limit"].flatMap { Int($0) } ?? 100
    guard limit <= 1000 else { return Self.error(400, "limit is too large") }
    let statuses = request.all("status")
    let after = Self.number(request, "after_entry_id")
    let before = Self.number(request, "before_entry_id")
    let changed = Self.number(request, "changed_after")
    let offset = Self.number(request, "offset") ?? 0
    // Positions are computed first, because most entries of a large backlog are not in the response.
    let (total, part) = state.withLock { state in
      var found = state.entries.indices.filter { place in
        let isUnread = state.entries[place].isUnread
        let id = state.entries[place].id
        return (statuses.isEmpty || statuses.contains(isUnread ? "unread" : "read"))
          && after.map { id > $0 } ?? true && before.map { id < $0 } ?? true
          && changed.map { state.entries[place].changed.timeIntervalSince1970 > Double($0) } ?? true
      }
      if request["order"] != "id" {
        found.sort {
          (state.entries[$0].created, state.entries[$0].id) < (
            state.entries[$1].created, state.entries[$1].id
          )
        }
      }
      if request["direction"] == "desc" { found.reverse() }
      let places = found.dropFirst(offset).prefix(limit == 0 ? found.count : limit)
      return (found.count, places.map { sent(&state.entries[$0], request) })
    }
    let body = "{\"total\":\(total),\"entries\":[\(part.joined(separator: ","))]}"
    return StandInResponse(200, [("Content-Type", "application/json")], body: Data(body.utf8))
  }

  private func sent(_ entry: inout Entry, _ request: StandInRequest) -> String {
    let host = host(request)
    if let sent = entry.sent, sent.host == host { return sent.json }
    let text = json(entry, request).serialized()
    entry.sent = (host, text)
    return text
  }

  private func host(_ request: StandInRequest) -> String {
    conditions.isLeadingAway ? conditions.stranger : request.origin
  }

  private func update(_ request: StandInRequest) -> StandInResponse {
    let ids = request.json?.object?["entry_ids"]?.elements?.compactMap(\.integer) ?? []
    guard !ids.isEmpty else { return Self.error(400, "the list of entries is empty") }
    let status = request.json?.object?["status"]?.text
    let isStarred = request.json?.object?["starred"]?.bool
    let setsStars = version == "2.3.3" && isStarred != nil && status == nil
    guard status == "read" || status == "unread" || setsStars else {
      return Self.error(400, "invalid status")
    }
    for id in ids {
      change(RemoteID(String(id))) { entry in
        if let status { entry.isUnread = status == "unread" }
        if let isStarred { entry.isStarred = isStarred }
      }
    }
    return StandInResponse(204)
  }

  private func json(_ entry: Entry, _ request: StandInRequest) -> JSONValue {
    let host = host(request)
    return [
      "id": .integer(entry.id), "user_id": 1, "feed_id": 42,
      "status": .string(entry.isUnread ? "unread" : "read"),
      "hash": "29f99e40",
      "title": .string(entry.title ?? "Entry \(entry.id) of \(ISOInstant.text(entry.created))"),
      "url": .string("\(host)/articles/\(entry.id)"),
      "comments_url": "", "published_at": .string(ISOInstant.text(entry.created)),
      "created_at": .string(ISOInstant.text(entry.created)),
      "changed_at": .string(ISOInstant.text(entry.changed)),
      "content": .string(entry.content), "author": "Foobar", "share_code": "",
      "starred": .bool(entry.isStarred),
      "reading_time": 1, "enclosures": .null, "tags": ["tag"],
      "feed": [
        "id": 42, "title": "New Feed Title", "site_url": .string(host),
        "category": ["id": 22, "title": "Another category"],
      ],
    ]
  }
}
