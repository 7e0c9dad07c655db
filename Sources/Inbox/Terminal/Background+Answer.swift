import Basics
import Screen

extension Background {
  /// The number of values of a response, keyed by its beginning.
  private static let kinds: [Substring: Int] = ["11;rgb": 3, "11;rgba": 4]

  /// Reads the response to OSC 11: `11;rgb:` and red, green and blue, each with one to four hexadecimal digits (xterm's
  /// "Control Sequences"; XParseColor(3)). Some terminals add the opacity: `rgba:`.
  init?(response bytes: [UInt8]) {
    guard bytes.count <= Limits.controlSequenceBytes else { return nil }
    let parts = String(decoding: bytes, as: UTF8.self).split(onBytes: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let kind = Self.kinds[parts[0]] else { return nil }
    let digits = parts[1].split(onBytes: "/", omittingEmptySubsequences: false)
    let values = digits.compactMap(Self.share)
    guard digits.count == kind, values.count == kind else { return nil }
    // The luminance of Rec. 709 without its gamma is enough: backgrounds are clearly dark or light.
    self = values[0] * 0.2126 + values[1] * 0.7152 + values[2] * 0.0722 < 0.5 ? .dark : .light
  }

  /// Returns a value from 0 to 1; 1 has as many `f` as there are digits.
  private static func share(_ digits: Substring) -> Double? {
    let count = digits.utf8.count
    guard (1...4).contains(count), let first = digits.utf8.first, first != UInt8(ascii: "+"),
      first != UInt8(ascii: "-"), let value = Int(digits, radix: 16)
    else { return nil }
    return Double(value) / Double(1 << (4 * count) - 1)
  }
}
