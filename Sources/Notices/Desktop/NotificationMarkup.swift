/// The markup of Pango, which notification daemons and bars take texts as.
package enum NotificationMarkup {
  /// A text of which nothing is markup. By code points: a sign with a combining mark is markup all the same.
  package static func escaped(_ text: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
      case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
      case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
      case _: escaped.append(scalar)
      }
    }
    return String(escaped)
  }
}
