import Basics

/// The markup of Pango, which notification daemons and bars take texts as.
package enum NotificationMarkup {
  /// A text of which nothing is markup, as an argument of notify-send(1), which reads escape sequences in a body: `C:\new` would
  /// lose its backslash and get a line end (`g_strcompress` of GLib).
  package static func escapedForProgram(_ text: String) -> String {
    text.markupEscaped.replacing(exactly: "\\", with: "\\\\")
  }
}
