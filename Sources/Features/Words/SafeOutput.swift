package import Formats
import Screen

/// Sanitizes text for standard output and error, which may be a terminal.
package enum SafeOutput {
  package static func line(_ text: String) -> String { SafeText(untrusted: text).text }

  package static func lines(_ text: String) -> String {
    SafeText.lines(untrusted: text).map(\.text).joined(separator: "\n")
  }

  /// Returns JSON in which all characters that could control a terminal are escaped; the value stays the same.
  package static func json(_ value: JSONValue) -> String {
    var text = ""
    var gate = SafeText.Gate()
    for scalar in value.serialized().unicodeScalars {
      guard !gate.lets(scalar) else {
        text.unicodeScalars.append(scalar)
        continue
      }
      // Such characters are only in strings.
      text += JSONValue.escape(scalar)
    }
    return text
  }

  /// Sanitizes a library's message of several lines, which may quote the arguments; our own strings are unchanged.
  package static func message(_ text: String) -> String {
    let isHarmless = text.unicodeScalars.allSatisfy {
      $0 == "\n" || $0 == "\t" || (0x20...0x7E).contains($0.value)
    }
    return isHarmless ? text : lines(text)
  }
}
