package import Foundation
import Limits

/// Instants in ISO 8601 and RFC 3339: `2016-08-29T02:40:33+0530`.
package enum ISOInstant {
  /// An instant, and whether it was written with an offset; without one it is read as UTC.
  package struct Reading: Hashable, Sendable {
    package var date: Date
    package var hasOffset: Bool
  }

  /// Date, `T` or a space, hours and minutes, optional seconds with a fraction, and an offset (`Z`, `+05:30`,
  /// `+0530`, `+05`) or none; a date alone is its midnight. nil for anything else, also for 30 February and
  /// 24:00.
  package static func read(_ text: String) -> Reading? {
    var text = text
    return text.withUTF8 { bytes in
      var scanner = Scanner(bytes: bytes)
      // An offset may move it out of the years 0 to 9999, which four digits can represent.
      return scanner.instant().flatMap { writable.contains($0.date.timeIntervalSince1970) ? $0 : nil }
    }
  }

  private static let writable =
    Double(CivilDate(year: 0, month: 1, day: 1).dayNumber) * 86_400..<Double(
      CivilDate(year: 10_000, month: 1, day: 1).dayNumber) * 86_400

  package static func parse(_ text: String) -> Date? { read(text)?.date }

  /// Whether an instant is in the year 1 or before: Go and .NET write `0001-01-01T00:00:00Z` for none.
  package static func isNone(_ date: Date) -> Bool { date.timeIntervalSince1970 < firstYears }

  private static let firstYears = Double(CivilDate(year: 2, month: 1, day: 1).dayNumber) * 86_400

  /// In UTC with `Z`; with milliseconds if they are not 0. An instant outside the years 0 to 9999 is written as the
  /// nearest one inside, and NaN as 1970.
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

  private struct Scanner {
    let bytes: UnsafeBufferPointer<UInt8>
    var place = 0

    mutating func instant() -> Reading? {
      guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2)
      else { return nil }
      let date = CivilDate(year: year, month: month, day: day)
      guard date.isInCalendar else { return nil }
      let midnight = Double(date.dayNumber) * 86_400
      if place == bytes.count {
        return Reading(date: Date(timeIntervalSince1970: midnight), hasOffset: false)
      }
      guard skip("T") || skip("t") || skip(" "), let hour = number(2), skip(":"), let minute = number(2),
        hour < 24, minute < 60
      else { return nil }
      var seconds = midnight + Double(hour * 3600 + minute * 60)
      if skip(":") {
        // 60 is a leap second: as in POSIX, the first second of the next minute.
        guard let second = number(2), second <= 60 else { return nil }
        seconds += Double(second)
        if skip(".") || skip(",") {
          guard let fraction = fraction() else { return nil }
          seconds += fraction
        }
      }
      if skip(" ") {}
      guard place < bytes.count else {
        return Reading(date: Date(timeIntervalSince1970: seconds), hasOffset: false)
      }
      guard let offset = offset(), place == bytes.count else { return nil }
      return Reading(date: Date(timeIntervalSince1970: seconds - Double(offset)), hasOffset: true)
    }

    private mutating func offset() -> Int? {
      if skip("Z") || skip("z") { return 0 }
      let sign: Int
      if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
      guard let hours = number(2), hours < 24 else { return nil }
      var minutes = 0
      if skip(":") || place < bytes.count {
        guard let read = number(2), read < 60 else { return nil }
        minutes = read
      }
      return sign * (hours * 3600 + minutes * 60)
    }

    private mutating func number(_ digits: Int) -> Int? {
      guard place + digits <= bytes.count else { return nil }
      var number = 0
      for offset in 0..<digits {
        guard bytes[place + offset].isASCIIDigit else { return nil }
        number = number * 10 + Int(bytes[place + offset] - UInt8(ascii: "0"))
      }
      place += digits
      return number
    }

    /// At most 18 digits count, so that the number cannot overflow.
    private mutating func fraction() -> Double? {
      let start = place
      var (value, unit) = (0, 1)
      while place < bytes.count, bytes[place].isASCIIDigit {
        if place - start < 18 { (value, unit) = (value * 10 + Int(bytes[place] - 0x30), unit * 10) }
        place += 1
      }
      return place > start ? Double(value) / Double(unit) : nil
    }

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
      guard place < bytes.count, bytes[place] == UInt8(ascii: scalar) else { return false }
      place += 1
      return true
    }
  }
}
