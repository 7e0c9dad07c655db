package import Screen

/// The signs of the screen. Every state has one, so that none depends on colour.
package struct Signs: Hashable, Sendable {
  /// Unread, unseen.
  package var dot: SafeText
  var star: SafeText
  var bar: SafeText
  var vertical: SafeText
  var light: SafeText
  var heavy: SafeText
  var joint: SafeText
  var downtime: SafeText
  var pinned: SafeText
  var urgent: SafeText
  var failed: SafeText
  var between: SafeText
  var ellipsis: SafeText
  var more: SafeText
  var spinner: [SafeText]
  /// Shown instead of the spinner without animations.
  var still: SafeText
  /// Whether text is drawn in ASCII only; the layout of messages uses it too.
  package var isASCII: Bool

  package static let unicode = Signs(
    dot: "●", star: "★", bar: "▌", vertical: "│", light: "─", heavy: "━", joint: "┬", downtime: "▲",
    pinned: "◆", urgent: "!", failed: "✗", between: " · ", ellipsis: "…", more: "↓",
    spinner: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"], still: "…", isASCII: false)

  /// For locales without UTF-8.
  package static let ascii = Signs(
    dot: "*", star: "+", bar: ">", vertical: "|", light: "-", heavy: "=", joint: "+", downtime: "^",
    pinned: "#", urgent: "!", failed: "x", between: " - ", ellipsis: "...", more: "v",
    spinner: ["|", "/", "-", "\\"], still: "~", isASCII: true)
}
