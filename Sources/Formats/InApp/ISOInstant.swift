package import Foundation

/// Instants as JSON writes them: `2016-08-29T02:40:33+0530` (ISO 8601, RFC 3339).
package enum ISOInstant {
  /// An instant, and whether it said how far from UTC it was; without that it is taken for UTC.
  package struct Reading: Hashable, Sendable {
    package var date: Date
    package var hasOffset: Bool
  }

  /// Date, `T` or a space, hours and minutes, optional seconds with a fraction, and an offset (`Z`, `+05:30`,
  /// `+0530`, `+05`) or none; a date alone is its midnight. Nil for anything else, 30 February and 24:00
  /// included.
  package static func read(_ text: String) -> Reading? {
    var text = text
    return text.withUTF8 { bytes in
      var scanner = Scanner(bytes: bytes)
      // Four digits cannot write what an offset moves out of the years 0 to 9999.
      return scanner.instant().flatMap { writable.contains($0.date.timeIntervalSince1970) ? $0 : nil }
    }
  }

  private static let writable =
    Double(day(year: 0, month: 1, day: 1)) * 86_400..<Double(day(year: 10_000, month: 1, day: 1)) * 86_400

  package static func parse(_ text: String) -> Date? { read(text)?.date }

  /// In UTC with `Z`; milliseconds where there are any.
  package static func text(_ date: Date) -> String {
    let milliseconds = Int64((date.timeIntervalSince1970 * 1000).rounded())
    let (day, time) = milliseconds.flooredDivision(by: 86_400_000)
    let (year, month, dayOfMonth) = civil(day: Int(day))
    let seconds = Int(time / 1000)
    let fraction = Int(time % 1000)
    return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(dayOfMonth, 2) + "T"
      + padded(seconds / 3600, 2) + ":" + padded(seconds / 60 % 60, 2) + ":" + padded(seconds % 60, 2)
      + (fraction == 0 ? "Z" : "." + padded(fraction, 3) + "Z")
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number.magnitude)
    return (number < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  /// Days since 1970-01-01 in the Gregorian calendar (Howard Hinnant, chrono-compatible date algorithms).
  static func day(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func civil(day: Int) -> (year: Int, month: Int, day: Int) {
    let (era, dayOfEra) = Int64(day + 719_468).flooredDivision(by: 146_097)
    let ofEra = Int(dayOfEra)
    let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let dayOfYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let year = yearOfEra + Int(era) * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shifted + 2) / 5 + 1)
  }

  static func daysIn(month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private struct Scanner {
    let bytes: UnsafeBufferPointer<UInt8>
    var place = 0

    mutating func instant() -> Reading? {
      guard let year = number(4), take("-"), let month = number(2), take("-"), let day = number(2),
        (1...12).contains(month), (1...daysIn(month: month, year: year)).contains(day)
      else { return nil }
      let midnight = Double(ISOInstant.day(year: year, month: month, day: day)) * 86_400
      if place == bytes.count {
        return Reading(date: Date(timeIntervalSince1970: midnight), hasOffset: false)
      }
      guard take("T") || take("t") || take(" "), let hour = number(2), take(":"), let minute = number(2),
        hour < 24, minute < 60
      else { return nil }
      var seconds = midnight + Double(hour * 3600 + minute * 60)
      if take(":") {
        // 60 is a leap second: the first of the next minute, as POSIX counts.
        guard let second = number(2), second <= 60 else { return nil }
        seconds += Double(second)
        if take(".") || take(",") {
          guard let fraction = fraction() else { return nil }
          seconds += fraction
        }
      }
      if take(" ") {}
      guard place < bytes.count else {
        return Reading(date: Date(timeIntervalSince1970: seconds), hasOffset: false)
      }
      guard let offset = offset(), place == bytes.count else { return nil }
      return Reading(date: Date(timeIntervalSince1970: seconds - Double(offset)), hasOffset: true)
    }

    private mutating func offset() -> Int? {
      if take("Z") || take("z") { return 0 }
      let sign: Int
      if take("+") { sign = 1 } else if take("-") { sign = -1 } else { return nil }
      guard let hours = number(2), hours < 24 else { return nil }
      var minutes = 0
      if take(":") || place < bytes.count {
        guard let read = number(2), read < 60 else { return nil }
        minutes = read
      }
      return sign * (hours * 3600 + minutes * 60)
    }

    private mutating func number(_ digits: Int) -> Int? {
      guard place + digits <= bytes.count else { return nil }
      var number = 0
      for offset in 0..<digits {
        guard isDigit(bytes[place + offset]) else { return nil }
        number = number * 10 + Int(bytes[place + offset] - UInt8(ascii: "0"))
      }
      place += digits
      return number
    }

    private mutating func fraction() -> Double? {
      var value = 0.0
      var unit = 0.1
      let start = place
      while place < bytes.count, isDigit(bytes[place]) {
        value += Double(bytes[place] - UInt8(ascii: "0")) * unit
        unit /= 10
        place += 1
      }
      return place > start ? value : nil
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
      guard place < bytes.count, bytes[place] == UInt8(ascii: scalar) else { return false }
      place += 1
      return true
    }
  }
}

extension Int64 {
  /// Quotient and remainder with the remainder never negative.
  fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let remainder = (self % divisor + divisor) % divisor
    return ((self - remainder) / divisor, remainder)
  }
}
