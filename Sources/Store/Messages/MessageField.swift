import Basics
package import Foundation

/// A field of a message's content; the raw value is its key in JSON.
package enum MessageField: String, CaseIterable, Sendable {
  case title, body, html, url, author, published, updated, priority, tags, channel, language
  case visibleFrom = "visible_from"
  case expires
  case isDismissable = "dismissable"
  case rank = "standing"

  package enum Value: Hashable, Sendable {
    case text(String), texts([String]), date(Date), number(Int), flag(Bool)
  }

  /// The type of its value, corresponding to `Value`.
  package enum ValueType: Sendable { case text, texts, date, number, flag }

  /// The maximum size of a stored value, and the handling of longer ones.
  package enum Size: Sendable {
    /// Only the beginning of a longer value is stored.
    case bytes(Int), characters(Int)
    /// A longer value is left out, since a part of a URL has another meaning.
    case whole(bytes: Int)
    case list(count: Int, characters: Int)
  }

  /// All properties of the field.
  package struct Row: Sendable {
    package var field: MessageField
    package var type: ValueType
    /// The maximum size and the part to report, or `nil` if the field cannot be too large.
    package var size: (limit: Size, part: MessagePart)?
    /// The value that other machines assume if a message has none.
    package var assumed: Value?
    /// Returns the value, or `nil` if the message has none.
    package var read: @Sendable (IncomingMessage) -> Value?
    /// Sets the value. A value of another type than the field's changes nothing.
    package var write: @Sendable (inout IncomingMessage, Value?) -> Void
  }

  package static let rows: [Row] = allCases.map(\.row)

  private var row: Row {
    switch self {
    case .title: text(.characters(Limits.titleCharacters), .title, { $0.title }, { $0.title = $1 ?? "" })
    case .body:
      text(.bytes(Limits.bodyBytes), .body, { $0.body }, { $0.body = $1 ?? "" }, assumed: .text(""))
    case .html: text(.bytes(Limits.bodyBytes), .html, { $0.html }, { $0.html = $1 })
    case .url: text(.whole(bytes: Limits.addressBytes), .url, { $0.url }, { $0.url = $1 })
    case .author: text(.characters(Limits.nameCharacters), .author, { $0.author }, { $0.author = $1 })
    case .published: date({ $0.published }, { $0.published = $1 })
    case .updated: date({ $0.updated }, { $0.updated = $1 })
    case .priority:
      Row(
        field: self, type: .number, assumed: .number(Priority.normal.rawValue),
        read: { .number($0.priority.rawValue) },
        write: { if case .number(let level)? = $1 { $0.priority = Priority(level) } })
    case .tags:
      Row(
        field: self, type: .texts,
        size: (.list(count: Limits.tags, characters: Limits.nameCharacters), .tags),
        assumed: .texts([]), read: { .texts($0.tags) },
        write: { if case .texts(let tags)? = $1 { $0.tags = tags } })
    case .channel: text(.characters(Limits.nameCharacters), .channel, { $0.channel }, { $0.channel = $1 })
    case .language:
      text(.characters(Limits.nameCharacters), .language, { $0.language }, { $0.language = $1 })
    case .visibleFrom: date({ $0.visibleFrom }, { $0.visibleFrom = $1 })
    case .expires: date({ $0.expires }, { $0.expires = $1 })
    case .isDismissable:
      Row(
        field: self, type: .flag, assumed: .flag(true), read: { .flag($0.isDismissable) },
        write: { if case .flag(let isDismissable)? = $1 { $0.isDismissable = isDismissable } })
    case .rank:
      Row(
        field: self, type: .number, assumed: .number(Rank.normal.rawValue),
        read: { .number($0.rank.rawValue) },
        write: { if case .number(let rank)? = $1 { $0.rank = Rank(rawValue: rank) ?? .normal } })
    }
  }

  private func text(
    _ size: Size, _ part: MessagePart, _ get: @escaping @Sendable (IncomingMessage) -> String?,
    _ set: @escaping @Sendable (inout IncomingMessage, String?) -> Void, assumed: Value? = nil
  ) -> Row {
    Row(field: self, type: .text, size: (size, part), assumed: assumed, read: { get($0).map(Value.text) }) {
      message, value in
      switch value {
      case .text(let text)?: set(&message, text)
      case nil: set(&message, nil)
      default: break
      }
    }
  }

  private func date(
    _ get: @escaping @Sendable (IncomingMessage) -> Date?,
    _ set: @escaping @Sendable (inout IncomingMessage, Date?) -> Void
  ) -> Row {
    Row(field: self, type: .date, read: { get($0).map(Value.date) }) { message, value in
      switch value {
      case .date(let date)?: set(&message, date)
      case nil: set(&message, nil)
      default: break
      }
    }
  }
}
