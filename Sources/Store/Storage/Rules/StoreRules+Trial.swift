package import Basics
package import Foundation
import GRDB
package import Messages
package import Queries

extension StoreRules {
  /// Tests a query with every message that arrived since an instant. Each message is tested in its state on arrival,
  /// when a rule would have judged it: not hidden, dismissed or read. Only tags and priority have their current values.
  ///
  /// - Parameters:
  ///   - day: returns the number of the day of an instant.
  ///   - found: receives each matching message, the newest first.
  package func trial(
    of query: Query, since start: Date, now: Date, zone: ZoneClock, day: (Date) -> Int = { _ in 0 },
    found: (MessageID) -> Void = { _ in }
  ) throws(StoreFailure) -> RuleTrial {
    var trial = RuleTrial()
    while trial.rest != nil {
      trial = try goOn(with: trial, of: query, since: start, now: now, zone: zone, day: day, found: found)
    }
    return trial
  }

  /// Continues a trial with its next slice. Each slice reads the state of the store at its own instant, so
  /// that a long trial does not prevent a checkpoint, and other reads can run in between.
  package func goOn(
    with earlier: RuleTrial, of query: Query, since start: Date, now: Date, zone: ZoneClock,
    day: (Date) -> Int = { _ in 0 }, found: (MessageID) -> Void = { _ in }
  ) throws(StoreFailure) -> RuleTrial {
    guard let rest = earlier.rest else { return earlier }
    return try read { db in
      var trial = earlier
      let matcher = QueryMatcher(query, tokenizer: try SearchTokenizer(db), now: now, zone: zone)
      let facts = try FactsReader(db, columns, subjects: query.subjects, at: now.milliseconds)
      let slice = try db.prepared(
        """
        SELECT m.id, m.received, t.source_id, t.sort_time FROM message m CROSS JOIN status t ON t.message_id = m.id
        WHERE m.id < ? ORDER BY m.id DESC LIMIT ?
        """)
      slice.bind(1, rest.rawValue)
      slice.bind(2, Rejudging.most)
      var rows: [(id: Int64, received: Milliseconds, source: Int64, time: Milliseconds)] = []
      try slice.forEach { rows.append((slice.int(0), slice.int(1), slice.int(2), slice.int(3))) }
      let wanted = rows.filter { $0.received >= start.milliseconds }
      for row in wanted {
        guard let known = try facts.facts(of: row.id) else { continue }
        let received = Date(milliseconds: row.received)
        trial.looked += 1
        trial.lookedTo = received
        guard matcher.shows(known) || matcher.shows(known.asItCame) else { continue }
        trial.matched += 1
        if !known.states.contains(.unread) { trial.opened += 1 }
        if known.states.contains(.starred) { trial.starred += 1 }
        trial.bySource[SourceID(row.source), default: 0] += 1
        trial.byDay[day(received), default: 0] += 1
        if trial.samples.count < RuleTrial.mostSamples {
          trial.samples.append(
            RuleTrial.Sample(
              id: MessageID(row.id), source: SourceID(row.source), title: known.title,
              time: Date(milliseconds: row.time)))
        }
        found(MessageID(row.id))
      }
      // Ids follow the arrival, but the clock may have been set back: it ends with a slice that contains nothing.
      let isLast = rows.count < Rejudging.most || wanted.isEmpty
      trial.rest = isLast ? nil : rows.last.map { MessageID($0.id) }
      return trial
    }
  }

  /// Returns the newest listed messages of a source, except the message `id`.
  package func neighbours(
    of id: MessageID, in source: SourceID, limit: Int
  ) throws(StoreFailure) -> [RuleNeighbour] {
    try read { db in
      let facts = try FactsReader(db, columns, subjects: [.title, .tags], at: 0)
      let newest = try db.prepared(
        """
        SELECT message_id FROM status WHERE source_id = ? AND is_listed
        ORDER BY rank DESC, sort_time DESC, message_id DESC LIMIT ?
        """)
      newest.bind(1, source.rawValue)
      newest.bind(2, limit)
      var ids: [Int64] = []
      try newest.forEach { ids.append(newest.int(0)) }
      return try ids.filter { $0 != id.rawValue }.compactMap {
        try facts.facts(of: $0).map { RuleNeighbour(title: $0.title, tags: $0.tags) }
      }
    }
  }
}

extension StoreRules {
  /// Returns the number of messages that contain each of these words anywhere, from the text index. Counting stops at a
  /// share of all messages and at `Limits.countedMessages`, so that the cost does not grow with the store.
  ///
  /// - Returns: the numbers, keyed by word. A string is left out if the index splits it into several words, which would
  ///   require a scan, or finds no word in it.
  package func counts(of words: [String]) throws(StoreFailure) -> [String: WordCount] {
    try read { db in
      let total = try Int.fetchOne(db, sql: "SELECT coalesce(sum(total), 0) FROM tally") ?? 0
      let most = min(Limits.countedMessages, max(10, total / 4))
      let tokenizer = try SearchTokenizer(db)
      let count = try db.prepared(
        "SELECT count(*) FROM (SELECT 1 FROM search WHERE search MATCH ?1 LIMIT ?2)")
      count.bind(2, most)
      var counts: [String: WordCount] = [:]
      for word in words.prefix(Limits.proposedWords) {
        let tokens = tokenizer.tokens(of: word).words
        guard tokens.count == 1, tokenizer.tokens(of: tokens[0]).words == tokens else { continue }
        try count.bind(1, "\"\(tokens[0])\"")
        let found = try count.first { Int(count.int(0)) } ?? 0
        counts[word] = WordCount(found, isFrequent: found >= most)
      }
      return counts
    }
  }
}

extension Facts {
  /// These facts with the marks that every message has on arrival. The end of a message (for example of an
  /// alert) is left out too, since rules run before it is known.
  fileprivate var asItCame: Facts {
    var facts = self
    facts.states.subtract([.outOfInbox, .starred, .done])
    facts.states.formUnion([.unread, .new])
    return facts
  }
}
