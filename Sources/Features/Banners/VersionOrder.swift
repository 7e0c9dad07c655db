import Basics

/// Versions compared run by run: numbers as numbers of any length, a longer version above its own beginning.
package enum VersionOrder {
  /// Digits, or what stands between them. It is a part of its version: one of any length costs no memory.
  private struct Run {
    var isNumber: Bool
    /// Of a number without leading zeros.
    var bytes: Substring.UTF8View

    /// Takes the first run off a version; nil where nothing is left.
    init?(takenFrom rest: inout Substring.UTF8View) {
      guard let first = rest.first else { return nil }
      isNumber = first.isASCIIDigit
      let isNumber = isNumber
      bytes = rest.prefix { $0.isASCIIDigit == isNumber }
      rest = rest[bytes.endIndex...]
      if isNumber { bytes = bytes.drop { $0 == UInt8(ascii: "0") } }
    }
  }

  /// Whether `a` comes before `b`: `1.9` before `1.10`, `1.0` before `1.0.0`, the empty one before all.
  package static func isLess(_ a: String, _ b: String) -> Bool {
    var (left, right) = (Substring(a).utf8, Substring(b).utf8)
    while let y = Run(takenFrom: &right) {
      guard let x = Run(takenFrom: &left) else { return true }
      // A separator or a word sorts before a number, so that 1.0-beta stands before 1.01.
      if x.isNumber != y.isNumber { return y.isNumber }
      if x.isNumber, x.bytes.count != y.bytes.count { return x.bytes.count < y.bytes.count }
      if !x.bytes.elementsEqual(y.bytes) { return x.bytes.lexicographicallyPrecedes(y.bytes) }
    }
    return false
  }
}
