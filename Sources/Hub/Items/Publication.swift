import Basics
import Formats
package import Foundation
import Messages

/// One item as the hub stores it (page "Hub").
package struct Publication: Hashable, Sendable {
  /// The time that the hub adds to an item without one.
  package enum OwnTime: Int, Sendable {
    /// The hub adds no time: the item has its own, or is of a kind without the key `time`.
    case none = 0
    /// The time at which the item's key was first published.
    case first = 1
    /// The time of the item's last change, so that each change makes it unread again.
    case each = 2
  }

  /// The publisher's key, with 1 to 200 bytes, or `nil` if the hub derives one from the first id.
  package var key: String?
  /// A JSON object without `id` and `key`, in the publisher's order, with numbers as written.
  package var body: String
  /// The end of its validity.
  package var expires: Date?
  /// The time from which it is in the feed, or `nil` for now.
  package var notBefore: Date?
  package var ownTime: OwnTime
  /// The rule that decides whether an item of a webhook replaces the stored item with the same key, or marks
  /// it as done; `nil` if the item always replaces the stored one.
  package var succession: Succession?

  package init(key: String?, body: String, expires: Date?, notBefore: Date? = nil, ownTime: OwnTime = .none) {
    self.key = key
    self.body = body
    self.expires = expires
    self.notBefore = notBefore
    self.ownTime = ownTime
  }

  /// SHA-256 of the body, 32 bytes: equal items have the same hash.
  package var hash: [UInt8] { SHA256.digest(body) }

  /// Returns the body with the time that the hub adds, according to `ownTime`.
  ///
  /// - Parameters:
  ///   - first: the time when its key was first published.
  ///   - now: the time when this is stored.
  package func body(first: Date, now: Date) -> String {
    switch ownTime {
    case .none: body
    case .first: Self.adding("time", ISOInstant.text(first), to: body)
    case .each: Self.adding("time", ISOInstant.text(now), to: body)
    }
  }

  /// Returns a JSON object with another string member at its end.
  private static func adding(_ key: String, _ value: String, to body: String) -> String {
    let start = body.dropLast()
    return "\(start)\(start == "{" ? "" : ",")\"\(key)\":\"\(value)\"}"
  }

  /// Returns a stored item as it is sent: its body with id and key in front.
  package static func sent(id: Int64, key: String, body: String) -> String {
    let rest = body.dropFirst()
    return "{\"id\":\(id),\"key\":\(JSONValue.string(key).serialized())\(rest == "}" ? "" : ",")\(rest)"
  }

  /// Returns the body of an item that ends immediately.
  package static func withdrawn(body: String, at now: Date) -> String {
    let end = JSONValue.string(ISOInstant.text(now))
    // The body is JSON that we wrote; of anything else only the end would be kept.
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
  /// The item without the keys that only a hub adds.
  var withoutMarks: NativeItem {
    if case .published(_, let item) = self { item } else { self }
  }
}
