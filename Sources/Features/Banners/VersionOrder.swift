import Basics

/// Compares versions part by part. Numbers in them are compared as numbers of any length, and a version comes after a
/// shorter version that it begins with.
package enum VersionOrder {
  /// A part of a version: digits, or the text between digits. It refers to the version's own bytes, so even a
  /// long part needs no further memory.
  private struct Run {
    var isNumber: Bool
    /// The bytes of the part; the leading zeros of a number are left out.
    var bytes: Substring.UTF8View

    /// Removes the first part from a version and returns it, or returns `nil` if nothing is left.
    init?(takenFrom rest: inout Substring.UTF8View) {
      guard let first = rest.first else { return nil }
      isNumber = first.isASCIIDigit
      let isNumber = isNumber
      bytes = rest.prefix { $0.isASCIIDigit == isNumber }
      rest = rest[bytes.endIndex...]
      if isNumber { bytes = bytes.drop { $0 == UInt8(ascii: "0") } }
    }
  }

  /// Whether `a` comes before `b`: `1.9` is before `1.10`, `1.0` is before `1.0.0`, and the empty version is before all
  /// others.
  package static func isLess(_ a: String, _ b: String) -> Bool {
    var (left, right) = (Substring(a).utf8, Substring(b).utf8)
    while let y = Run(takenFrom: &right) {
      guard let x = Run(takenFrom: &left) else { return true }
      // A separator or a word sorts before a number, so 1.0-beta comes before 1.01.
      if x.isNumber != y.isNumber { return y.isNumber }
      if x.isNumber, x.bytes.count != y.bytes.count { return x.bytes.count < y.bytes.count }
      if !x.bytes.elementsEqual(y.bytes) { return x.bytes.lexicographicallyPrecedes(y.bytes) }
    }
    return false
  }
}
