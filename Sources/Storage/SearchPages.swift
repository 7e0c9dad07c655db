import Foundation
import GRDB
import Messages

/// Finds the messages of a list that match some words, in list order, without looking at all that match.
///
/// The index knows ids, and lists are ordered by time. What leads from one to the other depends on how many
/// messages match. Few: all of them are read and sorted. Many: the list is walked from where the page begins, and
/// its ids looked up a run at a time. Neither: spans of ids are visited from the newest on, until none is left
/// that could hold something newer than what was found.
///
/// A last word that very many words begin with is handled differently: the index gathers all that a prefix matches before
/// it yields the first. There the texts themselves are looked at, from where the page begins; only where that
/// finds too little is the index asked, once.
struct SearchPages {
  private let db: Database
  private let expression: String
  private let isPrefixWide: Bool
  private let range: ListRange
  private let configured: Set<Int64>

  /// Up to how many matches are all read.
  private static let few = 2000
  /// How far the list is walked: rows, with a lookup of a run of ids counting as 20 of them.
  private static let walkBudget = 20_000
  /// How many texts are looked at.
  private static let probeBudget = 3000
  /// How many completions of the last word are looked up one by one.
  private static let mostCompletions = 64

  /// Nil if there is nothing to search for.
  init?(_ db: Database, words: String, within range: ListRange) throws {
    var isPrefixWide = false
    let expression = try SearchWords(words).expression { stem in
      let completions = try Self.completions(of: stem, db)
      isPrefixWide = completions == nil
      return completions
    }
    guard let expression else { return nil }
    self.db = db
    self.isPrefixWide = isPrefixWide
    self.expression = expression
    self.range = range
    var configured: Set<Int64> = []
    let query = try db.prepared("SELECT id FROM source WHERE place IS NOT NULL")
    try query.forEach { configured.insert(query.int(0)) }
    self.configured = configured
  }

  func keys(
    _ direction: Pages.Direction, of key: ListKey?, including: Bool, limit: Int
  ) throws -> [ListKey] {
    // The index knows nothing of what is put away: its list is walked.
    if range.putAway != nil {
      return try gather(direction, of: key, including: including, limit: limit)
    }
    if isPrefixWide {
      return try probe(direction, of: key, including: including, limit: limit)
        ?? gather(direction, of: key, including: including, limit: limit)
    }
    let isWanted = Self.filter(direction, key, including)
    if try isFew() {
      return Array(try matches(in: 0...(.max), isWanted).sorted(by: direction.isBefore).prefix(limit))
    }
    if let keys = try walk(direction, of: key, including: including, limit: limit) { return keys }
    return try visitSpans(direction, of: key, isWanted, limit: limit)
  }

  func unreadIDs() throws -> IDRanges {
    if range.putAway != nil {
      let keys = try gather(.older, of: nil, including: true, limit: .max)
      return try IDRanges(keys.map(\.id.rawValue).sorted(), unreadIn: db)
    }
    return try IDRanges(try matches(in: 0...(.max)) { _ in true }.map(\.id.rawValue), unreadIn: db)
  }

  // MARK: - The ways

  private func isFew() throws -> Bool {
    let query = try db.prepared(
      "SELECT count(*) FROM (SELECT rowid FROM search WHERE search MATCH ? LIMIT ?)")
    try query.bind(1, expression)
    query.bind(2, Self.few + 1)
    return try query.first { query.int(0) <= Self.few } ?? true
  }

  /// Nil when the page was not filled within the budget.
  private func walk(
    _ direction: Pages.Direction, of key: ListKey?, including: Bool, limit: Int
  ) throws -> [ListKey]? {
    var budget = Self.walkBudget
    return try pick(direction, of: key, including: including, limit: limit, upTo: 2048) { keys in
      budget > 0 ? try matching(keys, budget: &budget) : nil
    }
  }

  /// Looks at the texts of the next few thousand messages; nil when that did not fill the page.
  private func probe(
    _ direction: Pages.Direction, of key: ListKey?, including: Bool, limit: Int
  ) throws -> [ListKey]? {
    let probe = try TextProbe()
    var budget = Self.probeBudget
    return try pick(direction, of: key, including: including, limit: limit, upTo: 512) { keys in
      budget -= keys.count
      return budget >= 0 ? try probe.matching(expression, in: texts(keys)) : nil
    }
  }

  /// Asks the index for all that matches, then walks the list.
  private func gather(
    _ direction: Pages.Direction, of key: ListKey?, including: Bool, limit: Int
  ) throws -> [ListKey] {
    let query = try db.prepared("SELECT rowid FROM search WHERE search MATCH ?")
    try query.bind(1, expression)
    var matching: Set<Int64> = []
    try query.forEach { matching.insert(query.int(0)) }
    return try pick(direction, of: key, including: including, limit: limit, upTo: 8192) { _ in matching }
      ?? []
  }

  /// Walks the list and keeps what `matching` finds among the next keys, until it gives up with nil.
  private func pick(
    _ direction: Pages.Direction, of key: ListKey?, including: Bool, limit: Int, upTo longest: Int,
    matching: ([ListKey]) throws -> Set<Int64>?
  ) throws -> [ListKey]? {
    var found: [ListKey] = []
    var place = key
    var including = including
    var length = 256
    while true {
      let keys = try range.keys(direction, of: place, including: including, limit: length)
      if keys.isEmpty { return found }
      guard let matching = try matching(keys) else { return nil }
      found += keys.filter { matching.contains($0.id.rawValue) }
      if found.count >= limit { return Array(found.prefix(limit)) }
      if keys.count < length { return found }
      place = keys.last
      including = false
      length = min(longest, length * 2)
    }
  }

