import Dates
import Formats
import Foundation

/// Times as senders write them.
enum HookTime {
  /// ISO 8601, also with ` UTC` behind it; nil for another text, and for Go's zero time.
  static func parse(_ text: String?) -> Date? {
    guard var text else { return nil }
    if text.hasSuffix(" UTC") { text = String(text.dropLast(4)) + "Z" }
    // 2026-11-20 10:00:00 +0100
    if let place = text.lastIndex(of: " "), let sign = text[place...].dropFirst().first, "+-".contains(sign) {
      text.remove(at: place)
    }
    guard let date = ISOInstant.parse(text), date.timeIntervalSince1970 > 0 else { return nil }
    return date
  }

  /// Whether a value is a time, or Go's zero time.
  static func isReadable(_ value: JSONValue) -> Bool {
    guard let text = value.text else { return false }
    return parse(text) != nil || ISOInstant.parse(text) != nil
  }

  /// As an item says it.
  static func text(_ date: Date?) -> String? { date.map { ISOInstant.text($0) } }
}
