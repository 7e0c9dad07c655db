import Basics

/// The markup of Pango, which notification daemons and bars use.
package enum NotificationMarkup {
  /// Returns a string without markup as an argument of notify-send(1), which reads escape sequences in a body. Without
  /// the escapes, `C:\new` would lose its backslash and get a line end (`g_strcompress` of GLib).
  package static func escapedForProgram(_ text: String) -> String {
    text.markupEscaped.replacingBytes("\\", with: "\\\\")
  }
}
