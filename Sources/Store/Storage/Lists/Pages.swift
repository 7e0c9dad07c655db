import Foundation
import GRDB
import Messages

/// Reads the keys of one list, from any place in it and in both directions.
///
/// Plain lists are tables in list order; searches are `QueryPages`. Neither uses an offset.
struct Pages {
  enum Direction {
    /// Down the list, to what is older.
    case older
    /// Up the list, to what is newer. Keys come in that order, the nearest first.
    case newer
  }

  private enum Origin {
    case list(ListRange)
    case search(QueryPages)
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
    guard let search = try QueryPages(db, query, within: range, searching) else {
      origin = .nothing
      return
    }
    origin = .search(search)
  }

  /// At most `limit` keys beyond `key`, `key` itself included or not; from the list's end where it is nil. In the order of
  /// the query: `.older` is down the list.
  func keys(_ direction: Direction, of key: ListKey?, including: Bool, limit: Int) throws -> [ListKey] {
    if limit <= 0 { return [] }
    guard let stretches = try stretches() else {
      return try newestFirst(direction, of: key, including: including, limit: limit)
    }
    return try stretches.keys(direction, of: key, including: including, limit: limit)
  }

  /// The same of a list that begins with the newest.
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

  /// What the list is made of where it doesn't begin with the newest.
  private func stretches() throws -> Stretches? {
    switch query.order {
    case .newest: return nil
    case .oldest: return Stretches(oldestOf: self)
    case .priority:
      guard case .list(let range) = origin, range.putAway == nil else { return nil }
      var plain = query
      plain.order = .newest
      let groups = try Priority.all.reversed().compactMap { priority in
        try range.only(priority).map { (-Int64(priority.rawValue), Pages(db, plain, .list($0))) }
      }
      return Stretches(groups) { id in
        try db.integer("SELECT priority FROM status WHERE message_id = ?", id.rawValue).map { -$0 }
      }
    case .source:
      guard query.scope == .all, case .list = origin else { return nil }
      let list = query.isUnreadOnly ? List.sourceUnread : .sourceListed
      var sources: [(place: Int64, pages: Pages)] = []
      let places = try db.prepared("SELECT place, id FROM source WHERE place IS NOT NULL ORDER BY place")
      try places.forEach {
        let one = InboxQuery(scope: .source(SourceID(places.int(1))))
        let range = try ListRange(db, list, source: places.int(1))
        sources.append((places.int(0), Pages(db, one, .list(range))))
      }
      return Stretches(sources) { id in
        let query = try db.prepared(
          "SELECT s.place FROM status t JOIN source s ON s.id = t.source_id WHERE t.message_id = ?")
        query.bind(1, id.rawValue)
        return try query.first { query.optionalInt(0) } ?? nil
      }
    }
  }

  /// How far a search has looked whose pages aren't full, since its slice of work is done.
  var lookedTo: Date? {
    guard case .search(let search) = origin else { return nil }
    return search.lookedTo.map { Date(milliseconds: $0.sortTime) }
  }

  /// Every unread message of the list, whatever else it shows.
  func unreadIDs() throws -> IDRanges {
    switch origin {
    case .nothing: IDRanges()
    case .search(let search): try search.unreadIDs()
    case .list(let range): try range.unreadIDs()
    }
  }
}

extension Pages.Direction {
  /// Whether the first comes before the second when going in this direction.
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
  /// Blank words list everything.
  var isSearch: Bool { search?.contains { !$0.isWhitespace } ?? false }
}
