import Dates
import Foundation

/// A date with a time and an offset as a feed has them. Unlike in `CivilDate` and `WallTime`, days, hours,
/// minutes and seconds may be out of range, as they are in feeds: 31 June is 1 July, which feedparser's
/// published cases expect.
struct WrittenTime {
  var year: Int
  var month = 1
  var day = 1
  var hour = 0
  var minute = 0
  var second = 0
  var fraction = 0.0
  /// Seconds east of UTC.
  var offset = 0
  /// Whether only the day is known, or `nil` if the time of day shows it.
  var isKnownDay: Bool?

  /// Whether no time of day was written, or midnight. Programs that know no time of day write 24:00 too.
  var isDay: Bool {
    isKnownDay ?? ((hour == 0 || hour == 24) && minute == 0 && second == 0 && fraction == 0)
  }

  /// nil for month 13, day 32, and the years that programs write if they have no date; also if the offset moves it
  /// before the year 2, or past the year 9999, which needs more than four digits.
  var date: Date? {
    guard (2...9999).contains(year), (1...12).contains(month), (1...31).contains(day),
      (0...99).contains(hour),
      (0...99).contains(minute), (0...99).contains(second)
    else { return nil }
    let days = CivilDate(year: year, month: month, day: day).dayNumber
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
    guard Self.writable.contains(seconds) else { return nil }
    return Date(timeIntervalSince1970: Double(seconds) + fraction)
  }

  private static let writable =
    CivilDate(year: 2, month: 1, day: 1).dayNumber * 86_400..<CivilDate(year: 10_000, month: 1, day: 1)
    .dayNumber
    * 86_400

  /// A two-digit year below 90 is after 2000: there were no feeds before 1990.
  static func fullYear(_ value: Int, digits: Int) -> Int {
    switch digits {
    case ...2: value < 90 ? 2000 + value : 1900 + value
    case 3: 1900 + value
    default: value
    }
  }
}

extension WrittenTime {
  init(_ date: CivilDate) { self.init(year: date.year, month: date.month, day: date.day) }
}
