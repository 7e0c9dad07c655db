import Screen

/// What texts of the screen are; the theme says how that looks.
enum Palette {
  static let dot = Style(roles: .dot)
  static let star = Style(roles: .starred)
  static let pinned = Style(roles: .pinned)
  static let warning = Style(roles: .warning)
  static let failure = Style(roles: .error)
  static let accent = Style(roles: .accent)
  static let quiet = Style(roles: .dim)
  static let unread = Style(roles: .unread)
  /// What came since its list was looked at.
  static let new = Style(roles: .new)
  static let read = Style(roles: .read)
  static let heading = Style(roles: .title)
  static let key = Style(roles: .key)
  static let match = Style(roles: .match)
  /// The line that keys act on.
  static let selection = Style(roles: .selected)
}
