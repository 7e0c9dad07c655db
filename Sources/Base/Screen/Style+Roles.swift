/// All roles. If text has several, the colour of the last one in this order is used.
extension Style.Roles {
  package static let dim = Self(rawValue: 1 << 0)
  package static let quote = Self(rawValue: 1 << 1)
  package static let heading = Self(rawValue: 1 << 2)
  package static let code = Self(rawValue: 1 << 3)
  package static let image = Self(rawValue: 1 << 4)
  package static let note = Self(rawValue: 1 << 5)
  package static let title = Self(rawValue: 1 << 6)
  package static let unread = Self(rawValue: 1 << 7)
  package static let pinned = Self(rawValue: 1 << 8)
  package static let starred = Self(rawValue: 1 << 9)
  package static let warning = Self(rawValue: 1 << 10)
  package static let error = Self(rawValue: 1 << 11)
  /// Lines, spinners and new messages: prominent, but not a problem.
  package static let accent = Self(rawValue: 1 << 12)
  /// The name of a key, in hints and in help.
  package static let key = Self(rawValue: 1 << 13)
  package static let link = Self(rawValue: 1 << 14)
  package static let dot = Self(rawValue: 1 << 15)
  /// A match of a search.
  package static let match = Self(rawValue: 1 << 16)
  /// The selected row.
  package static let selected = Self(rawValue: 1 << 17)
  /// The style of messages that arrived since the user last viewed their list.
  package static let new = Self(rawValue: 1 << 18)
  package static let read = Self(rawValue: 1 << 19)
}
