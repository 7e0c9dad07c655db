import Basics
import Foundation
import GRDB
import Messages
import Queries

/// Finds the messages of a list that match a query, page by page in list order.
///
/// If an index knows the few that may match, these are sorted and judged, as far as the page needs them. Otherwise the
/// list is walked from the beginning of the page, restricted by times, marks, sources and priorities if possible. In
/// both cases `QueryMatcher` decides.
///
/// If a list shows one message for several duplicates, it is found if any of them matches.
final class SearchPages {
  private let db: Database
  private let query: InboxQuery
  private let range: ListRange
  /// The query in negation normal form, together with that of the saved list.
  private let meant: Query
  private let searching: Searching
  private let time: (now: Date, zone: ZoneClock)
  private let judge: QueryJudge
  private let reader: FactsReader
  private let finder: CandidateFinder
  private let configured: Set<Int64>
  private let hasCopies: Bool
  /// The states, for example dismissed, that hide messages from other lists, but not from this one.
  private let lifted: Facts.States
  /// The keys of all messages that may match, once they were looked for; the inner value is `nil` if they are too many.
  private var candidates: [ListKey]??
  /// The part of the list to examine, once it is known; the inner value is `nil` if no message can match.
  private var walk: ListWalk??
  /// Requirements that all matching messages meet: an expression of the text index, and one facet from each of these
  /// groups.
  private var needed: (text: String?, facets: [[Int64]])?

  /// The last examined key if the work ended before the page was full. If several pages were read, it is the
  /// last of their keys.
  private(set) var lookedTo: ListKey?

  /// - Returns: `nil` if the search isn't a query, or the scope is a list that doesn't exist.
  convenience init?(_ db: Database, _ query: InboxQuery, within range: ListRange, _ searching: Searching)
    throws
  {
    let text = query.search ?? ""
    guard case .success(var meant) = Query.parse(text, query.isStrict ? .strict : .typing) else { return nil }
    if case .list(let list) = query.scope {
      guard let own = try SavedLists(db).query(of: list).flatMap(searching.query) else { return nil }
      meant = .all(of: [own, meant])
    }
    try self.init(db, query, meant, within: range, searching, at: nil)
  }

  /// - Parameter time: the time, or `nil` for that of the clock.
  private init(
    _ db: Database, _ query: InboxQuery, _ meant: Query, within range: ListRange, _ searching: Searching,
    at time: (now: Date, zone: ZoneClock)?
  ) throws {
    let clock = try StoreClock(db, searching.columns).now()
    (self.db, self.query, self.range, self.searching) = (db, query, range, searching)
    let normal = meant.negationNormalForm
    self.meant = normal
    let time = time ?? searching.time ?? (Date(milliseconds: clock), .gmt)
    self.time = time
    let tokenizer = try SearchTokenizer(db)
    reader = try FactsReader(db, searching.columns, subjects: meant.subjects, at: clock)
    finder = CandidateFinder(
      db: db, tokenizer: tokenizer, reader: reader, hasFacets: try FacetChanges.areComplete(db),
      hasTexts: try SearchIndex.isComplete(db), now: clock,
      few: searching.bounds.few)
    var configured: Set<Int64> = []
    let sources = try db.prepared("SELECT id FROM source WHERE position IS NOT NULL")
    try sources.forEach { configured.insert(sources.int(0)) }
    self.configured = configured
    hasCopies = try Duplicates(db).exist()
    lifted = normal.liftedStates
    judge = QueryJudge(
      db, query, normal, within: range, reader, configured: configured, hasCopies: hasCopies,
      work: searching.slices == nil ? .unlimited : searching.bounds.work
    ) { QueryMatcher($0, tokenizer: tokenizer, now: time.now, zone: time.zone) }
  }

  /// Returns the keys of a page, like `ListPages.keys`. In slices, `lookedTo` is the position at which the search ended
  /// if the page isn't full.
  func keys(
    _ direction: ListPages.Direction, of key: ListKey?, including: Bool, limit: Int
  ) throws -> [ListKey] {
    let place = Place(direction: direction, key: key, isIncluded: including)
    guard let slices = searching.slices else { return try search(place, limit: limit).found }
    let version = slices.version
    let page = SearchSlices.Page(
      query: query, meant: meant, isDown: direction == .older, start: key, isStartIncluded: including)
    var progress: SearchSlices.Progress
    if let known = slices.progress(of: page) {
      progress = known
      if known.version != version { try judgeAgain(&progress, place, limit: limit) }
      progress.version = version
      if progress.found.count < limit, let frontier = progress.frontier {
        let next = Place(direction: direction, key: frontier, isIncluded: false)
        // The clock of its beginning is used, since there would otherwise be gaps.
        let pages = try SearchPages(db, query, meant, within: range, searching, at: progress.time)
        pages.judge.work = judge.work
        let more = try pages.search(next, limit: limit - progress.found.count)
        judge.work = pages.judge.work
        progress.found += more.found
        progress.frontier = more.frontier ?? more.found.last.flatMap { more.isFull ? $0 : nil }
      }
      slices.set(progress, of: page)
    } else {
      let found = try search(place, limit: limit)
      guard let frontier = found.frontier else { return found.found }
      let newest = try db.integer("SELECT last_message FROM store") ?? 0
      progress = .init(
        found: found.found, frontier: frontier, time: time, newest: newest, version: version)
      slices.set(progress, of: page)
    }
    if progress.found.count < limit { lookedTo = progress.frontier }
    return Array(progress.found.prefix(limit))
  }

