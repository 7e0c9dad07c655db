import Basics
package import Foundation

/// Reads spans of time from now: `30m`, `2h`, `7d`.
package enum Span {
  private static let units: [UInt8: Int] = [
    UInt8(ascii: "s"): 1, UInt8(ascii: "m"): 60, UInt8(ascii: "h"): 3600, UInt8(ascii: "d"): 86_400,
    UInt8(ascii: "w"): 7 * 86_400, UInt8(ascii: "y"): 365 * 86_400,
  ]

  /// Returns the seconds, or `nil` unless the text is digits and one of `s m h d w y`, and at most 100 years.
  package static func seconds(_ text: String) -> Int? {
    guard let last = text.utf8.last, let unit = units[last], text.utf8.dropLast().allSatisfy({ $0 >= 0x30 }),
      let number = Int(text.dropLast()), number >= 0
    else { return nil }
    let (seconds, overflows) = number.multipliedReportingOverflow(by: unit)
    return overflows || seconds > Limits.hubSpanDays * 86_400 ? nil : seconds
  }

  /// Returns a time (ISO 8601), or a span from now, or `nil` for any other text.
  package static func moment(_ text: String, from now: Date) -> Date? {
    if let seconds = seconds(text) { return now.addingTimeInterval(Double(seconds)) }
    return ISOInstant.parse(text)
  }
}
