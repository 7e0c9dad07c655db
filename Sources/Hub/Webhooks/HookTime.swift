import Basics
import Formats
import Foundation

/// Reads times as senders write them.
enum HookTime {
  /// Reads a date and time, in UTC if no zone is written. Returns `nil` for other strings, and for the first years,
  /// which Go and .NET write for no time.
  static func parse(_ text: String?) -> Date? {
    guard let date = text.flatMap(read), date.timeIntervalSince1970 > 0 else { return nil }
    return date
  }

  /// Whether a value is a time. One of the first years, which means no time, is accepted too.
  static func isReadable(_ value: JSONValue) -> Bool { value.text.flatMap(read) != nil }

  private static func read(_ text: String) -> Date? { WrittenDate(text, .delivery)?.instant }

  /// Returns the time in the form of an item.
  static func text(_ date: Date?) -> String? { date.map { ISOInstant.text($0) } }
}
