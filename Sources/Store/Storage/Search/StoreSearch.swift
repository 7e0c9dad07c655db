package import Basics
package import Foundation
import GRDB
package import Messages
package import Queries

/// Queries: their matches, the names that they can use, and the facets that make them fast.
package struct StoreSearch: StorePart {
  let store: Store

  /// Returns values that messages have, for completions: some of each field.
  package func names(limit: Int = 500) throws(StoreFailure) -> [Query.NameField: [String]] {
    try read { db in
      var names: [Query.NameField: [String]] = [:]
      let query = try db.prepared("SELECT name FROM facet_name WHERE field = ? ORDER BY folded LIMIT ?")
      let fields: [(Query.NameField, Facet.Field)] = [
        (.tag, .tag), (.lang, .lang), (.site, .site), (.channel, .channel),
      ]
      for (field, facet) in fields {
        query.bind(1, facet.rawValue)
        query.bind(2, limit)
        try query.forEach { names[field, default: []].append(query.text(0)) }
      }
      let rules = try db.prepared("SELECT name FROM rule WHERE text <> '\(StoreRules.gone)' ORDER BY name")
      try rules.forEach { names[.rule, default: []].append(rules.text(0)) }
      return names
    }
  }

  /// Returns the messages among the given ones that a query matches.
  package func matching(
    _ query: Query, among messages: [MessageID], at now: Date, in zone: ZoneClock
  ) throws(StoreFailure) -> Set<MessageID> {
    try read { db in
      let facts = try FactsReader(db, columns, at: now.milliseconds)
      let matcher = QueryMatcher(query, tokenizer: try SearchTokenizer(db), now: now, zone: zone)
      return try Set(
        messages.filter { try facts.facts(of: $0.rawValue).map(matcher.shows) ?? false })
    }
  }

  // MARK: - Messages of earlier versions

  /// Whether every message is in the indexes; searches use each of them from then on.
  package func isFilled() throws(StoreFailure) -> Bool {
    try read { db in try Self.isFilled(db) }
  }

  /// Rebuilds the text index, in slices, if half of its messages were deleted: their words would stay in it until as
  /// many others arrived.
  ///
  /// - Parameter removed: the number of deleted messages.
  func shrink(after removed: Int) throws(StoreFailure) {
    guard removed > 0, let left = try read({ db in try db.integer("SELECT count(*) FROM message") }),
      removed >= Int(left)
    else { return }
    try maintain { db in try SearchIndex.empty(db) }
    while try fill() {}
  }

  private static func isFilled(_ db: Database) throws -> Bool {
    try FacetChanges.areComplete(db) && SearchIndex.isComplete(db)
  }

  /// Adds messages that an earlier version stored to the facets, then to the text index, the newest first.
  ///
  /// - Parameter limit: the maximum number, which limits how long another write waits.
  /// - Returns: whether some are left.
  @discardableResult
  package func fill(limit: Int = 500) throws(StoreFailure) -> Bool {
    if try isFilled() { return false }
    return try maintain { db in
      if try !FacetChanges.areComplete(db) {
        try FacetChanges(db, columns).fill(limit)
      } else if try !SearchIndex.isComplete(db) {
        try SearchIndex.fill(db, limit)
      } else {
        try EntryFilling(db).fillSome(atMost: limit)
      }
      return try !Self.isFilled(db)
    }
  }
}
