package import Foundation

/// Instants in ISO 8601 and RFC 3339: `2016-08-29T02:40:33+0530`.
package enum ISOInstant {
  /// An instant, and whether it was written with an offset; without one it is read as UTC.
  package struct Reading: Hashable, Sendable {
    package var date: Date
    package var hasOffset: Bool
  }

  /// Reads a date, `T` or a space, hours and minutes, optional seconds with a fraction, and an optional offset (`Z`,
  /// `+05:30`, `+0530`, `+05`); a date alone is its midnight. Returns `nil` for anything else, also for 30 February and
  /// 24:00.
  package static func read(_ text: String) -> Reading? {
    guard let written = WrittenDate(text, .instant), let date = written.instant else { return nil }
    return Reading(date: date, hasOffset: written.offset != nil)
  }

  /// The years 0 to 9999, which four digits can represent, in seconds since 1970.
  static let writable =
    Double(CivilDate(year: 0, month: 1, day: 1).dayNumber) * 86_400..<Double(
      CivilDate(year: 10_000, month: 1, day: 1).dayNumber) * 86_400

  /// Returns the instant that `read` reads, whether it has an offset or not.
  package static func parse(_ text: String) -> Date? { read(text)?.date }

  /// Whether an instant is in the year 1 or before: Go and .NET write `0001-01-01T00:00:00Z` for a missing date.
  package static func isNone(_ date: Date) -> Bool { date.timeIntervalSince1970 < firstYears }

  /// The start of the year 2, in seconds since 1970.
  private static let firstYears = Double(CivilDate(year: 2, month: 1, day: 1).dayNumber) * 86_400

  /// Returns the instant in UTC with `Z`, and with milliseconds if they are not 0. An instant outside the years 0 to
  /// 9999 is written as the nearest one inside, and NaN as 1970.
  package static func text(_ date: Date) -> String {
    let known = date.timeIntervalSince1970.isNaN ? 0 : date.timeIntervalSince1970
    let limits = (writable.lowerBound * 1000, writable.upperBound * 1000 - 1)
    let milliseconds = Int(min(max((known * 1000).rounded(), limits.0), limits.1))
    let seconds = milliseconds.dividedDown(by: 1000)
    let fraction = milliseconds - seconds * 1000
    let time = WallTime(seconds: seconds)
    return "\(time.date.text)T\(time.clockWithSeconds)"
      + (fraction == 0 ? "Z" : ".\(fraction.padded(to: 3))Z")
  }
}
