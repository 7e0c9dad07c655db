package import Screen

/// The roles of text on the screen; the theme gives them colours and attributes.
package enum Palette {
  package static let dot = Style(roles: .dot)
  package static let star = Style(roles: .starred)
  package static let pinned = Style(roles: .pinned)
  package static let warning = Style(roles: .warning)
  package static let failure = Style(roles: .error)
  package static let accent = Style(roles: .accent)
  package static let quiet = Style(roles: .dim)
  package static let unread = Style(roles: .unread)
  /// A message that arrived since its list was last viewed.
  package static let new = Style(roles: .new)
  package static let read = Style(roles: .read)
  package static let heading = Style(roles: .title)
  package static let key = Style(roles: .key)
  package static let match = Style(roles: .match)
  /// The row that keys apply to.
  package static let selection = Style(roles: .selected)
}
