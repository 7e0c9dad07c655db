package import Basics
package import Formats
package import Foundation
package import Messages

/// The JSON of a message and of an inspection: always all keys, absent values as null.
package enum MessageJSON {
  /// Returns the JSON of a stored message. The keys that the JSON of every message has come first; its state,
  /// source and question follow.
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
    object["answers"] = message.question.map { .array($0.answers.map(JSONValue.string)) } ?? .null
    object["answer"] = text(message.question?.answerText)
    object["ending"] = text(message.question?.ending.map(name))
    object["pane"] = text(message.content.extras?.pane?.key)
    return object
  }

  /// Returns the JSON of a message that was not stored: `id`, `received` and `unread` are null.
  package static func object(_ content: IncomingMessage, source: String?) -> JSONObject {
    let actions = (content.extras?.actions ?? []).map { action in
      JSONValue.object(
        JSONObject([
          .init(key: "label", value: .string(action.label)), .init(key: "url", value: .string(action.url)),
        ]))
    }
    var object = JSONObject([
      .init(key: "id", value: .null), .init(key: "source", value: text(source)),
      .init(key: "remote_id", value: .string(content.remoteID.text)),
      .init(key: "kind", value: .string(content.kind.rawValue)),
    ])
    // The rank is not printed: the order and `dismissable` show it.
    for row in MessageField.rows where row.field != .rank {
      object[row.field.rawValue] = json(row.read(content))
      if row.field == .updated { object["received"] = .null }
    }
    object["unread"] = .null
    object["actions"] = .array(actions)
    for key in ["answers", "answer", "ending"] { object[key] = .null }
    return object
  }

  private static func name(_ ending: ProgramQuestion.Ending) -> String {
    switch ending {
    case .answered: "answered"
    case .timedOut: "timed_out"
    case .gone: "gone"
    case .withdrawn: "withdrawn"
    }
  }

  private static func json(_ value: MessageField.Value?) -> JSONValue {
    switch value {
    case .text(let text)?: .string(text)
    case .texts(let texts)?: .array(texts.map(JSONValue.string))
    case .date(let date)?: self.date(date)
    case .number(let number)?: .number(String(number))
    case .flag(let flag)?: .bool(flag)
    case nil: .null
    }
  }

  package static func problem(_ problem: FormatProblem) -> JSONValue {
    .object(
      JSONObject([
        .init(key: "at", value: .string(problem.at)), .init(key: "message", value: .string(problem.message)),
      ]))
  }

  package static func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

  /// Returns a date in ISO 8601 in UTC with `Z`; with fractions only if they are not 0.
  package static func date(_ date: Date?) -> JSONValue {
    guard let date else { return .null }
    return .string(ISOInstant.text(date))
  }
}
