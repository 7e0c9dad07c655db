import Basics
import Formats
import Foundation

/// One feed of the demo: its published items, and its current step.
actor DemoFeed {
  let name: String
  let title: String
  private let steps: [DemoStep]
  private let now: @Sendable () -> Date
  private let timer: any Clock<Duration>
  private var requests = 0
  private var published: [(id: Int, time: String, object: JSONObject)] = []

  /// - Parameter timer: waits if a step responds slowly.
  init(
    name: String, title: String, steps: [DemoStep], now: @escaping @Sendable () -> Date,
    timer: any Clock<Duration>
  ) {
    self.name = name
    self.title = title
    self.steps = steps
    self.now = now
    self.timer = timer
  }

  /// Takes the next step and responds to a native feed's request (`since_id`, `limit`).
  ///
  /// - Parameter server: the server's URL.
  func nativePage(sinceID: Int, limit: Int, server: String) async -> HTTPResponse {
    if let other = await advance() { return other }
    let fresh = published.filter { $0.id > sinceID }
    let page = fresh.prefix(max(1, limit))
    let list = page.map { entry -> JSONValue in
      var object = JSONObject([.init(key: "id", value: .number(String(entry.id)))])
      for member in entry.object.members { object[member.key] = member.value }
      if object["type"] == nil, object["aps"] == nil { object["time"] = .string(entry.time) }
      return .object(object)
    }
    let answer = JSONObject([
      .init(key: "title", value: .string(title)),
      .init(key: "list", value: .array(list)),
      .init(key: "has_more", value: .bool(page.count < fresh.count)),
    ])
    let text = JSONValue.object(answer).serialized().replacingBytes(DemoCampaign.base, with: server)
    return response(200, text, type: "application/json")
  }

  /// Takes the next step and responds with an Atom document, or with 304 if the entity tag is current.
  func atomDocument(ifNoneMatch: String?) async -> HTTPResponse {
    if let other = await advance() { return other }
    let tag = "\"demo-\(published.count)\""
    if ifNoneMatch == tag { return response(304, "", type: "application/atom+xml", tag: tag) }
    let entries = published.reversed().map { entry in
      """
        <entry>
          <id>urn:reddot:demo:\(entry.id)</id>
          <title>\(escaped(entry.object["title"]))</title>
          <link href="https://example.org/blog/\(entry.id)"/>
          <author><name>The terminal blog</name></author>
          <updated>\(entry.time)</updated>
          <content type="html">\(escaped(entry.object["html"]))</content>
        </entry>
      """
    }
    let document = """
      <?xml version="1.0" encoding="utf-8"?>
      <feed xmlns="http://www.w3.org/2005/Atom">
        <id>urn:reddot:demo</id>
        <title>\(title)</title>
        <updated>\(published.last?.time ?? timestamp())</updated>
      \(entries.joined(separator: "\n"))
      </feed>
      """
    return response(200, document, type: "application/atom+xml", tag: tag)
  }

  /// Publishes the step's items, and returns the step's own response if it has one.
  private func advance() async -> HTTPResponse? {
    let step = requests < steps.count ? steps[requests] : DemoScript.encore(name, requests - steps.count + 1)
    requests += 1
    for object in step.publishes {
      published.append((published.count + 1, timestamp(), object))
    }
    switch step.answer {
    case .now: return nil
    case .slowly(let seconds):
      // Only a cancellation ends this early; the response is not needed then.
      try? await timer.sleep(for: .seconds(seconds))
      return nil
    case .status(let code):
      return response(code, "The build server is having a moment.", type: "text/plain")
    case .heldBack(let seconds):
      var answer = response(429, "Slow down, please.", type: "text/plain")
      answer.fields.append(("Retry-After", String(seconds)))
      return answer
    }
  }

  private func timestamp() -> String { now().formatted(.iso8601) }

  private func escaped(_ value: JSONValue?) -> String {
    guard case .string(let text) = value else { return "" }
    return text.markupEscaped
  }

  private func response(_ status: Int, _ text: String, type: String, tag: String? = nil) -> HTTPResponse {
    var answer = HTTPResponse(text, type: "\(type); charset=utf-8")
    answer.status = status
    if let tag { answer.fields.append(("ETag", tag)) }
    return answer
  }
}
