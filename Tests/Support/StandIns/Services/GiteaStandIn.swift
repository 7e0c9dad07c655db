import Basics
import Formats
import Foundation
package import Messages
import Synchronization

/// Gitea and Forgejo: threads of notifications, newest first, pages of at most 50, `X-Total-Count`, no Link.
package final class GiteaStandIn: ServiceStandIn {
  package static let kind = SourceKind.gitea
  package static let abilities: StandInAbilities = [.news, .read]

  private enum Status: String {
    case unread, read, pinned
  }

  private struct Thread {
    var number: Int
    var title: String
    var status = Status.unread
    /// The time in whole seconds since 1970.
    var updated: Int
    var comments = 0
  }

  private struct State {
    var threads: [Thread] = []
    var everPresent: Set<StandInOccasion> = []
  }

  package let conditions: StandInConditions
  private let state = Mutex(State())

  package init(_ conditions: StandInConditions) { self.conditions = conditions }

  package func isAuthorized(_ request: StandInRequest) -> Bool {
    request.headers["authorization"].map {
      $0 == "token " + conditions.token || $0 == "Bearer " + conditions.token
    } ?? false
  }

  private var second: Int { Int(conditions.now.timeIntervalSince1970.rounded(.down)) }

  private static func text(_ seconds: Int) -> String {
    ISOInstant.text(Date(timeIntervalSince1970: Double(seconds)))
  }

  // MARK: What happens there

  @discardableResult package func arrive() -> RemoteID {
    let second = second
    return state.withLock { state in
      let number = state.threads.count + 1
      state.threads.append(Thread(number: number, title: "Issue \(number)", updated: second))
      return Self.note(number - 1, &state)
    }
  }

  @discardableResult private static func note(_ place: Int, _ state: inout State) -> RemoteID {
    let id = RemoteID(String(state.threads[place].number))
    state.everPresent.insert(StandInOccasion(id, text(state.threads[place].updated)))
    return id
  }

  package func renew(_ id: RemoteID) {
    let second = second
    state.withLock { state in
      guard let place = Self.place(of: id, state), state.threads[place].updated < second else { return }
      state.threads[place].comments += 1
      state.threads[place].updated = second
      if state.threads[place].status == .read { state.threads[place].status = .unread }
      Self.note(place, &state)
    }
  }

  package func markElsewhere(_ mark: OutgoingMark, of id: RemoteID) {
    if case .read(true) = mark { set(.read, id) }
  }

  /// - Returns: `false` if the thread is unknown.
  @discardableResult private func set(_ status: Status, _ id: RemoteID) -> Bool {
    let second = second
    return state.withLock { state in
      guard let place = Self.place(of: id, state) else { return false }
      state.threads[place].status = status
      state.threads[place].updated = max(state.threads[place].updated, second)
      if status != .read { Self.note(place, &state) }
      return true
    }
  }

  private static func place(of id: RemoteID, _ state: State) -> Int? {
    state.threads.firstIndex { String($0.number) == id.text }
  }

  package var truth: StandInTruth {
    state.withLock { state in
      var truth = StandInTruth()
      truth.everPresent = state.everPresent
      for thread in state.threads {
        let id = RemoteID(String(thread.number))
        truth.marks[id] = UpstreamMarks(isRead: thread.status != .unread)
        if thread.status == .unread { truth.openNow.insert(id) }
        if thread.status != .read { truth.listed.insert(StandInOccasion(id, Self.text(thread.updated))) }
      }
      return truth
    }
  }

  // MARK: Its API

  package func respond(to request: StandInRequest) -> StandInResponse {
    let prefix = "/api/v1/notifications"
    guard request.path.hasPrefix(prefix) else { return Self.error(404, "Not Found", request) }
    guard isAuthorized(request) else { return Self.error(401, "token is required", request) }
    let rest = String(request.path.dropFirst(prefix.count))
    switch (request.method, rest) {
    case ("GET", ""): return list(request)
    case ("GET", "/new"):
      return .json(["new": .integer(state.withLock { $0.threads.count { $0.status == .unread } })])
    case ("PATCH", _) where rest.hasPrefix("/threads/"):
      let id = RemoteID(String(rest.dropFirst("/threads/".count)))
      guard let status = Status(rawValue: request["to-status"] ?? "read"), set(status, id) else {
        return Self.error(404, "notification not found", request)
      }
      let thread = state.withLock { state in Self.place(of: id, state).map { state.threads[$0] } }
      return .json(thread.map { json($0, request) } ?? .null, status: 205)
    case _: return Self.error(404, "Not Found", request)
    }
  }

  private static func error(_ status: Int, _ message: String, _ request: StandInRequest) -> StandInResponse {
    .json(["message": .string(message), "url": .string(request.origin + "/api/swagger")], status: status)
  }

  private func list(_ request: StandInRequest) -> StandInResponse {
    let asked = request.all("status-types")
    // If a word is unknown, everything is listed.
    let statuses = asked.compactMap(Status.init)
    let isAll = request["all"] == "true" || statuses.count < asked.count
    let shown: Set<Status> =
      isAll ? [.unread, .read, .pinned] : asked.isEmpty ? [.unread, .pinned] : Set(statuses)
    var since = Int.min
    if let text = request["since"] {
      guard let date = ISOInstant.parse(text) else {
        return Self.error(422, "unable to parse since", request)
      }
      since = Int(date.timeIntervalSince1970.rounded(.down))
    }
    let limit = min(50, max(1, request["limit"].flatMap { Int($0) } ?? 30))
    let page = max(1, request["page"].flatMap { Int($0) } ?? 1)
    let found = state.withLock { state in
      state.threads.filter { shown.contains($0.status) && $0.updated >= since }
        .sorted { ($0.updated, $0.number) > ($1.updated, $1.number) }
    }
    let part = found.dropFirst((page - 1) * limit).prefix(limit)
    return .json(.array(part.map { json($0, request) }), [("X-Total-Count", "\(found.count)")])
  }

  private func json(_ thread: Thread, _ request: StandInRequest) -> JSONValue {
    let number = thread.number
    let api = (conditions.isLeadingAway ? conditions.stranger : request.origin) + "/api/v1"
    let page = "\(request.origin)/owner/repo/issues/\(number)"
    let comment = thread.comments == 0 ? "" : "#issuecomment-\(number)\(thread.comments)"
    return [
      "id": .integer(number),
      "repository": [
        "id": 1, "name": "repo", "full_name": "owner/repo",
        "html_url": .string(request.origin + "/owner/repo"),
      ],
      "subject": [
        "title": .string(thread.title), "url": .string("\(api)/repos/owner/repo/issues/\(number)"),
        "latest_comment_url": .string(
          comment.isEmpty ? "" : "\(api)/repos/owner/repo/issues/comments/\(number)\(thread.comments)"),
        "html_url": .string(page), "latest_comment_html_url": .string(comment.isEmpty ? "" : page + comment),
        "type": "Issue", "state": "open",
      ],
      "unread": .bool(thread.status == .unread), "pinned": .bool(thread.status == .pinned),
      "updated_at": .string(Self.text(thread.updated)),
      "url": .string("\(api)/notifications/threads/\(number)"),
    ]
  }
}
