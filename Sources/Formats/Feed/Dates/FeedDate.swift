package import Foundation
import HTML
import Limits

/// Parses the dates of feeds, whose formats vary widely.
package enum FeedDate {
  /// RFC 822 and its common mistakes, W3CDTF, ISO 8601 fragments and ordinal dates, two-digit years, named
  /// zones, month names of many languages, Unix seconds. nil if the text isn't a date. Without a zone it
  /// is in UTC, without a time it is midnight.
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
}
