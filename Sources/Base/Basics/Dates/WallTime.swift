package import Foundation

/// A local date and time of day (proleptic Gregorian), without a zone.
///
/// It is computed without a `DateFormatter`, which would take longer than everything else in a row of a list.
package struct WallTime: Hashable, Comparable, Sendable {
  /// Days since 1970-01-01.
  package var dayNumber: Int
  /// Seconds since midnight, 0 to 86,399.
  package var second: Int

  package init(dayNumber: Int, second: Int) {
    self.dayNumber = dayNumber
    self.second = second
  }

  package init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int = 0) {
    self.dayNumber = CivilDate(year: year, month: month, day: day).dayNumber
    self.second = hour * 3600 + minute * 60 + second
  }

  /// - Parameter seconds: seconds since 1970-01-01T00:00 in local time.
  package init(seconds: Int) {
    dayNumber = seconds.dividedDown(by: 86_400)
    second = seconds - dayNumber * 86_400
  }

  /// Creates the local time at an instant. An instant outside the years 1 to 9999 becomes the nearest one inside, and
  /// NaN becomes 1970.
  package init(_ instant: Date, in clock: ZoneClock) { self = clock.wall(at: instant) }

  package static func < (a: Self, b: Self) -> Bool { (a.dayNumber, a.second) < (b.dayNumber, b.second) }

  package var date: CivilDate { CivilDate(dayNumber: dayNumber) }

  /// The weekday, from 1 for Monday to 7 for Sunday. 1970-01-01 was a Thursday.
  package var weekday: Int { ((dayNumber + 3) % 7 + 7) % 7 + 1 }

  /// The hour, from 0 to 23.
  package var hour: Int { second / 3600 }

  /// The time of day as `09:05`.
  package var clock: String { "\(hour.padded(to: 2)):\((second / 60 % 60).padded(to: 2))" }

  /// The time of day as `09:05:07`.
  package var clockWithSeconds: String { "\(clock):\((second % 60).padded(to: 2))" }

  /// Returns the date and time as `2026-11-20 09:05`, for the text output of commands.
  ///
  /// It is never shortened, so that it sorts, lines up in columns, and still means the same when it is quoted next
  /// week.
  package func text(seconds: Bool = false) -> String { "\(date.text) \(seconds ? clockWithSeconds : clock)" }

  /// The seconds since 1970 if this were a time in UTC.
  package var secondsAtUTC: Int { dayNumber * 86_400 + second }
}
