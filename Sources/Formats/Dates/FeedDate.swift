package import Foundation
import Limits

/// Dates of feeds, read as liberally as they are written.
package enum FeedDate {
  /// RFC 822 with its broken cousins, W3CDTF, ISO 8601 fragments and ordinal dates, two-digit years, named
  /// zones, month names of many languages, Unix seconds. Nil where the text names no moment; a date without
  /// zone is UTC, one without time is its midnight.
  package static func parse(_ text: String) -> Date? {
    var text = text
    return text.withUTF8 { parse($0) }
  }

  static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Date? {
    let bytes = bytes.trimmed
    guard bytes.count >= 4, bytes.count <= Limits.dateBytes else { return nil }
    if bytes[0].isASCIIDigit || bytes[0] == UInt8(ascii: "-") {
      var iso = ISODateScanner(bytes)
      switch iso.scan() {
      case .moment(let time): return time.date
      case .nothing: return nil
      case .otherForm: break
      }
    }
    var scanner = WrittenDateScanner(bytes)
    return scanner.scan()?.date
  }

  /// ISO 8601 as `2026-11-20T09:00:00Z`: UTC, whole seconds (what lies below is cut off).
  package static func iso8601(_ date: Date) -> String {
    let limit = 253_402_300_799.0
    let seconds = Int(min(limit, max(-62_135_596_800, date.timeIntervalSince1970.rounded(.down))))
    let days = seconds >= 0 ? seconds / 86400 : (seconds - 86399) / 86400
    let (year, month, day) = CivilTime.civil(days: days)
    let rest = seconds - days * 86400
    func padded(_ value: Int, _ width: Int) -> String {
      let digits = String(value)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T"
      + "\(padded(rest / 3600, 2)):\(padded(rest / 60 % 60, 2)):\(padded(rest % 60, 2))Z"
  }

  /// The strict reader: a full date and time with `Z` or an offset, with or without a colon in it (RFC 3339
  /// section 5.6). Nil for anything else, and for days and times that do not exist.
  package static func iso8601(_ text: String) -> Date? {
    let bytes = Array(text.utf8)
    func number(_ start: Int, _ length: Int) -> Int? {
      guard start + length <= bytes.count else { return nil }
      var value = 0
      for byte in bytes[start..<start + length] {
        guard byte.isASCIIDigit else { return nil }
        value = value * 10 + Int(byte - 0x30)
      }
      return value
    }
    func has(_ character: Unicode.Scalar, _ place: Int) -> Bool {
      place < bytes.count && bytes[place] == UInt8(ascii: character)
    }
    guard let year = number(0, 4), has("-", 4), let month = number(5, 2), has("-", 7), let day = number(8, 2),
      has("T", 10) || has("t", 10) || has(" ", 10), let hour = number(11, 2), has(":", 13),
      let minute = number(14, 2), has(":", 16), let second = number(17, 2)
    else { return nil }
    var time = CivilTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    guard (1...12).contains(month), day >= 1, hour < 24, minute < 60, second <= 60,
      CivilTime.civil(days: CivilTime.days(year, month, day)).month == month
    else { return nil }
    var place = 19
    if has(".", place) {
      let end = bytes[(place + 1)...].firstIndex { !$0.isASCIIDigit } ?? bytes.count
      guard end > place + 1,
        let fraction = Double("0." + String(decoding: bytes[(place + 1)..<end], as: UTF8.self))
      else { return nil }
      time.fraction = fraction
      place = end
    }
    if has("Z", place) || has("z", place) {
      return place + 1 == bytes.count ? time.date : nil
    }
    guard has("+", place) || has("-", place), let hours = number(place + 1, 2) else { return nil }
    let colon = has(":", place + 3) ? 1 : 0
    guard let minutes = number(place + 3 + colon, 2), place + 5 + colon == bytes.count, hours < 24,
      minutes < 60
    else { return nil }
    time.offset = (has("-", place) ? -1 : 1) * (hours * 3600 + minutes * 60)
    return time.date
  }
}
