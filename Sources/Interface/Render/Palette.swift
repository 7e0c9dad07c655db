import Screen

/// Colours of the terminal's own 16, so that its theme applies.
enum Palette {
  static let dot = Style(foreground: .ansi(1), attributes: .bold)
  static let star = Style(foreground: .ansi(3))
  static let warning = Style(foreground: .ansi(3), attributes: .bold)
  static let failure = Style(foreground: .ansi(1))
  static let accent = Style(foreground: .ansi(6))
  static let quiet = Style.dim
  static let unread = Style.bold
  static let heading = Style.bold
  static let key = Style(foreground: .ansi(6))
  /// The line that keys act on.
  static let selection = Style.reverse
}
