/// Escapes text for XML 1.0 and HTML, also for use as the value of an attribute.
package enum XMLText {
  /// Returns the text escaped, with U+FFFD in place of characters that XML 1.0 can't contain. Line ends and tabs are
  /// written as numbers: a parser would make a line feed of CR, and spaces of all three in an attribute.
  package static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\t", "\n", "\r": escaped += "&#\(scalar.value);"
      case "\0"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
