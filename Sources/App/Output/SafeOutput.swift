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
    var gate = SafeText.Gate()
    for scalar in value.serialized().unicodeScalars {
      guard !gate.lets(scalar) else {
        text.unicodeScalars.append(scalar)
        continue
      }
      // Such characters occur inside strings only.
      text += JSONValue.escape(scalar)
    }
    return text
  }

  /// A library's message of several lines that may quote what was typed; our own texts pass as they are.
  package static func message(_ text: String) -> String {
    let isHarmless = text.unicodeScalars.allSatisfy {
      $0 == "\n" || $0 == "\t" || (0x20...0x7E).contains($0.value)
    }
    return isHarmless ? text : lines(text)
  }
}
