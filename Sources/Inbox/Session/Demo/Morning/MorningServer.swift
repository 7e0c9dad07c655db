import Basics
import Formats
package import Foundation

/// The servers of the demo's morning in one: a build server, a team's board, two blogs, GitHub, an Alertmanager and a
/// calendar.
package actor MorningServer {
  private let began: Date
  private var builds = Morning.builds
  private var threads = Morning.threads
  private var hasAlert = true

  /// - Parameter began: the time at which the demo opens.
  package init(began: Date) { self.began = began }

  /// Serves until the task is cancelled.
  ///
  /// - Parameter onReady: called with the port once the server listens.
  /// - Throws: ``POSIXError`` if it can't listen, or can no longer accept connections.
  package nonisolated func run(onReady: @escaping @Sendable (Int) -> Void) async throws {
    let server = try LoopbackServer()
    onReady(server.port)
    try await server.run { await self.answer($0) }
  }

  // MARK: What happens

  /// Adds the failed build to the build server's messages.
  func failBuild() {
    if builds.count == Morning.builds.count { builds.append(Morning.failedBuild) }
  }

  func endAlert() { hasAlert = false }

  // MARK: Answers

  private func answer(_ request: HTTPRequest) -> HTTPResponse {
    let threads = "/github/api/v3/notifications/threads/"
    switch (request.method, request.path) {
    case ("GET", "/ci"): return page(of: builds, "Build server", request)
    case ("GET", "/team"): return page(of: Morning.team, "Team board", request)
    case ("GET", "/deps"): return page(of: Morning.dependencies, "Updates", request)
    case ("GET", "/kernel.atom"): return document(of: Morning.kernel, "kernel", "Kernel weekly")
    case ("GET", "/swift.atom"): return document(of: Morning.swift, "swift", "Swift blog")
    case ("GET", "/calendar.ics"): return calendar
    case ("GET", "/github/api/v3/notifications"): return notifications
    // Nothing is known about the threads' issues and requests.
    case ("POST", "/github/api/graphql"): return Self.json(Self.object(["data": .object(JSONObject())]))
    case ("PATCH", let path) where path.hasPrefix(threads):
      close(path.dropFirst(threads.count))
      return HTTPResponse(205)
    case ("DELETE", let path) where path.hasPrefix(threads):
      close(path.dropFirst(threads.count))
      return HTTPResponse(204)
    case ("PUT", let path) where path.hasPrefix(threads) && path.hasSuffix("/subscription"):
      return Self.json(.object(JSONObject()))
    case ("GET", "/alerts/api/v2/alerts"): return alerts
    case ("GET", "/alerts/api/v2/status"):
      return Self.json(Self.object(["uptime": .string(time(minutes: 9000))]))
    case _: return HTTPResponse(404)
    }
  }

  private func time(minutes: Int) -> String {
    ISOInstant.text(began.addingTimeInterval(Double(-60 * minutes)))
  }

  /// Returns a page of a native feed.
  private func page(of items: [MorningItem], _ title: String, _ request: HTTPRequest) -> HTTPResponse {
    let since = request.query["since_id"].flatMap { Int($0) } ?? 0
    let list = items.enumerated().dropFirst(since).map { index, item in
      JSONValue.object(item.object(id: index + 1, began: began))
    }
    return Self.json(Self.object(["title": .string(title), "list": .array(list), "has_more": .bool(false)]))
  }

  /// Returns an Atom document, the newest entry first.
  private func document(of items: [MorningItem], _ name: String, _ title: String) -> HTTPResponse {
    let entries = items.enumerated().reversed().map { $1.entry(of: name, number: $0 + 1, began: began) }
    let text = """
      <?xml version="1.0" encoding="utf-8"?>
      <feed xmlns="http://www.w3.org/2005/Atom">
        <id>tag:\(name).example,2026:feed</id>
        <title>\(title)</title>
        <updated>\(items.last?.time(before: began) ?? "")</updated>
      \(entries.joined())</feed>
      """
    return HTTPResponse(text, type: "application/atom+xml; charset=utf-8")
  }

  private func close(_ id: Substring) { threads.removeAll { String($0.id) == id } }

  private var notifications: HTTPResponse {
    let list = threads.map { thread -> JSONValue in
      let kind = thread.type == "PullRequest" ? "pulls" : "issues"
      return Self.object([
        "id": .string(String(thread.id)), "unread": .bool(true), "reason": .string(thread.reason),
        "updated_at": .string(time(minutes: thread.minutes)),
        "subject": Self.object([
          "title": .string(thread.title), "type": .string(thread.type),
          "url": .string("https://api.github.com/repos/example/shop/\(kind)/\(thread.id)"),
        ]),
        "repository": Self.object([
          "full_name": .string("example/shop"), "html_url": .string("https://github.com/example/shop"),
        ]),
      ])
    }
    return Self.json(.array(list))
  }

  private var alerts: HTTPResponse {
    guard hasAlert else { return Self.json(.array([])) }
    let alert = Self.object([
      "fingerprint": .string("5d1c3a90b2e74f68"), "startsAt": .string(time(minutes: 24)),
      "status": Self.object(["state": .string("active"), "silencedBy": .array([]), "inhibitedBy": .array([])]
      ),
      "labels": Self.object([
        "alertname": .string("DiskSpaceLow"), "severity": .string("critical"), "instance": .string("db-2"),
      ]),
      "annotations": Self.object([
        "summary": .string("db-2 has 7 % left"),
        "description": .string("/var/lib/postgresql has 7 % left; at this rate it is full in 3 hours."),
        "runbook_url": .string("https://wiki.example/runbooks/disk"),
      ]),
      "generatorURL": .string("https://prometheus.example/graph"),
    ])
    return Self.json(.array([alert]))
  }

  /// The calendar with a meeting in ten minutes, whose alarm rings as the demo opens.
  private var calendar: HTTPResponse {
    func instant(_ minutes: Int) -> String {
      time(minutes: -minutes).filter { $0 != "-" && $0 != ":" }
    }
    let lines = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//reddot//demo//EN", "BEGIN:VEVENT",
      "UID:stand-up@team.example",
      "DTSTAMP:\(instant(-day))", "DTSTART:\(instant(10))", "DTEND:\(instant(25))",
      "SUMMARY:Stand-up in ten minutes",
      "LOCATION:Room 2", "DESCRIPTION:https://meet.example/stand-up", "BEGIN:VALARM", "ACTION:DISPLAY",
      "DESCRIPTION:Stand-up", "TRIGGER:-PT10M", "END:VALARM", "END:VEVENT", "END:VCALENDAR",
    ]
    return HTTPResponse(
      lines.map { $0 + "\r\n" }.joined(), type: "text/calendar; charset=utf-8")
  }

  private let day = 24 * 60

  private static func object(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
    .object(JSONObject(members.map { JSONObject.Member(key: $0.key, value: $0.value) }))
  }

  private static func json(_ value: JSONValue) -> HTTPResponse {
    HTTPResponse(value.serialized(), type: "application/json")
  }
}
