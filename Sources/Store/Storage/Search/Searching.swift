package import Basics
package import Foundation
import GRDB
import Messages
import Queries
import Synchronization

/// What a search needs besides its words: the reader's clock and zone, and how much work it may do at once.
struct Searching {
  let columns: Columns
  /// The reader's; nil is the store's clock, in UTC.
  var time: (now: Date, zone: ZoneClock)?
  /// Of a search that is done in slices; nil does it at once, however long it takes.
  let slices: SearchSlices?
  let bounds: SearchBounds
  fileprivate let searches: Searches

  /// A finished query, parsed once; nil if it isn't one.
  func query(_ text: String) -> Query? { searches.query(text) }
}

/// How much a search does in one way or at once.
struct SearchBounds {
  /// Up to how many candidates of an index are all looked at.
  var few = 2000
  /// Of one slice.
  var work = SearchWork(left: 8000)
}

extension Store {
  /// From now on, `older:`, `newer:`, `today` and dates of searches are those of this clock.
  package func searchTimes(by clock: @escaping @Sendable () -> (now: Date, zone: ZoneClock)) {
    searches.clock.withLock { $0 = clock }
  }

  /// - Parameter inSlices: a search ends after about ten milliseconds, and goes on when it is asked for again.
  func searching(inSlices: Bool = false) -> Searching {
    Searching(
      columns: columns, time: searches.clock.withLock(\.self)?(), slices: inSlices ? searches.slices : nil,
      bounds: searches.bounds.withLock(\.self), searches: searches)
  }
}

/// What the searches of a store have in common.
final class Searches: Sendable {
  let clock = Mutex<(@Sendable () -> (now: Date, zone: ZoneClock))?>(nil)
  let slices = SearchSlices()
  /// Changed by tests alone.
  let bounds = Mutex(SearchBounds())
  /// The last instant that the store's time was moved to.
  let advanced = Mutex<Milliseconds?>(nil)
  /// Those of saved lists, by their texts.
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

/// How much a search may still do; counted, so that it is the same on every machine. A unit is about half a microsecond.
struct SearchWork {
  private(set) var left: Int

  static let unlimited = SearchWork(left: .max)

  var isDone: Bool { left <= 0 }

  mutating func spend(_ units: Int) { if left != .max { left -= units } }
}

/// What slices of searches have found so far, so that the next slice goes on from there.
///
/// Only searches that aren't finished within one slice are here. When the store changes, they go on: what they found is
/// judged again, and what came since then is judged; what changed otherwise is found by the next search.
final class SearchSlices: Sendable {
  struct Page: Hashable {
    var query: InboxQuery
    /// What that means; of a saved list it may change.
    var meant: Query
    var isDown: Bool
    var start: ListKey?
    var isStartIncluded: Bool
  }

  struct Progress {
    /// In the page's direction.
    var found: [ListKey]
    /// The last key that was looked at; nil once all were.
    var frontier: ListKey?
    /// When it began: the clock of its conditions.
    var time: (now: Date, zone: ZoneClock)
    /// The last message that was there then.
    var newest: Int64
    /// Of the store.
    var version: Int64
  }

  /// How many pages are kept: those of one list, and of the counting of its hits.
  private static let most = 8

  private let pages = Mutex<[(page: Page, progress: Progress)]>([])
  private let changes = Mutex<Int64>(0)

  /// Of the store, as far as this process knows.
  var version: Int64 { changes.withLock(\.self) }

  func storeChanged() { changes.withLock { $0 += 1 } }

  func progress(of page: Page) -> Progress? {
    pages.withLock { pages in pages.first { $0.page == page }?.progress }
  }

  func set(_ progress: Progress, of page: Page) {
    pages.withLock { pages in
      // Another search: the earlier one is over.
      pages.removeAll { $0.page == page || $0.page.query.search != page.query.search }
      pages.append((page, progress))
      if pages.count > Self.most { pages.removeFirst() }
    }
  }
}
