import Basics
package import Foundation

/// A date of a feed, and whether it has a time of day.
package struct FeedDate: Hashable, Sendable {
  package let date: Date
  /// Whether the text has no time of day, or midnight in its zone; then `date` is the beginning of that day.
  package let isDay: Bool

  /// Parses RFC 822 and its common errors, W3CDTF, ISO 8601 fragments and ordinal dates, two-digit years, named zones,
  /// month names of many languages, and Unix seconds. Returns `nil` if the text isn't a date. Without a zone it is in
  /// UTC, without a time it is midnight.
  package static func parse(_ text: String) -> FeedDate? {
    // Some programs write the first years if they have no date.
    guard text.utf8.count >= 4, let written = WrittenDate(text, .feed), let date = written.instant,
      !ISOInstant.isNone(date)
    else { return nil }
    return FeedDate(date: date, isDay: written.isDay)
  }
}