  /// The key at which a page begins, and its direction.
  private struct Place {
    var direction: ListPages.Direction
    var key: ListKey?
    var isIncluded: Bool

    func contains(_ other: ListKey) -> Bool {
      guard let key else { return true }
      return (other == key && isIncluded) || direction.isBefore(key, other)
    }
  }

  private struct Found {
    var found: [ListKey] = []
    /// The last examined key if the search ended because its allowed amount of work was used up; otherwise
    /// `nil`.
    var frontier: ListKey?
    var isFull = false
  }

  /// Returns every unread message that matches.
  func unreadIDs() throws -> IDRanges {
    var unread = query
    unread.isUnreadOnly = true
    guard let range = try ListRange(db, unread.scope, isUnreadOnly: true) else { return IDRanges() }
    let pages = try SearchPages(db, unread, meant, within: range, searching, at: time)
    var ids = try pages.search(Place(direction: .older, key: nil, isIncluded: true), limit: .max)
      .found.map(\.id.rawValue)
    return IDRanges(sorting: &ids)
  }

  private func search(_ place: Place, limit: Int) throws -> Found {
    if let candidates = try knownCandidates() {
      return try judged(
        candidates.filter(place.contains).sorted(by: place.direction.isBefore), limit: limit)
    }
    return try walk(place, limit: limit)
  }

  // MARK: - Few candidates

  /// Returns the keys of all messages that may match, or `nil` if they are many.
  private func knownCandidates() throws -> [ListKey]? {
    if let candidates { return candidates }
    let found = try findCandidates()
    candidates = .some(found)
    return found
  }

  private func findCandidates() throws -> [ListKey]? {
    // The lists of snoozed, dismissed and hidden messages have their own order, which only they know.
    guard range.putAway == nil, let ids = try finder.candidates(meant) else { return nil }
    let times = times()
    guard !times.isEmpty else { return [] }
    var keys: Set<ListKey> = []
    for id in ids {
      if let key = try judge.listed(id), times.contains(key.sortTime) { keys.insert(key) }
    }
    return Array(keys)
  }

  private func judged(_ keys: [ListKey], limit: Int) throws -> Found {
    var found = Found()
    for key in keys {
      if try judge.isMatch(key) { found.found.append(key) }
      if found.found.count >= limit {
        found.isFull = true
        return found
      }
      if judge.work.isDone, key != keys.last {
        found.frontier = key
        return found
      }
    }
    return found
  }

  // MARK: - Walking

  private func walk(_ place: Place, limit: Int) throws -> Found {
    var found = Found()
    guard let walk = try knownWalk() else { return found }
    let needed = try knownNeeds()
    var (next, including) = (place.key, place.isIncluded)
    var length = 64
    while true {
      let keys = try walk.keys(place.direction, of: next, including: including, limit: length)
      judge.work.spend(keys.count)
      let matching = try needed.text.map { try ids(of: keys, matching: $0) }
      for key in keys where try mayMatch(key, matching, needed.facets) {
        if try judge.isMatch(key) { found.found.append(key) }
        if found.found.count >= limit {
          found.isFull = true
          return found
        }
        if judge.work.isDone {
          found.frontier = key
          return found
        }
      }
      guard keys.count == length, let last = keys.last else { return found }
      if judge.work.isDone {
        found.frontier = last
        return found
      }
      (next, including) = (last, false)
      length = min(512, length * 2)
    }
  }

  private func knownWalk() throws -> ListWalk? {
    if let walk { return walk }
    let made = try makeWalk()
    walk = .some(made)
    return made
  }

  private func makeWalk() throws -> ListWalk? {
    if range.putAway != nil { return ListWalk(ranges: [range], times: nil) }
    let times = times()
    if times.isEmpty { return nil }
    let conjuncts = meant.conjuncts.compactMap { query in
      if case .test(let test) = query { test } else { nil }
    }
    var unread = query
    if conjuncts.contains(.state([.unread])) { unread.isUnreadOnly = true }
    if conjuncts.contains(.state([.starred])), query.scope == .all { unread.scope = .starred }
    guard var list = try ListRange(db, unread.scope, isUnreadOnly: unread.isUnreadOnly) else { return nil }
    // A duplicate in another source may match; then its original is found elsewhere.
    if !hasCopies {
      for test in conjuncts {
        guard let sources = try reader.sources(where: test), test.subjects != [.kinds] else { continue }
        guard let less = try list.only(sources: sources.intersection(configured)) else { return nil }
        list = less
      }
    }
    var ranges = [list]
    if !hasCopies, let levels = conjuncts.compactMap(\.priorities).min(by: { $0.count < $1.count }),
      !levels.contains(Priority.normal.rawValue), unread.scope != .starred
    {
      ranges = try levels.sorted().compactMap { try list.only(Priority($0)) }
    }
    if !lifted.isEmpty, let away = try range.away() { ranges.append(away) }
    if ranges.isEmpty { return nil }
    return ListWalk(ranges: ranges, times: times == Self.allTimes ? nil : times)
  }

