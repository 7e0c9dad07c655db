package import Foundation

/// A date as clocks and calendars on the wall show it (proleptic Gregorian), by arithmetic alone:
/// a list has a time in every row, and a `DateFormatter` costs more than the row.
package struct CivilTime: Hashable, Sendable {
  package var year: Int
  package var month: Int
  package var day: Int
  package var hour: Int
  package var minute: Int
  package var second: Int
  /// Days since 1 January 1970, a Thursday.
  package var dayNumber: Int

  /// 1 Monday to 7 Sunday.
  package var weekday: Int { ((dayNumber + 3) % 7 + 7) % 7 + 1 }

  /// Dates beyond the years 1 to 9999 are moved to the nearest of them.
  package init(_ date: Date, in zone: TimeZone) {
    let seconds = date.timeIntervalSince1970
    let known = seconds.isFinite ? min(max(seconds, -62_135_510_400), 253_402_214_400) : 0
    let local = Int(known.rounded(.down)) + zone.secondsFromGMT(for: Date(timeIntervalSince1970: known))
    dayNumber = Self.floor(local, 86400)
    let rest = local - dayNumber * 86400
    (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60)
    // Howard Hinnant's civil_from_days: eras of 400 years that begin in March.
    let shifted = dayNumber + 719_468
    let era = Self.floor(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  private static func floor(_ a: Int, _ b: Int) -> Int { a >= 0 ? a / b : (a - b + 1) / b }

  /// `09:05`
  package var clock: String { Self.twoDigits(hour) + ":" + Self.twoDigits(minute) }

  /// `09:05:07`
  package var clockWithSeconds: String { clock + ":" + Self.twoDigits(second) }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
