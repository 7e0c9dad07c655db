package import Foundation

/// The three spellings of a date in HTTP headers (RFC 9110 section 5.6.7).
package enum HTTPDate {
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or `Sun Nov  6 08:49:37 1994`; nil for
  /// anything else. A year of two digits is the nearest that is not more than 50 years after `now`.
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
    let parts = time.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let hour = number(parts[0], 0...23), let minute = number(parts[1], 0...59),
      let second = number(parts[2], 0...60)
    else { return nil }
    guard day <= daysIn(month: month + 1, year: year) else { return nil }
    let seconds = days(year, month + 1, day) * 86_400 + hour * 3600 + minute * 60 + second
    return Date(timeIntervalSince1970: Double(seconds))
  }

  private static func number(_ text: Substring, _ range: ClosedRange<Int>) -> Int? {
    guard text.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) else { return nil }
    return Int(text).flatMap { range.contains($0) ? $0 : nil }
  }

  private static func fullYear(_ text: Substring, now: Date) -> Int? {
    guard text.utf8.count == 2 else { return text.utf8.count == 4 ? number(text, 1...9999) : nil }
    guard let short = number(text, 0...99) else { return nil }
    let thisYear = 1970 + Int(now.timeIntervalSince1970 / 31_556_952)
    let guess = thisYear - thisYear % 100 + short
    return guess > thisYear + 50 ? guess - 100 : guess
  }

  private static func daysIn(month: Int, year: Int) -> Int {
    days(month == 12 ? year + 1 : year, month == 12 ? 1 : month + 1, 1) - days(year, month, 1)
  }

  /// Days since 1970-01-01 (Howard Hinnant, chrono-compatible date algorithms).
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let ofEra = year - era * 400
    let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
  }
}