  private func texts(_ keys: [ListKey]) throws -> [TextProbe.Text] {
    let query = try db.prepared(
      "SELECT m.title, d.body, d.author FROM message m CROSS JOIN detail d ON d.message_id = m.id WHERE m.id = ?"
    )
    return try keys.map(\.id.rawValue).sorted().compactMap { id in
      query.bind(1, id)
      return try query.first {
        TextProbe.Text(id: id, title: query.text(0), body: query.text(1), author: query.optionalText(2))
      }
    }
  }

  /// Which of the keys' messages match.
  private func matching(_ keys: [ListKey], budget: inout Int) throws -> Set<Int64> {
    let ids = keys.map(\.id.rawValue).sorted()
    let query = try db.prepared("SELECT rowid FROM search WHERE search MATCH ? AND rowid BETWEEN ? AND ?")
    var matching: Set<Int64> = []
    var index = 0
    budget -= ids.count
    while index < ids.count {
      var end = index
      while end + 1 < ids.count, ids[end + 1] - ids[end] <= 16 { end += 1 }
      try query.bind(1, expression)
      query.bind(2, ids[index])
      query.bind(3, ids[end])
      try query.forEach { matching.insert(query.int(0)) }
      budget -= 20
      index = end + 1
    }
    return matching
  }

  private func visitSpans(
    _ direction: Pages.Direction, of key: ListKey?, _ isWanted: (ListKey) -> Bool, limit: Int
  ) throws -> [ListKey] {
    var found: Set<ListKey> = []
    for span in try spans(direction, of: key) {
      if found.count >= limit {
        let page = found.sorted(by: direction.isBefore).prefix(limit)
        if let last = page.last, direction.isBeyond(span.nearest, last) { break }
        found = Set(page)
      }
      let first = span.block * SearchIndex.spanLength
      found.formUnion(try matches(in: first...first + SearchIndex.spanLength - 1, isWanted))
    }
    return Array(found.sorted(by: direction.isBefore).prefix(limit))
  }

  /// The spans that may hold keys beyond `key`, those first that may hold the nearest.
  private func spans(
    _ direction: Pages.Direction, of key: ListKey?
  ) throws -> [(block: Int64, nearest: Int64)] {
    let rank = key.map(SearchIndex.rank)
    let query: Prepared
    switch direction {
    case .older:
      query = try db.prepared("SELECT block, high FROM span WHERE low <= ? ORDER BY high DESC")
      query.bind(1, rank ?? .max)
    case .newer:
      query = try db.prepared("SELECT block, low FROM span WHERE high >= ? ORDER BY low")
      query.bind(1, rank ?? .min)
    }
    var spans: [(Int64, Int64)] = []
    try query.forEach { spans.append((query.int(0), query.int(1))) }
    return spans
  }

  // MARK: - Matches

  /// Matching messages of the list among a range of ids, and the firsts of matching copies.
  private func matches(
    in ids: ClosedRange<Int64>, _ isWanted: (ListKey) -> Bool
  ) throws -> Set<ListKey> {
    let query = try db.prepared(
      """
      SELECT \(MessageHead.columns) FROM search CROSS JOIN message m ON m.id = search.rowid
        CROSS JOIN status t ON t.message_id = m.id
      WHERE search MATCH ? AND search.rowid BETWEEN ? AND ?
      """)
    try query.bind(1, expression)
    query.bind(2, ids.lowerBound)
    query.bind(3, ids.upperBound)
    var keys: Set<ListKey> = []
    try query.forEach {
      var head = MessageHead(query)
      // Words that only a copy has find its first, which the list shows.
      if let first = head.first, !range.isIn(head) || !range.list.isPerSource {
        guard let shown = try MessageHead.find(first.id, db) else { return }
        head = shown
      }
      guard range.contains(source: head.source), range.isIn(head), isWanted(head.key),
        range.list.contains(head, isConfigured: configured.contains(head.source))
      else { return }
      keys.insert(head.key)
    }
    return keys
  }

  private static func filter(
    _ direction: Pages.Direction, _ key: ListKey?, _ including: Bool
  ) -> (ListKey) -> Bool {
    guard let key else { return { _ in true } }
    return { ($0 == key && including) || direction.isBefore(key, $0) }
  }

  /// The words of the index that begin with a stem, nil where they are too many.
  ///
  /// FTS5 gathers everything that a prefix matches before it yields the first row; single words it reads as far
  /// as it is asked. The vocabulary is skipped through, a word at a time.
  private static func completions(of stem: String, _ db: Database) throws -> [String]? {
    let stem = stem.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    let query = try db.prepared("SELECT term FROM search_terms WHERE term >= ? AND term < ? LIMIT 1")
    var words: [String] = []
    var from = stem
    while words.count <= mostCompletions {
      try query.bind(1, from)
      try query.bind(2, stem + "\u{10FFFF}")
      guard let word = try query.first({ query.text(0) }) else { return words }
      words.append(word)
      from = word + "\u{1}"
    }
    return nil
  }
}

extension Pages.Direction {
  /// Whether all of a span whose nearest rank this is lies beyond a key.
  fileprivate func isBeyond(_ nearest: Int64, _ key: ListKey) -> Bool {
    switch self {
    case .older: nearest < SearchIndex.rank(key)
    case .newer: nearest > SearchIndex.rank(key)
    }
  }
}

extension IDRanges {
  /// Those of the ids that are unread.
  fileprivate init(_ ids: [Int64], unreadIn db: Database) throws {
    let query = try db.prepared("SELECT 1 FROM status WHERE message_id = ? AND NOT is_read")
    self.init(
      try ids.filter { id in
        query.bind(1, id)
        return try query.first { true } ?? false
      })
  }
}
