import Basics
import Formats
import Foundation
import Messages

/// An entry as the server returns it.
struct MinifluxEntry: Sendable {
  private(set) var id: Int
  private var status: String?
  private var isStarred: Bool?
  private var title: String?
  private var url: String?
  private var comments: String?
  private var author: String?
  private var content: String?
  private var published: Date?
  private var changed: Date?
  private var tags: [String]
  private var feed: String?
  private var enclosures: [Enclosure]

  /// Reads an entry from JSON.
  ///
  /// - Returns: `nil` if there is no usable id. A value of a wrong type is a problem, and is treated as missing.
  static func read(_ value: JSONValue, at path: String) -> (MinifluxEntry?, [FormatProblem]) {
    guard let object = value.object else {
      return (nil, [FormatProblem(at: path, message: "must be an object, not \(value.kindInWords)")])
    }
    var fields = JSONFields(object, at: path, lenient: true)
    guard let id = fields.integer("id", in: 1 ... .max) else {
      if fields.problems.isEmpty { fields.report("id", "is missing") }
      return (nil, fields.problems)
    }
    var tags = (fields.elements("tags") ?? []).map(\.text)
    var feedTitle: String?
    if var feed = fields.inner("feed") {
      feedTitle = feed.text("title")
      tags.append(feed.object("category")?["title"]?.text)
      fields.adopt(feed.problems)
    }
    let entry = MinifluxEntry(
      id: id, status: fields.text("status"), isStarred: fields.bool("starred"), title: fields.text("title"),
      url: fields.text("url"), comments: fields.text("comments_url"), author: fields.text("author"),
      content: fields.text("content"), published: fields.instant("published_at"),
      changed: fields.instant("changed_at"), tags: ServiceText.tags(tags),
      feed: feedTitle, enclosures: enclosures(&fields))
    return (entry, fields.problems)
  }

  private static func enclosures(_ fields: inout JSONFields) -> [Enclosure] {
    (fields.elements("enclosures") ?? []).prefix(Limits.actions).compactMap { element in
      guard let object = element.object, let url = ServiceText.address(object["url"]?.text) else {
        return nil
      }
      let length = object["size"]?.integer
      return Enclosure(
        url: url, type: object["mime_type"]?.text.flatMap { $0.isEmpty ? nil : $0 },
        length: length.flatMap { $0 > 0 ? $0 : nil })
    }
  }

  /// Converts the entry to a message, with its state at the server.
  func entry(_ allowance: Allowance) -> MinifluxPage.Entry {
    var message = IncomingMessage(
      service: String(id), title: title ?? "", html: content ?? "", url: ServiceText.address(url))
    message.author = author.map(ServiceText.oneLine)
    message.channel = feed.map(ServiceText.oneLine)
    message.published = published
    message.tags = tags
    if let comments = ServiceText.address(comments) {
      var extras = MessageExtras()
      extras.actions = [MessageAction(label: "comments", url: comments)]
      message.extras = extras
    }
    message.attach(enclosures)
    message.keepWithinLimits()
    allowance.spend(message.textBytes)
    let marks = UpstreamMarks(
      isRead: status.map { $0 != "unread" }, isStarred: isStarred, isDone: status == "removed" ? true : nil)
    return MinifluxPage.Entry(id: id, changed: changed, marks: marks, message: message)
  }
}
