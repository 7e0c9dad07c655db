import Basics
import Foundation

/// Reads the header fields of a request that describe a message, under the names that ntfy uses.
package enum MessageFields {
  /// The query item for each field, whose name is in lower case, without `x-`.
  private static let names = [
    "title": "title", "priority": "priority", "tags": "tags", "key": "key", "sequence-id": "key",
    "click": "url",
    "channel": "channel", "group": "group", "expires": "expires", "delay": "not_before", "at": "not_before",
    "in": "not_before", "news": "news", "done": "done",
  ]

  /// Returns the items of a query with the same meaning, in the order of the fields. Text that isn't ASCII may be
  /// encoded (RFC 2047).
  ///
  /// - Parameter fields: the fields of a request; others are left out.
  package static func items(_ fields: [(name: String, value: String)]) -> [(name: String, value: String)] {
    fields.compactMap { field in
      let name = field.name.lowercased()
      let bare = name.hasPrefix("x-") ? String(name.dropFirst(2)) : name
      guard let item = names[bare], !(name == "priority" && isOfTransfer(field.value)) else { return nil }
      return (item, EncodedWords.decoded(field.value).trimmingCharacters(in: .whitespaces))
    }
  }

  /// Whether a value of Priority concerns the transfer of the request (RFC 9218): `u=1, i`.
  static func isOfTransfer(_ value: String) -> Bool {
    let parts = value.split(onBytes: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    return !parts.isEmpty && parts.allSatisfy { $0 == "i" || $0.hasPrefix("u=") || $0.hasPrefix("i=") }
  }

  /// Returns the priority from 1 to 5, also from ntfy's word for it, or `nil` for other text.
  static func priority(_ text: String) -> Int? {
    let words = ["min": 1, "low": 2, "default": 3, "high": 4, "max": 5, "urgent": 5]
    let priority = words[text.lowercased()] ?? Int(text)
    return priority.flatMap { (1...5).contains($0) ? $0 : nil }
  }

  /// Returns the tags in text with commas.
  static func tags(_ text: String) -> [String] {
    text.split(onBytes: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }
}
