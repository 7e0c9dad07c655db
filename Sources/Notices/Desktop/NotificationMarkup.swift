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

  /// The same as an argument of notify-send(1), which reads escape sequences in a body: `C:\new` would lose its backslash and
  /// get a line end (`g_strcompress` of GLib).
  package static func escapedForProgram(_ text: String) -> String {
    var doubled = String.UnicodeScalarView()
    for scalar in escaped(text).unicodeScalars {
      if scalar == "\\" { doubled.append(scalar) }
      doubled.append(scalar)
    }
    return String(doubled)
  }
}
