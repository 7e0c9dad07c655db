/// Everything that a key can do in the inbox; the raw value is its name in the settings' `[keys]`.
///
/// Keymap, help screen, key hints, the README's table and the man page all come from `row`, and say what `Words` has of it.
package enum Command: String, CaseIterable, Hashable, Sendable {
  // Moving
  case down, up
  case pageDown = "page_down"
  case pageUp = "page_up"
  case halfPageDown = "half_page_down"
  case halfPageUp = "half_page_up"
  case first, last
  case open, back
  case nextPane = "next_pane"
  case previousPane = "previous_pane"
  // Reading
  case readOn = "read_on"
  case nextUnread = "next_unread"
  case previousUnread = "previous_unread"
  case openLink = "open_link"
  case copyLink = "copy_link"
  case details
  // Messages
  case toggleUnread = "toggle_unread"
  case toggleStar = "toggle_star"
  case dismiss, snooze
  case readAll = "read_all"
  case undo
  // Lists and sources
  case unreadOnly = "unread_only"
  case search
  case refresh
  case refreshAll = "refresh_all"
  case addSource = "add_source"
  case timeline
  // Program
  case help, redraw, suspend, quit
}

/// The parts of the screen that a key can mean something in.
package struct Places: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let sources = Places(rawValue: 1 << 0)
  package static let messages = Places(rawValue: 1 << 1)
  package static let reader = Places(rawValue: 1 << 2)
  package static let timeline = Places(rawValue: 1 << 3)
  /// What lies over the panes: help, and a list to choose from.
  package static let overlay = Places(rawValue: 1 << 4)

  /// A banner's view that has the keys.
  package static let banner = Places(rawValue: 1 << 5)

  package static let panes: Places = [.sources, .messages, .reader, .timeline]
  package static let everywhere: Places = [.panes, .overlay, .banner]
}

/// One line of the table of commands.
package struct CommandRow: Hashable, Sendable {
  /// The heading that a command stands under.
  package enum Group: String, CaseIterable, Hashable, Sendable {
    case moving, reading, messages, lists, program
  }

  package var group: Group
  /// Default keys, as settings write them.
  package var keys: [String]
  package var places: Places
  /// A number typed before it repeats it (`5j`) or chooses (`2o`).
  package var takesCount: Bool

  init(
    _ group: Group, _ keys: [String], in places: Places = .panes, takesCount: Bool = false
  ) {
    self.group = group
    self.keys = keys
    self.places = places
    self.takesCount = takesCount
  }
}
