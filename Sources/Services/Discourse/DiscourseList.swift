import Formats
import Foundation
import Messages

/// The notifications of the pages of one poll, newest first.
struct DiscourseList {
  /// Newest first.
  private(set) var found = ServiceMessages()
  private(set) var upstream = UpstreamState()
  /// The greatest id.
  private(set) var newest: DecimalInteger?
  private(set) var hasReachedKnown = false
  private let base: String
  private let last: DecimalInteger?
  private var seen: Set<DecimalInteger> = []

  /// - Parameter last: the greatest id of earlier polls; nil at the first.
  init(base: String, after last: DecimalInteger?) {
    self.base = base
    self.last = last
    newest = last
  }

  mutating func take(_ element: JSONValue, at path: String) {
    guard let object = element.object else {
      return found.note(element, at: path)
    }
    var fields = JSONFields(object, at: path, lenient: true)
    defer { found.note(fields) }
    guard let id = fields.remoteID("id").flatMap({ DecimalInteger($0.text) }) else {
      if fields.problems.isEmpty { fields.noteMismatch("id", expected: "an integer") }
      return
    }
    // Pages shift while new ones come.
    guard seen.insert(id).inserted else { return }
    // Nothing becomes unread there again, and what is unread there may be read here.
    if fields.bool("read") == true {
      upstream.marks.append(UpstreamState.Mark(RemoteID(id.text), UpstreamMarks(isRead: true)))
    }
    if let last, id <= last {
      hasReachedKnown = true
      return
    }
    newest = newest.map { max($0, id) } ?? id
    found.append(message(id, &fields))
  }

  private func message(_ id: DecimalInteger, _ fields: inout JSONFields) -> IncomingMessage {
    var data = fields.inner("data") ?? JSONFields(JSONObject(), at: "")
    let type = fields.integer("notification_type").map(DiscourseType.init)
    let words = type?.words ?? "notification"
    // The title of a topic is HTML.
    let topic = fields.text("fancy_title").map(HTMLText.plain) ?? data.text("topic_title")
    let subject = topic ?? data.text("badge_name") ?? data.text("group_name")
    let title = ServiceText.oneLine(subject ?? "")
    var message = IncomingMessage(
      remoteID: RemoteID(id.text), kind: .service, title: title.isEmpty ? words : title, body: words)
    if let count = data.textOrNumber("count") ?? data.textOrNumber("inbox_count") {
      message.body += " (\(count))"
    }
    message.author =
      data.text("display_username") ?? data.text("original_username") ?? data.text("username")
      ?? fields.text("acting_user_name")
    message.published = fields.instant("created_at")
    if fields.bool("high_priority") == true { message.priority = Priority(4) }
    message.tags = [words]
    message.url = url(&fields, &data)
    fields.adopt(data.problems)
    return message
  }

  private func url(_ fields: inout JSONFields, _ data: inout JSONFields) -> String? {
    if let topic = fields.integer("topic_id") {
      // The address works without a slug too.
      let slug = fields.text("slug").map { Self.encoded($0) + "/" } ?? ""
      let post = fields.integer("post_number").map { "/\($0)" } ?? ""
      return "\(base)/t/\(slug)\(topic)\(post)"
    }
    if let badge = data.integer("badge_id") {
      return "\(base)/badges/\(badge)/\(data.text("badge_slug").map(Self.encoded) ?? "-")"
    }
    return nil
  }

  /// Slugs of some languages come encoded.
  private static func encoded(_ slug: String) -> String {
    ServiceClient.encoded(slug.removingPercentEncoding ?? slug)
  }
}

/// The kind of a notification (app/models/notification.rb, `Notification.types`).
struct DiscourseType {
  let words: String

  /// A number that isn't known, of a plugin or a newer version, shows as itself.
  init(_ number: Int) { words = Self.names[number] ?? "type \(number)" }

  private static let names: [Int: String] = [
    1: "mentioned", 2: "replied", 3: "quoted", 4: "edited", 5: "liked", 6: "private message",
    7: "invited to private message", 8: "invitee accepted", 9: "posted", 10: "moved post", 11: "linked",
    12: "granted badge", 13: "invited to topic", 14: "custom", 15: "group mentioned",
    16: "group message summary", 17: "watching first post", 18: "topic reminder", 19: "liked consolidated",
    20: "post approved", 22: "membership request accepted", 23: "membership request consolidated",
    24: "bookmark reminder", 25: "reaction", 26: "votes released", 27: "event reminder",
    28: "event invitation", 29: "chat mention", 30: "chat message", 31: "chat invitation",
    32: "chat group mention", 33: "chat quoted", 34: "assigned",
  ]
}
