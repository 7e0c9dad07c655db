/// A saved list's local id: its row in this database. Users identify lists by their names in the settings.
package struct SavedListID: Hashable, Comparable, Sendable {
  package let rawValue: Int64

  package init(_ rawValue: Int64) { self.rawValue = rawValue }

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// A saved list as specified in the settings.
package struct SavedList: Hashable, Sendable {
  package var name: String
  /// The query in its normal form, or `nil` if it is invalid in the settings.
  package var query: String?
  /// The text as written, if it is no valid query.
  package var mistaken: String?

  package init(name: String, query: String?, mistaken: String? = nil) {
    self.name = name
    self.query = query
    self.mistaken = mistaken
  }
}

/// A saved list, and the stored count of its messages.
package struct SavedListStatus: Hashable, Sendable {
  package var id: SavedListID
  package var list: SavedList
  /// The number of unread messages that it shows, or `nil` until all messages were examined once.
  package var unread: Int?
  /// Whether it contains messages that arrived since the user last viewed it.
  package var isUnseen: Bool

  package init(id: SavedListID, list: SavedList, unread: Int? = nil, isUnseen: Bool = false) {
    self.id = id
    self.list = list
    self.unread = unread
    self.isUnseen = isUnseen
  }
}
