import Basics

/// The markup of Pango, which notification daemons and bars use.
package enum NotificationMarkup {
  /// Returns plain text as an argument of notify-send(1), with its markup and escape sequences escaped, since that
  /// program reads both in a body. Otherwise, `C:\new` would lose its backslash and get a line end (`g_strcompress` of
  /// GLib).
  package static func escapedForProgram(_ text: String) -> String {
    text.markupEscaped.replacingBytes("\\", with: "\\\\")
  }
}
