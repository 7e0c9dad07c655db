package import Foundation
import Limits

/// The three formats of a date in HTTP headers (RFC 9110 section 5.6.7).
package enum HTTPDate {
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or `Sun Nov  6 08:49:37 1994`; nil for
  /// anything else. A two-digit year is the latest that is at most 50 years after `now`.
  package static func parse(_ text: String, now: Date) -> Date? {
    guard text.utf8.count <= 64 else { return nil }
    var words = text.lowercased().split { " ,-".contains($0) }
    guard words.count >= 5 else { return nil }
    words.removeFirst()
    let day: Substring
    let month: Substring
    let year: Substring
    let time: Substring
    if words[0].first?.isNumber == true {
      (day, month, year, time) = (words[0], words[1], words[2], words[3])
    } else {
      (month, day, time, year) = (words[0], words[1], words[2], words[3])
    }
    guard let month = months.firstIndex(of: String(month)), let day = number(day, 1...31),
      let year = fullYear(year, now: now)
    else { return nil }
    let parts = time.split(exactly: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let hour = number(parts[0], 0...23), let minute = number(parts[1], 0...59),
      let second = number(parts[2], 0...60)
    else { return nil }
    let date = CivilDate(year: year, month: month + 1, day: day)
    guard date.isInCalendar else { return nil }
    let seconds = date.dayNumber * 86_400 + hour * 3600 + minute * 60 + second
    return Date(timeIntervalSince1970: Double(seconds))
  }

  /// `Sun, 06 Nov 1994 08:49:37 GMT`, in whole seconds. An instant before 1970 or after the year 9999 is written as the nearest
  /// one inside.
  package static func text(_ date: Date) -> String {
    let time = WallTime(seconds: Int(min(max(0, date.timeIntervalSince1970), 253_402_300_799)))
    let weekday = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][time.weekday - 1]
    let day = "\(time.date.day.padded(to: 2)) \(months[time.date.month - 1].capitalized) \(time.date.year)"
    return "\(weekday), \(day) \(time.clockWithSeconds) GMT"
  }

  private static func number(_ text: Substring, _ range: ClosedRange<Int>) -> Int? {
    guard text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
    return Int(text).flatMap { range.contains($0) ? $0 : nil }
  }

  private static func fullYear(_ text: Substring, now: Date) -> Int? {
    guard text.utf8.count == 2 else { return text.utf8.count == 4 ? number(text, 1...9999) : nil }
    guard let short = number(text, 0...99) else { return nil }
    let thisYear = 1970 + Int(now.timeIntervalSince1970 / 31_556_952)
    let guess = thisYear - thisYear % 100 + short
    return guess > thisYear + 50 ? guess - 100 : guess
  }
}
