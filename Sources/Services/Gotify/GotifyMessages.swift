import Dates
import Formats
import Foundation
import Limits
import Messages

enum GotifyMessage {
  static func message(_ fields: inout JSONFields) -> IncomingMessage? {
    guard let id = fields.remoteID("id") else { return nil }
    let body = fields.text("message") ?? ""
    let given = ServiceText.oneLine(fields.text("title") ?? "")
    var message = IncomingMessage(
      remoteID: id, kind: .service,
      title: given.isEmpty ? ServiceText.oneLine(WebFeedMessages.beginning(of: body)) : given, body: body)
    message.published = fields.instant("date")
    message.priority = fields.integer("priority").map(priority) ?? .normal
    if let more = fields.object("extras") {
      if more["client::display"]?.object?["contentType"]?.text == "text/markdown" {
        message.extras = MessageExtras()
        message.extras?.format = .markdown
      }
      message.url = ServiceText.address(
        more["client::notification"]?.object?["click"]?.object?["url"]?.text)
    }
    return message
  }

  /// Gotify's go from 0 to 10; its own app is silent for 0, quiet to 3, and loud from 8.
  private static func priority(_ number: Int) -> Priority {
    switch number {
    case ...0: Priority(1)
    case 1...3: Priority(2)
    case 4...7: Priority(3)
    case 8...9: Priority(4)
    case _: Priority(5)
    }
  }
}

/// What the pages of one poll brought so far: the newest message first.
struct GotifyReading {
  /// The newest id of the polls before, and its time.
  private let known: (id: Int, date: Date?)?
  private var list = ServiceMessages()
  private var ids: Set<RemoteID> = []
  private var newest: (id: Int, date: Date?)?
  private var isReset = false
  private var hasReachedKnown = false
  private var hasEnded = false
  private(set) var pages = 0
  /// The oldest id so far; the next page begins below it.
  private(set) var oldest: Int?

  init(_ cursor: Cursor?) {
    let object = cursor.flatMap { try? JSONReader.parse($0.text) }?.object
    known = object?["id"]?.integer.map { ($0, object?["date"]?.text.flatMap(ISOInstant.parse)) }
  }

  var isDone: Bool { hasEnded || hasReachedKnown && !isReset }

  mutating func take(_ elements: [JSONValue], hasMore: Bool) {
    pages += 1
    let before = oldest
    var taken: [(id: Int, message: IncomingMessage)] = []
    for (index, element) in elements.enumerated() {
      list.take(element, at: JSONPath.index(index, under: "$.messages")) { fields in
        guard let message = GotifyMessage.message(&fields) else { return nil }
        guard let id = Int(message.remoteID.text) else {
          fields.noteMismatch("id", expected: "an integer")
          return nil
        }
        taken.append((id, message))
        return message
      }
    }
    for (id, message) in taken {
      ids.insert(message.remoteID)
      oldest = min(oldest ?? id, id)
      if id > newest?.id ?? .min { newest = (id, message.published) }
      guard let known, id <= known.id else { continue }
      hasReachedKnown = true
      // The server has begun to count anew: an old id is younger than the newest that was known.
      if let date = message.published, let last = known.date, date.timeIntervalSince(last) > 1 {
        isReset = true
      }
    }
    hasEnded = !hasMore || elements.isEmpty || oldest == before
  }

  var content: PollContent {
    let last = isReset ? newest : newest.map { $0.id >= known?.id ?? .min ? $0 : known ?? $0 } ?? known
    var object = JSONObject()
    object["id"] = last.map { .integer($0.id) }
    object["date"] = last?.date.map { .string(ISOInstant.text($0)) }
    let cursor = last.map { _ in Cursor(JSONValue.object(object).serialized()) }
    let fresh = list.messages.filter { message in
      guard !isReset, let known, let id = Int(message.remoteID.text) else { return true }
      return id > known.id
    }
    var content = PollContent(
      messages: fresh.reversed(), position: PollPosition(cursor: cursor), problems: list.problems)
    content.hasNewIDs = isReset
    // All that the server has: what is not there any more was deleted by somebody.
    if pages == 1, hasEnded {
      var upstream = UpstreamState()
      upstream.open = ids
      content.upstream = upstream
    }
    return content
  }
}
