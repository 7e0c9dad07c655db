package import Basics
package import Formats
package import Foundation
package import Messages

/// The JSON of a message and of an inspection: always all keys, absent values as null.
package enum MessageJSON {
  /// A stored message; the user's acts on it come last.
  package static func object(_ message: Message, in folder: Folder? = nil, alsoFrom: [String] = [])
    -> JSONObject
  {
    var object = object(message.content, source: message.sourceName)
    object["id"] = .number(String(message.id.rawValue))
    object["received"] = date(message.received)
    object["unread"] = .bool(message.isUnread)
    object["starred"] = .bool(message.isStarred)
    object["dismissed"] = .bool(message.isDismissed)
    object["snoozed_until"] = date(message.snoozedUntil)
    object["resolved"] = date(message.resolved)
    object["folder"] = text(folder?.path)
    object["also_from"] = .array(alsoFrom.map(JSONValue.string))
    object["pane"] = text(message.content.extras?.pane?.key)
    return object
  }

  /// A message that was not stored: `id`, `received` and `unread` are null.
  package static func object(_ content: IncomingMessage, source: String?) -> JSONObject {
    let actions = (content.extras?.actions ?? []).map { action in
      JSONValue.object(
        JSONObject([
          .init(key: "label", value: .string(action.label)), .init(key: "url", value: .string(action.url)),
        ]))
    }
    let members: [(String, JSONValue)] = [
      ("id", .null), ("source", text(source)), ("remote_id", .string(content.remoteID.text)),
      ("kind", .string(content.kind.rawValue)), ("title", .string(content.title)),
      ("body", .string(content.body)), ("html", text(content.html)), ("url", text(content.url)),
      ("author", text(content.author)), ("published", date(content.published)),
      ("updated", date(content.updated)), ("received", .null),
      ("priority", .number(String(content.priority.rawValue))),
      ("tags", .array(content.tags.map(JSONValue.string))), ("channel", text(content.channel)),
      ("language", text(content.language)), ("visible_from", date(content.visibleFrom)),
      ("expires", date(content.expires)), ("dismissable", .bool(content.isDismissable)), ("unread", .null),
      ("actions", .array(actions)),
    ]
    return JSONObject(members.map { .init(key: $0.0, value: $0.1) })
  }

  package static func problem(_ problem: FormatProblem) -> JSONValue {
    .object(
      JSONObject([
        .init(key: "at", value: .string(problem.at)), .init(key: "message", value: .string(problem.message)),
      ]))
  }

  package static func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

  /// ISO 8601 in UTC with `Z`; with fractions only if they are not 0.
  package static func date(_ date: Date?) -> JSONValue {
    guard let date else { return .null }
    return .string(ISOInstant.text(date))
  }
}
