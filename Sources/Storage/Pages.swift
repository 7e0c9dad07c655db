import GRDB
import Messages

/// Reads the keys of one list, from any place in it and in both directions.
///
/// Plain lists are tables in list order; searches use the index (`SearchPages`). Neither uses an offset.
struct Pages {
  enum Direction {
    /// Down the list, to what is older.
    case older
    /// Up the list, to what is newer. Keys come in that order, the nearest first.
    case newer
  }

  private enum Origin {
    case list(ListRange)
    case search(SearchPages)
    case nothing
  }

  private let origin: Origin

  init(_ db: Database, _ query: InboxQuery) throws {
    guard let range = try ListRange(db, query.scope, isUnreadOnly: query.isUnreadOnly) else {
      origin = .nothing
      return
    }
    guard query.isSearch, let words = query.search else {
      origin = .list(range)
      return
    }
    guard let search = try SearchPages(db, words: words, within: range) else {
      origin = .nothing
      return
    }
    origin = .search(search)
  }

  /// At most `limit` keys beyond `key`, `key` itself included or not; from the list's end where it is nil.
  func keys(_ direction: Direction, of key: ListKey?, including: Bool, limit: Int) throws -> [ListKey] {
    if limit <= 0 { return [] }
    return switch origin {
    case .list(let range): try range.keys(direction, of: key, including: including, limit: limit)
    case .search(let search):
      try search.keys(direction, of: key, including: including, limit: limit)
    case .nothing: []
    }
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
