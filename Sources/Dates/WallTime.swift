package import Foundation

/// A date and time of day as a clock and a calendar on the wall show them (proleptic Gregorian), without a zone.
///
/// By arithmetic alone: a list has a time in every row, and a `DateFormatter` costs more than the row.
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

  /// - Parameter seconds: since 1970-01-01T00:00, by the same wall.
  package init(seconds: Int) {
    dayNumber = seconds.dividedDown(by: 86_400)
    second = seconds - dayNumber * 86_400
  }

  /// What the wall shows at an instant. One beyond the years 1 to 9999 is moved to the nearest of them, and what isn't a
  /// number to 1970.
  package init(_ instant: Date, in zone: TimeZone) { self = ZoneClock(zone).wall(at: instant) }

  package static func < (a: Self, b: Self) -> Bool { (a.dayNumber, a.second) < (b.dayNumber, b.second) }

  package var date: CivilDate { CivilDate(dayNumber: dayNumber) }

  /// 1 Monday to 7 Sunday. 1970-01-01 was a Thursday.
  package var weekday: Int { ((dayNumber + 3) % 7 + 7) % 7 + 1 }

  /// 0 to 23.
  package var hour: Int { second / 3600 }

  /// `09:05`
  package var clock: String { "\(hour.padded(to: 2)):\((second / 60 % 60).padded(to: 2))" }

  /// `09:05:07`
  package var clockWithSeconds: String { "\(clock):\((second % 60).padded(to: 2))" }

  /// Seconds since 1970 as if the wall stood at UTC.
  package var secondsAtUTC: Int { dayNumber * 86_400 + second }
}
