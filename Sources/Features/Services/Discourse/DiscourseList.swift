import Basics
import Formats
import Foundation
import Markup
import Messages

/// The position in the list of notifications, for the next part of a poll.
struct DiscourseCursor: ServiceCursor {
  /// A list that the last part did not finish.
  struct Reading: Codable, Equatable, Sendable {
    /// The number of notifications before the next page.
    var offset: Int
    /// The id of the newest notification of the pages so far, and the time of that notification in ISO 8601.
    var newest: String?
    var time: String?
  }

  /// The greatest id up to which all notifications were read, in decimal.
  var newest: String?
  /// The time of the notification with the id `newest`, in ISO 8601.
  var time: String?
  var reading: Reading?

  init() {}

  /// Reads the cursor of earlier versions, which stored only the greatest id.
  init?(earlier text: String) {
    guard DecimalInteger(text) != nil else { return nil }
    newest = text
  }
}

/// The notifications of one page, newest first.
struct DiscourseList {
  /// The messages, newest first.
  private(set) var found = ServiceMessages()
  private(set) var upstream = UpstreamState()
  /// Whether the page contains a notification of an earlier poll.
  private(set) var hasReachedKnown = false
  private let base: String
  private let earlier: DiscourseCursor
  /// The greatest id that was known before, and the time of its notification.
  private let last: DecimalInteger?
  private let lastTime: Date?
  private var newest: (id: DecimalInteger, time: Date?)?

  /// - Parameter cursor: the cursor of earlier parts.
  init(base: String, after cursor: DiscourseCursor) {
    self.base = base
    earlier = cursor
    last = cursor.newest.flatMap { DecimalInteger($0) }
    lastTime = cursor.time.flatMap(ISOInstant.parse)
  }

  /// Adds the notifications of the page.
  mutating func add(_ elements: [JSONValue]) {
    for (index, element) in elements.enumerated() {
      guard var fields = found.fields(of: element, at: JSONPath.index(index, under: "$.notifications")) else {
        continue
      }
      let isRead = add(&fields)
      found.add(problemsOf: fields, isLeftOut: !isRead)
    }
  }

  /// - Returns: `false` if the element is no notification, which `fields` reports.
  private mutating func add(_ fields: inout JSONFields) -> Bool {
    guard let id = fields.remoteID("id").flatMap({ DecimalInteger($0.text) }) else {
      if fields.problems.isEmpty { fields.reportMismatch("id", expected: "an integer") }
      return false
    }
    // Nothing becomes unread there again, and an unread one may be read here.
    if fields.bool("read") == true {
      upstream.marks.append(UpstreamState.Mark(RemoteID(id.text), UpstreamMarks(isRead: true)))
    }
    let time = fields.instant("created_at")
    if newest.map({ $0.id < id }) ?? true { newest = (id, time) }
    if let last, id <= last, !isLater(time) {
      hasReachedKnown = true
      return true
    }
    found.append(message(id, time, &fields))
    return true
  }

  /// Whether a time is later than that of the newest known notification. The id may then be smaller: a server that was
  /// restored from a backup continues from an older id.
  private func isLater(_ time: Date?) -> Bool {
    guard let lastTime, let time else { return false }
    return time.timeIntervalSince(lastTime) > 1
  }

  /// Returns the cursor after this page.
  ///
  /// - Parameter hasEnded: whether no further page has to be read.
  func cursor(hasEnded: Bool, pageSize: Int) -> DiscourseCursor {
    var cursor = earlier
    let first = earlier.reading?.newest ?? newest?.id.text
    let time = earlier.reading?.time ?? newest?.time.map(ISOInstant.text)
    if hasEnded {
      cursor.reading = nil
      if isLater(time.flatMap(ISOInstant.parse))
        || first.flatMap({ DecimalInteger($0) }).map({ new in last.map { $0 < new } ?? true }) ?? false
      {
        (cursor.newest, cursor.time) = (first, time)
      }
    } else {
      cursor.reading = DiscourseCursor.Reading(
        offset: (earlier.reading?.offset ?? 0) + pageSize, newest: first, time: time)
    }
    return cursor
  }

  /// Returns the message of a notification.
  private func message(_ id: DecimalInteger, _ time: Date?, _ fields: inout JSONFields) -> IncomingMessage {
    var data = fields.inner("data") ?? JSONFields(JSONObject(), at: "")
    let type = fields.integer("notification_type").map(DiscourseType.init)
    let words = type?.words ?? "notification"
    // The title of a topic is HTML.
    let topic =
      fields.text("fancy_title").map { Document.text(ofHTML: $0, base: nil) } ?? data.text("topic_title")
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
    message.published = time
    if fields.bool("high_priority") == true { message.priority = Priority(4) }
    message.tags = [words]
    message.url = url(&fields, &data)
    fields.adopt(data.problems)
    return message
  }

  /// Returns the URL of the topic or the badge that a notification is about, or `nil` if it has neither.
  private func url(_ fields: inout JSONFields, _ data: inout JSONFields) -> String? {
    if let topic = fields.integer("topic_id") {
      // The URL also works without a slug.
      let slug = fields.text("slug").map { Self.encoded($0) + "/" } ?? ""
      let post = fields.integer("post_number").map { "/\($0)" } ?? ""
      return "\(base)/t/\(slug)\(topic)\(post)"
    }
    if let badge = data.integer("badge_id") {
      return "\(base)/badges/\(badge)/\(data.text("badge_slug").map(Self.encoded) ?? "-")"
    }
    return nil
  }

  /// Returns a slug with percent-encoding; the slugs of some languages are already encoded.
  private static func encoded(_ slug: String) -> String {
    ServiceClient.encoded(slug.removingPercentEncoding ?? slug)
  }
}

/// The kind of a notification (app/models/notification.rb, `Notification.types`).
struct DiscourseType {
  /// The kind in words, for example `mentioned`.
  let words: String

  /// Creates a type. An unknown number, from a plugin or a newer version, is shown as a number.
  init(_ number: Int) { words = Self.names[number] ?? "type \(number)" }

  private static let names: [Int: String] = [
    1: "mentioned", 2: "replied", 3: "quoted", 4: "edited", 5: "liked", 6: "private message",
    7: "invited to private message", 8: "invitee accepted", 9: "posted", 10: "moved post", 11: "linked",
    12: "granted badge", 13: "invited to topic", 14: "custom", 15: "group mentioned",
    16: "group message summary", 17: "watching first post", 18: "topic reminder", 19: "liked consolidated",
    20: "post approved", 22: "membership request accepted", 23: "membership request consolidated",
    24: "bookmark reminder", 25: "reaction", 26: "votes released", 27: "event reminder",
    28: "event invitation", 29: "chat mention", 30: "chat message", 31: "chat invitation",
    32: "chat group mention", 33: "chat quoted", 34: "assigned", 35: "question answer user commented",
    36: "watching category or tag", 37: "new features", 38: "admin problems", 39: "linked consolidated",
    40: "chat watched thread", 41: "upcoming change available", 42: "upcoming change promoted automatically",
  ]
}
