package import Foundation
import HTML
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
}
