import Foundation

/// A date of the proleptic Gregorian calendar with a time and an offset, as found in a text. Days, hours,
/// minutes and seconds may run over, as they do in feeds: 31 June is 1 July.
struct CivilTime {
  var year: Int
  var month = 1
  var day = 1
  var hour = 0
  var minute = 0
  var second = 0
  var fraction = 0.0
  /// Seconds east of UTC.
  var offset = 0

  /// Nil for what no calendar has: month 13, day 32, and the years of "no date" in programs that must have one; also for
  /// moments that an offset moves before the year 2, or past the year 9999, which four digits cannot write.
  var date: Date? {
    guard (2...9999).contains(year), (1...12).contains(month), (1...31).contains(day),
      (0...99).contains(hour),
      (0...99).contains(minute), (0...99).contains(second)
    else { return nil }
    let seconds = Self.days(year, month, day) * 86400 + hour * 3600 + minute * 60 + second - offset
    guard (Self.days(2, 1, 1) * 86400..<Self.days(10_000, 1, 1) * 86400).contains(seconds) else { return nil }
    return Date(timeIntervalSince1970: Double(seconds) + fraction)
  }

  /// Days since 1970-01-01, by eras of 400 years that begin in March.
  static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let y = month <= 2 ? year - 1 : year
    let era = (y >= 0 ? y : y - 399) / 400
    let yearOfEra = y - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719468
  }

  /// The inverse of `days`.
  static func civil(days: Int) -> (year: Int, month: Int, day: Int) {
    let z = days + 719468
    let era = (z >= 0 ? z : z - 146096) / 146097
    let dayOfEra = z - era * 146097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let mp = (5 * dayOfYear + 2) / 153
    let month = mp < 10 ? mp + 3 : mp - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * mp + 2) / 5 + 1)
  }

  /// A year of two digits: feeds are younger than 1990.
  static func fullYear(_ value: Int, digits: Int) -> Int {
    switch digits {
    case ...2: value < 90 ? 2000 + value : 1900 + value
    case 3: 1900 + value
    default: value
    }
  }
}