  /// The range of all times: no message's time is farther from 1970.
  private static let allTimes: Range<Int64> = -(1 << 50)..<(1 << 50) + 1

  /// Returns the range of times of all messages that may match; those of duplicates may differ.
  private func times() -> Range<Int64> {
    guard let bounds = meant.timeBounds(now: time.now, zone: time.zone) else { return 0..<0 }
    if hasCopies { return Self.allTimes }
    let from = bounds.from.map(Self.milliseconds) ?? Self.allTimes.lowerBound
    let to = bounds.to.map(Self.milliseconds) ?? Self.allTimes.upperBound
    return from < to ? from..<to : 0..<0
  }

  /// Returns the first whole millisecond that isn't before a date.
  private static func milliseconds(_ date: Date) -> Int64 {
    let value = (date.timeIntervalSince1970 * 1000).rounded(.up)
    return Int64(min(max(value, -Double(1 << 50)), Double(1 << 50)))
  }

  /// Returns the requirements that indexes can test faster than the text of each message.
  private func knownNeeds() throws -> (text: String?, facets: [[Int64]]) {
    if let needed { return needed }
    var facets: [[Int64]] = []
    for case .test(let test) in meant.conjuncts {
      if let known = try finder.facets(test), known.count <= 4 { facets.append(known) }
    }
    let made = (try finder.text(of: meant.conjuncts), facets)
    needed = made
    return made
  }

  /// Returns the messages among `keys` that the expression finds in the text index.
  private func ids(of keys: [ListKey], matching expression: String) throws -> Set<Int64> {
    let ids = keys.map(\.id.rawValue).sorted()
    let query = try db.prepared("SELECT rowid FROM search WHERE search MATCH ? AND rowid BETWEEN ? AND ?")
    var matching: Set<Int64> = []
    var index = 0
    while index < ids.count {
      var end = index
      while end + 1 < ids.count, ids[end + 1] - ids[end] <= 16 { end += 1 }
      try query.bind(1, expression)
      query.bind(2, ids[index])
      query.bind(3, ids[end])
      try query.forEach { matching.insert(query.int(0)) }
      judge.work.spend(10)
      index = end + 1
    }
    return matching
  }

  /// Whether a message or one of its duplicates can match according to the indexes.
  private func mayMatch(_ key: ListKey, _ matching: Set<Int64>?, _ facets: [[Int64]]) throws -> Bool {
    if let matching, !matching.contains(key.id.rawValue) { return try hasCopies && isCopied(key) }
    let query = try db.prepared("SELECT 1 FROM facet WHERE facet = ? AND message_id = ?")
    for one in facets {
      judge.work.spend(2)
      let isKnown = try one.contains { facet in
        query.bind(1, facet)
        query.bind(2, key.id.rawValue)
        return try query.first { true } ?? false
      }
      if !isKnown { return try hasCopies && isCopied(key) }
    }
    return true
  }

  /// Whether a message has duplicates.
  private func isCopied(_ key: ListKey) throws -> Bool {
    try db.integer("SELECT 1 FROM status WHERE original_id = ? LIMIT 1", key.id.rawValue) == 1
  }

  // MARK: - Slices

  /// Judges the matches of earlier slices again after the store changed, and judges the messages that have
  /// arrived since then.
  private func judgeAgain(
    _ progress: inout SearchSlices.Progress, _ place: Place, limit: Int
  ) throws {
    if progress.found.count > limit {
      progress.found.removeSubrange(limit...)
      progress.frontier = progress.found.last
    }
    var keys = Set(progress.found)
    let query = try db.prepared("SELECT id FROM message WHERE id > ? ORDER BY id LIMIT 1000")
    query.bind(1, progress.newest)
    var ids: [Int64] = []
    try query.forEach { ids.append(query.int(0)) }
    for id in ids {
      if let key = try judge.listed(id) { keys.insert(key) }
    }
    progress.newest = ids.last ?? progress.newest
    var found: [ListKey] = []
    for key in keys where place.contains(key) {
      // It may now have another position, or none.
      guard let head = try MessageHead.find(key.id.rawValue, db), head.key == key || range.putAway != nil,
        try judge.isMatch(key)
      else { continue }
      if let frontier = progress.frontier, place.direction.isBefore(frontier, key) { continue }
      found.append(key)
    }
    progress.found = found.sorted(by: place.direction.isBefore)
  }
}
