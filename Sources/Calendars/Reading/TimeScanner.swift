import Dates
import Limits

/// The parts of a time of a calendar, one after the other.
struct TimeScanner {
  private let bytes: [UInt8]
  private var place = 0

  init(_ text: some StringProtocol) { bytes = Array(text.utf8.prefix(40)) }

  var isAtEnd: Bool { place == bytes.count }

  /// `20261120` or `2026-11-20`, as days since 1970-01-01.
  mutating func day() -> Int? {
    guard let year = number(4), year > 0 else { return nil }
    let hasDashes = skip("-")
    guard let month = number(2), hasDashes == skip("-"), let day = number(2) else { return nil }
    let date = CivilDate(year: year, month: month, day: day)
    return date.isInCalendar ? date.dayNumber : nil
  }

  /// `T090000`, `T09:00` or ` 09:00:00.000`, as seconds since midnight.
  mutating func second() -> Int? {
    guard skip("T") || skip("t") || skip(" "), let hour = number(2), hour < 24 else { return nil }
    _ = skip(":")
    guard let minute = number(2), minute < 60 else { return nil }
    var second = 0
    let begin = place
    _ = skip(":")
    if let number = number(2) {
      guard number <= 60 else { return nil }
      // A leap second has no place in wall times.
      second = min(number, 59)
    } else {
      place = begin
    }
    if skip(".") { while place < bytes.count, bytes[place].isASCIIDigit { place += 1 } }
    return hour * 3600 + minute * 60 + second
  }

  /// `Z`, `+0200` or `+02:00`, in seconds; `nil`, and not at the end, if there is none.
  mutating func offset() -> Int? {
    if skip("Z") || skip("z") { return 0 }
    let begin = place
    let sign: Int
    if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
    guard let hours = number(2), hours < 24 else {
      place = begin
      return nil
    }
    _ = skip(":")
    let minutes = number(2) ?? 0
    if minutes < 60 { return sign * (hours * 3600 + minutes * 60) }
    place = begin
    return nil
  }

  private mutating func number(_ digits: Int) -> Int? {
    guard place + digits <= bytes.count, bytes[place..<place + digits].allSatisfy(\.isASCIIDigit) else {
      return nil
    }
    defer { place += digits }
    return bytes[place..<place + digits].reduce(0) { $0 * 10 + Int($1 - 48) }
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard place < bytes.count, bytes[place] == UInt8(ascii: character) else { return false }
    place += 1
    return true
  }
}
