package import Foundation
import HTML
import Limits

/// A date of a feed, and how precisely it was written. The formats of feeds vary widely.
package struct FeedDate: Hashable, Sendable {
  package let date: Date
  /// Whether the text has no time of day, or midnight in the zone that it names: `date` is the beginning of that day.
  package let isDay: Bool

  /// Parses RFC 822 and its common mistakes, W3CDTF, ISO 8601 fragments and ordinal dates, two-digit years, named
  /// zones, month names of many languages, and Unix seconds. Returns `nil` if the text isn't a date. Without a zone it
  /// is in UTC, without a time it is midnight.
  package static func parse(_ text: String) -> FeedDate? {
    var text = text
    return text.withUTF8 { parse($0) }
  }

  static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> FeedDate? {
    let bytes = bytes.trimmed
    guard bytes.count >= 4, bytes.count <= Limits.dateBytes else { return nil }
    if bytes[0].isASCIIDigit || bytes[0] == UInt8(ascii: "-") {
      var iso = ISODateScanner(bytes)
      switch iso.scan() {
      case .moment(let time): return FeedDate(time)
      case .nothing: return nil
      case .otherForm: break
      }
    }
    var scanner = WrittenDateScanner(bytes)
    return scanner.scan().flatMap { FeedDate($0) }
  }

  private init?(_ time: WrittenTime) {
    guard let date = time.date else { return nil }
    (self.date, isDay) = (date, time.isDay)
  }
}
