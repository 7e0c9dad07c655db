package import Basics
package import Foundation
import GRDB
import Messages
import Queries
import Synchronization

/// The parameters of a search besides its words: the user's clock and time zone, and the amount of work in one slice.
struct Searching {
  let columns: Columns
  /// The user's time and zone, or `nil` for the store's clock, in UTC.
  var time: (now: Date, zone: ZoneClock)?
  /// The intermediate results of a search that is done in slices, or `nil` for a search that runs to its end, however
  /// long that takes.
  let slices: SearchSlices?
  let bounds: SearchBounds
  fileprivate let searches: Searches

  /// Returns a completely typed query, for example that of a saved list, or `nil` if the text is invalid. The parsed
  /// form is cached.
  func query(_ text: String) -> Query? { searches.query(text) }
}

/// The limits of a search's work.
struct SearchBounds {
  /// The number of candidates of an index up to which all are examined.
  var few = 2000
  /// The maximum amount of work in one slice.
  var work = SearchWork(left: 8000)
}

extension Store {
  /// Sets the clock that `older:`, `newer:`, `today` and dates of searches use from now on.
  package func searchTimes(by clock: @escaping @Sendable () -> (now: Date, zone: ZoneClock)) {
    searches.clock.withLock { $0 = clock }
  }

  /// - Parameter inSlices: whether a search ends after about ten milliseconds, and continues with the next call.
  func searching(inSlices: Bool = false) -> Searching {
    Searching(
      columns: columns, time: searches.clock.withLock(\.self)?(), slices: inSlices ? searches.slices : nil,
      bounds: searches.bounds.withLock(\.self), searches: searches)
  }
}

/// The state that the searches of a store share.
final class Searches: Sendable {
  let clock = Mutex<(@Sendable () -> (now: Date, zone: ZoneClock))?>(nil)
  let slices = SearchSlices()
  /// The bounds, which only tests change.
  let bounds = Mutex(SearchBounds())
  /// The time at which time-dependent data was last updated: an earlier time shows that the clock was set
  /// back.
  let advanced = Mutex<Milliseconds?>(nil)
  /// The parsed queries of saved lists, keyed by their text.
  private let parsed = Mutex<[String: Query]>([:])
  private static let mostParsed = 256

  func query(_ text: String) -> Query? {
    if let known = parsed.withLock({ $0[text] }) { return known }
    guard case .success(let query) = Query.parse(text, .strict) else { return nil }
    parsed.withLock { parsed in
      if parsed.count >= Self.mostParsed { parsed = [:] }
      parsed[text] = query
    }
    return query
  }
}

/// The amount of work that a search may still do. It is counted, so that it is the same on every machine. A unit is
/// about half a microsecond.
struct SearchWork {
  private(set) var left: Int

  static let unlimited = SearchWork(left: .max)

  var isDone: Bool { left <= 0 }

  mutating func spend(_ units: Int) { if left != .max { left -= units } }
}

/// The results so far of searches in slices, so that the next slice continues from there.
///
/// It contains only searches that need more than one slice. When the store changes, they continue: their matches are
/// judged again, and messages that arrived since then are judged. Other changes are found by the next search.
final class SearchSlices: Sendable {
  /// The page of a list that a search fills.
  struct Page: Hashable {
    var query: InboxQuery
    /// The meaning of the query; that of a saved list may change.
    var meant: Query
    var isDown: Bool
    var start: ListKey?
    var isStartIncluded: Bool
  }

  /// The state of a search for one page after a slice of work.
  struct Progress {
    /// The keys found so far, in the page's direction.
    var found: [ListKey]
    /// The last examined key, or `nil` once all were.
    var frontier: ListKey?
    /// The time at which the search began, with which its conditions are tested.
    var time: (now: Date, zone: ZoneClock)
    /// The newest message when the search began.
    var newest: Int64
    /// The version of the store with which `found` was determined.
    var version: Int64
  }

  /// The number of pages that are kept: those of one list, and of counting its matches.
  private static let most = 8

  private let pages = Mutex<[(page: Page, progress: Progress)]>([])
  private let changes = Mutex<Int64>(0)

  /// The version of the store, as far as this process knows.
  var version: Int64 { changes.withLock(\.self) }

  func storeChanged() { changes.withLock { $0 += 1 } }

  func progress(of page: Page) -> Progress? {
    pages.withLock { pages in pages.first { $0.page == page }?.progress }
  }

  func set(_ progress: Progress, of page: Page) {
    pages.withLock { pages in
      // This is another search, so the earlier one has ended.
      pages.removeAll { $0.page == page || $0.page.query.search != page.query.search }
      pages.append((page, progress))
      if pages.count > Self.most { pages.removeFirst() }
    }
  }
}
