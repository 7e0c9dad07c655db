package import Foundation

/// The three formats of a date in HTTP headers (RFC 9110 section 5.6.7).
package enum HTTPDate {
  /// Parses `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or `Sun Nov  6 08:49:37 1994`, or returns
  /// `nil`. A two-digit year is the latest that is at most 50 years after `now`.
  package static func parse(_ text: String, now: Date) -> Date? {
    guard text.utf8.first?.isASCIILetter == true, var written = WrittenDate(text, .http),
      written.clockParts == 3, written.year > 0
    else { return nil }
    switch written.yearDigits {
    case 2: written.year = fullYear(written.year % 100, now: now)
    case 4: break
    case _: return nil
    }
    return written.date.isInCalendar ? written.instant : nil
  }

  /// Returns the date as `Sun, 06 Nov 1994 08:49:37 GMT`, in whole seconds. An instant before 1970 or after
  /// the year 9999 is written as the nearest instant in that range.
  package static func text(_ date: Date) -> String {
    let time = WallTime(seconds: Int(min(max(0, date.timeIntervalSince1970), 253_402_300_799)))
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let weekday = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][time.weekday - 1]
    let day = "\(time.date.day.padded(to: 2)) \(months[time.date.month - 1]) \(time.date.year)"
    return "\(weekday), \(day) \(time.clockWithSeconds) GMT"
  }

  /// Returns the latest year with these last two digits that is at most 50 years after `now`.
  private static func fullYear(_ short: Int, now: Date) -> Int {
    let thisYear = 1970 + Int(now.timeIntervalSince1970 / 31_556_952)
    let guess = thisYear - thisYear % 100 + short
    return guess > thisYear + 50 ? guess - 100 : guess
  }
}
