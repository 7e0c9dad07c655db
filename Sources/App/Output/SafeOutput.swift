package import Formats
import Screen

/// Text on its way to standard output or error: a terminal may be there, so nothing from outside goes out raw.
package enum SafeOutput {
  /// One line, sanitised.
  package static func line(_ text: String) -> String { SafeText(untrusted: text).text }

  /// Several lines, each sanitised.
  package static func lines(_ text: String) -> String {
    SafeText.lines(untrusted: text).map(\.text).joined(separator: "\n")
  }

  /// JSON in which every character that a terminal might act on is escaped; the value stays the same.
  package static func json(_ value: JSONValue) -> String {
    var text = ""
    for scalar in value.serialized().unicodeScalars {
      guard isUnsafe(scalar) else {
        text.unicodeScalars.append(scalar)
        continue
      }
      // Such characters occur inside strings only.
      for unit in String(scalar).utf16 {
        let digits = String(unit, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return text
  }

  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xE0000...0xE007F: true
    case _: false
    }
  }
}
