/// A saved list's local id: its row in this database. Users identify lists by their names in the settings.
package struct SavedListID: Hashable, Comparable, Sendable {
  package let rawValue: Int64

  package init(_ rawValue: Int64) { self.rawValue = rawValue }

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// A saved list as the settings say it.
package struct SavedList: Hashable, Sendable {
  package var name: String
  /// In one way of writing; nil where the settings have a mistake.
  package var query: String?
  /// As it is written, where that isn't a query.
  package var mistaken: String?

  package init(name: String, query: String?, mistaken: String? = nil) {
    self.name = name
    self.query = query
    self.mistaken = mistaken
  }
}

/// A saved list, and the kept count of what it shows.
package struct SavedListStatus: Hashable, Sendable {
  package var id: SavedListID
  package var list: SavedList
  /// How many unread messages it shows; nil until all messages were judged once.
  package var unread: Int?
  /// Whether something in it arrived that nobody has looked at.
  package var isUnseen: Bool

  package init(id: SavedListID, list: SavedList, unread: Int? = nil, isUnseen: Bool = false) {
    self.id = id
    self.list = list
    self.unread = unread
    self.isUnseen = isUnseen
  }
}
