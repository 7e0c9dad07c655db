import Basics
import Formats
import Foundation

/// A message of the demo's morning, before it has an id.
struct MorningItem: Sendable {
  /// The minutes from its time to the beginning of the demo.
  var minutes: Int
  var title: String
  var author: String?
  var body: String?
  var html: String?
  var url: String?
  var priority: Int?
  var tags: [String] = []

  func time(before began: Date) -> String {
    ISOInstant.text(began.addingTimeInterval(Double(-60 * minutes)))
  }

  /// Returns the item of a native feed.
  func object(id: Int, began: Date) -> JSONObject {
    var object = JSONObject()
    object["id"] = .integer(id)
    object["time"] = .string(time(before: began))
    object["title"] = .string(title)
    for (key, text) in [("author", author), ("body", body), ("html", html), ("url", url)] {
      object[key] = text.map(JSONValue.string)
    }
    object["priority"] = priority.map { .integer($0) }
    if !tags.isEmpty { object["tags"] = .array(tags.map(JSONValue.string)) }
    return object
  }

  /// Returns the entry of an Atom feed.
  func entry(of feed: String, number: Int, began: Date) -> String {
    let link = url ?? "https://\(feed).example/\(number)"
    return """
        <entry>
          <id>\(Morning.id(of: feed, number))</id>
          <title>\(title.markupEscaped)</title>
          <link href="\(link.markupEscaped)"/>
          <updated>\(time(before: began))</updated>
          <content type="html">\((html ?? "").markupEscaped)</content>
        </entry>

      """
  }
}
