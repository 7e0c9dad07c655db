import Foundation
import GRDB
import Messages

/// Reads the keys of one list, from any position in it and in both directions.
///
/// Plain lists are tables in list order; searches are `SearchPages`. Neither uses an offset.
struct ListPages {
  enum Direction {
    /// Down the list, to older messages.
    case older
    /// Up the list, to newer messages. Keys are returned in that order, the nearest first.
    case newer
  }

  private enum Origin {
    case list(ListRange)
    case search(SearchPages)
    case nothing
  }

  private let db: Database
  private let origin: Origin
  private let query: InboxQuery

  private init(_ db: Database, _ query: InboxQuery, _ origin: Origin) {
    self.db = db
    self.query = query
    self.origin = origin
  }

  init(_ db: Database, _ query: InboxQuery, _ searching: Searching) throws {
    self.db = db
    self.query = query
    guard let range = try ListRange(db, query.scope, isUnreadOnly: query.isUnreadOnly) else {
      origin = .nothing
      return
    }
    guard query.isSearch || query.scope.isSavedList else {
      origin = .list(range)
      return
    }
    guard let search = try SearchPages(db, query, within: range, searching) else {
      origin = .nothing
      return
    }
    origin = .search(search)
  }

  /// Returns at most `limit` keys that follow `key` in this direction, and `key` itself first if `including`.
  /// If `key` is `nil`, they begin at the list's start for `.older`, and at its end for `.newer`. In every
  /// order of the query, `.older` is down the list.
  func keys(_ direction: Direction, of key: ListKey?, including: Bool, limit: Int) throws -> [ListKey] {
    if limit <= 0 { return [] }
    guard let sections = try sections() else {
      return try newestFirst(direction, of: key, including: including, limit: limit)
    }
    return try sections.keys(direction, of: key, including: including, limit: limit)
  }

  /// Returns keys like `keys`, for a list that begins with the newest messages.
  func newestFirst(
    _ direction: Direction, of key: ListKey?, including: Bool, limit: Int
  ) throws -> [ListKey] {
    switch origin {
    case .list(let range): try range.keys(direction, of: key, including: including, limit: limit)
    case .search(let search):
      try search.keys(direction, of: key, including: including, limit: limit)
    case .nothing: []
    }
  }

  /// Returns the sections in which the list is read, or `nil` if it begins with the newest messages.
  private func sections() throws -> ListSections? {
    switch query.order {
    case .newest: return nil
    case .oldest: return ListSections(oldestOf: self)
    case .priority:
      guard case .list(let range) = origin, range.putAway == nil else { return nil }
      var plain = query
      plain.order = .newest
      let groups = try Priority.all.reversed().compactMap { priority in
        try range.only(priority).map { (-Int64(priority.rawValue), ListPages(db, plain, .list($0))) }
      }
      return ListSections(groups) { id in
        try db.integer("SELECT priority FROM status WHERE message_id = ?", id.rawValue).map { -$0 }
      }
    case .source:
      guard query.scope == .all, case .list = origin else { return nil }
      let list = query.isUnreadOnly ? List.sourceUnread : .sourceListed
      var sources: [(place: Int64, pages: ListPages)] = []
      let places = try db.prepared(
        "SELECT position, id FROM source WHERE position IS NOT NULL ORDER BY position")
      try places.forEach {
        let one = InboxQuery(scope: .source(SourceID(places.int(1))))
        let range = try ListRange(db, list, source: places.int(1))
        sources.append((places.int(0), ListPages(db, one, .list(range))))
      }
      return ListSections(sources) { id in
        let query = try db.prepared(
          "SELECT s.position FROM status t JOIN source s ON s.id = t.source_id WHERE t.message_id = ?")
        query.bind(1, id.rawValue)
        return try query.first { query.optionalInt(0) } ?? nil
      }
    }
  }

  /// The time down to which a search has examined messages, if its slice of work ended before the page was full;
  /// otherwise `nil`.
  var lookedTo: Date? {
    guard case .search(let search) = origin else { return nil }
    return search.lookedTo.map { Date(milliseconds: $0.sortTime) }
  }

  /// Returns every unread message of the list, even if the list shows others too.
  func unreadIDs() throws -> IDRanges {
    switch origin {
    case .nothing: IDRanges()
    case .search(let search): try search.unreadIDs()
    case .list(let range): try range.unreadIDs()
    }
  }
}

extension ListPages.Direction {
  /// Whether the first key precedes the second in this direction.
  var isBefore: (ListKey, ListKey) -> Bool {
    switch self {
    case .older: { $0 > $1 }
    case .newer: { $0 < $1 }
    }
  }

  /// The key before all others in this direction.
  var beginning: ListKey {
    switch self {
    case .older: .beforeAll
    case .newer: .afterAll
    }
  }
}

extension InboxQuery {
  /// Whether the query contains text to search for; blank text lists everything.
  var isSearch: Bool { search?.contains { !$0.isWhitespace } ?? false }
}
