import Formats
import Foundation

/// A service like GitHub and a topic like ntfy's. Messages that are read or dismissed in the inbox are changed here
/// too, so that the timeline shows how a change is synced back.
actor DemoServices {
  private struct Thread {
    var id: Int
    var title: String
    var type: String
    var reason: String
    var isOpen = true
    var updated: Date
  }

  private static let subjects = [
    ("Colours are lost over mosh", "Issue", "mention"),
    ("Snooze until a weekday", "PullRequest", "review_requested"),
    ("What should A do in a search?", "Discussion", "subscribed"),
  ]

  private let began: Date
  private var threads: [Thread]

  init(now: @escaping @Sendable () -> Date) {
    let began = now()
    self.began = began
    threads = Self.subjects.enumerated().map { index, subject in
      Thread(
        id: 101 + index, title: subject.0, type: subject.1, reason: subject.2,
        updated: began.addingTimeInterval(Double(index - 5) * 600))
    }
  }

  /// Responds to a request to the service or to the topic.
  ///
  /// - Returns: `nil` for any other URL.
  func answer(_ request: HTTPRequest) -> HTTPResponse? {
    let threads = "/hub/api/v3/notifications/threads/"
    let alerts = "/push/alerts/"
    switch (request.method, request.path) {
    case ("GET", "/hub/api/v3/notifications"): return notifications()
    // Nothing is known about the threads' issues and requests.
    case ("POST", "/hub/api/graphql"): return Self.json(Self.object(["data": .object(JSONObject())]))
    case ("PATCH", let path) where path.hasPrefix(threads):
      close(path.dropFirst(threads.count))
      return HTTPResponse(205)
    case ("DELETE", let path) where path.hasPrefix(threads):
      close(path.dropFirst(threads.count))
      return HTTPResponse(204)
    case ("GET", alerts + "json"):
      return self.alerts(since: request.query["since"].flatMap { Double($0) } ?? 0)
    case ("DELETE", let path) where path.hasPrefix(alerts): return Self.json(.object(JSONObject()))
    case ("PUT", let path)
    where path.hasPrefix(threads) && path.hasSuffix("/subscription")
      || path.hasPrefix(alerts) && path.hasSuffix("/clear"):
      return Self.json(.object(JSONObject()))
    case _: return nil
    }
  }

  private func close(_ id: Substring) {
    for index in threads.indices where String(threads[index].id) == id { threads[index].isOpen = false }
  }

  private func notifications() -> HTTPResponse {
    let list = threads.filter(\.isOpen).sorted { $0.updated > $1.updated }.map { thread -> JSONValue in
      let path = thread.type == "PullRequest" ? "pulls" : thread.type == "Issue" ? "issues" : "discussions"
      let api = "https://api.github.com/repos/example/reddot/\(path)/\(thread.id)"
      return Self.object([
        "id": .string(String(thread.id)), "unread": .bool(true), "reason": .string(thread.reason),
        "updated_at": .string(thread.updated.formatted(.iso8601)),
        "subject": Self.object([
          "title": .string(thread.title), "url": .string(api), "latest_comment_url": .string(api),
          "type": .string(thread.type),
        ]),
        "repository": Self.object([
          "full_name": .string("example/reddot"), "html_url": .string("https://github.com/example/reddot"),
        ]),
      ])
    }
    return Self.json(.array(list))
  }

  private func alerts(since: Double) -> HTTPResponse {
    let events: [(String, String, String, Int, String)] = [
      ("backup000001", "Backup finished", "212 files, 1.4 GB, in 3 minutes", 3, "white_check_mark"),
      ("front0door01", "Somebody is at the door", "The bell rang at **14:02**.", 4, "bell"),
    ]
    var text = ""
    for (index, event) in events.enumerated() {
      let time = began.timeIntervalSince1970.rounded(.down) - Double(events.count - index) * 300
      guard time >= since else { continue }
      let object = Self.object([
        "id": .string(event.0), "time": .integer(Int(time)), "event": .string("message"),
        "topic": .string("alerts"), "title": .string(event.1), "message": .string(event.2),
        "priority": .integer(event.3), "tags": .array([.string(event.4)]),
        "content_type": .string("text/markdown"),
      ])
      text += object.serialized() + "\n"
    }
    return HTTPResponse(text, type: "application/x-ndjson")
  }

  private static func object(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
    .object(JSONObject(members.map { JSONObject.Member(key: $0.key, value: $0.value) }))
  }

  private static func json(_ value: JSONValue) -> HTTPResponse {
    HTTPResponse(value.serialized(), type: "application/json")
  }
}
