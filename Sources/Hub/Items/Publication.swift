import Basics
import Formats
package import Foundation
import Messages

/// One item as the hub stores it (page "Hub").
package struct Publication: Hashable, Sendable {
  /// Which time an item without one gets when it is stored.
  package enum OwnTime: Int, Sendable {
    /// None: it has its own, or its shape has no such key.
    case none = 0
    /// That of its first publication.
    case first = 1
    /// That of each change: it is news.
    case each = 2
  }

  /// The publisher's, 1 to 200 bytes; nil: the hub makes one of the first id.
  package var key: String?
  /// A JSON object without `id` and `key`, in the publisher's order, numbers as written.
  package var body: String
  /// From when it isn't valid any more.
  package var expires: Date?
  /// From when it is in the feed; nil: now.
  package var notBefore: Date?
  package var ownTime: OwnTime
  /// Of deliveries of a webhook; nil: it replaces what is there.
  package var succession: Succession?

  package init(key: String?, body: String, expires: Date?, notBefore: Date? = nil, ownTime: OwnTime = .none) {
    self.key = key
    self.body = body
    self.expires = expires
    self.notBefore = notBefore
    self.ownTime = ownTime
  }

  /// SHA-256 of the body, 32 bytes: equal items have equal ones.
  package var hash: [UInt8] { SHA256.digest(body) }

  /// The body with the time that it gets.
  ///
  /// - Parameters:
  ///   - first: when its key was published first.
  ///   - now: when this is stored.
  package func body(first: Date, now: Date) -> String {
    switch ownTime {
    case .none: body
    case .first: Self.adding("time", ISOInstant.text(first), to: body)
    case .each: Self.adding("time", ISOInstant.text(now), to: body)
    }
  }

  private static func adding(_ key: String, _ value: String, to body: String) -> String {
    let start = body.dropLast()
    return "\(start)\(start == "{" ? "" : ",")\"\(key)\":\"\(value)\"}"
  }

  /// What is sent of a stored item: its body with id and key in front.
  package static func sent(id: Int64, key: String, body: String) -> String {
    let rest = body.dropFirst()
    return "{\"id\":\(id),\"key\":\(JSONValue.string(key).serialized())\(rest == "}" ? "" : ",")\(rest)"
  }

  /// The body of an item that is over at once.
  package static func withdrawn(body: String, at now: Date) -> String {
    let end = JSONValue.string(ISOInstant.text(now))
    // It is JSON of ours; of anything else only the end would be left.
    guard var object = try? JSONReader.parse(body).object else { return "{\"expires\":\(end.serialized())}" }
    var problems: [FormatProblem] = []
    var numbered = object
    numbered["id"] = .integer(1)
    let item = NativeItemReader.read(numbered, problems: &problems) { _ in }
    switch item?.withoutMarks {
    case .inApp?:
      object["relativetime"] = nil
      object["relative"] = nil
      object["epoch"] = end
      object["expiry"] = .integer(0)
      object["expires"] = nil
    case .apns?: object = JSONObject([.init(key: "expires", value: end)])
    default: object["expires"] = end
    }
    return JSONValue.object(object).serialized()
  }
}

extension NativeItem {
  /// The item as it is without what only a hub says of it.
  var withoutMarks: NativeItem {
    if case .published(_, let item) = self { item } else { self }
  }
}
