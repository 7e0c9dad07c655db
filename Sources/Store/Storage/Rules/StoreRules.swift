package import Foundation
import GRDB
package import Messages

/// What is known of a rule of the settings.
package struct RuleRecord: Hashable, Sendable {
  /// How it is written, in one way; another text is another rule.
  package var text: String
  /// How many messages it touched.
  package var hits = 0
  package var lastHit: Date?
  /// How many messages it hides.
  package var hidden = 0

  package init(text: String) { self.text = text }
}

/// What rules of the settings did, would do and hide, and their programs that are to run.
package struct StoreRules: StorePart {
  let store: Store

  /// The text of a rule that the settings have no more. How many messages it touched is kept: it may come back.
  static let gone = "-"

  /// Stores which rules the settings have, some messages to a transaction. Messages that a rule hides are judged again if the
  /// rule is gone or written differently. The journal then keeps their earlier marks with the edit of the settings, if that is
  /// a step. A rule that is back as it was written hides the same messages again: after an undo, a redo, or when it is
  /// switched on.
  ///
  /// - Parameter rules: names, and texts that are equal where the rules are. Without a change nothing is written.
  package func apply(rules: [String: String], at now: Date) throws(StoreFailure) {
    let changes = RuleChange.between(try ruleTexts(), rules)
    if changes.isEmpty { return }
    let departures = try read { db in
      let journal = Journal(db)
      return try changes.map { change in
        (
          earlier: try change.after.flatMap { try journal.departure(of: change.name, $0) },
          new: try change.before.flatMap { try journal.departure(of: change.name, $0) }
        )
      }
    }
    // First, so that it is not judged.
    for case let earlier? in departures.map(\.earlier) {
      var last: MarkLog.Place? = MarkLog.Place()
      while let after = last {
        last = try maintain { db in try giveBack(earlier, after: after, db, at: now) }
      }
    }
    for (change, departure) in zip(changes, departures) where change.before != nil {
      var last: Int64? = 0
      while let after = last {
        last = try maintain { db in
          try rejudgeHidden(
            by: change.name, after: after, besides: departure.earlier, keeping: departure.new, db, at: now)
        }
      }
    }
    for act in Set(departures.compactMap(\.earlier)).subtracting(departures.compactMap(\.new)) {
      var isLeft = true
      while isLeft { isLeft = try maintain { db in try MarkLog(db).forgetSome(of: act) } }
    }
    try write { db in
      let change = try db.prepared(
        """
        INSERT INTO rule (name, text, hits) VALUES (?1, ?2, 0) ON CONFLICT (name) DO UPDATE SET text = excluded.text
        """)
      for rule in changes {
        try change.bind(1, rule.name)
        try change.bind(2, rule.after ?? Self.gone)
        try change.run()
      }
    }
  }

  /// Gives messages back what a rule had made of them.
  ///
  /// - Parameter act: as in `Journal.departure`.
  /// - Returns: where it ended; nil if there are no more.
  private func giveBack(
    _ act: Int64, after last: MarkLog.Place, _ db: Database, at now: Date
  ) throws -> MarkLog.Place? {
    let (changes, end) = try MarkLog(db).changes(of: act, after: last, limit: Rejudging.most)
    try MarkWriter(db, by: .rule, at: now.milliseconds).giveBack(changes)
    let hidden = changes.filter { $0.field == .hidden }.compactMap { $0.messages.ranges.first?.lowerBound }
    try Rejudging(db, columns, arrivals, at: now.milliseconds)?.setMoments(of: hidden)
    return end
  }

  /// - Parameters:
  ///   - earlier: an act of the journal whose messages are left out.
  ///   - act: the act of the journal that keeps how it was.
  /// - Returns: The last one that was judged; nil if there are no more.
  private func rejudgeHidden(
    by rule: String, after last: Int64, besides earlier: Int64?, keeping act: Int64?, _ db: Database,
    at now: Date
  ) throws -> Int64? {
    let query = try db.prepared(
      """
      SELECT message_id, hidden_at FROM status WHERE hidden_by = ? AND message_id > ? AND NOT EXISTS
        (SELECT 1 FROM mark_change WHERE act = ? AND field = \(Mark.Field.hidden.rawValue) AND message = message_id)
      ORDER BY message_id LIMIT ?
      """)
    try query.bind(1, rule)
    query.bind(2, last)
    query.bind(3, earlier)
    query.bind(4, Rejudging.most)
    var hidden: [(id: Int64, mark: Mark)] = []
    try query.forEach {
      hidden.append((query.int(0), .hidden(.init(rule: rule, at: query.optionalInt(1) ?? 0))))
    }
    guard !hidden.isEmpty else { return nil }
    let ids = hidden.map(\.id)
    var changes: [MarkChange] = []
    if let rejudging = try Rejudging(db, columns, arrivals, at: now.milliseconds) {
      changes = try rejudging.judge(ids).filter { $0.field != .hidden }
    } else {
      // There are no rules any more.
      try MarkWriter(db, by: .rule, at: now.milliseconds).set(.hidden(nil), on: IDRanges(ids))
    }
    if let act {
      // Also what is hidden still: the rule, as it was written, may judge otherwise later.
      let marked = try db.prepared("SELECT hidden_by, hidden_at FROM status WHERE message_id = ?")
      for (id, old) in hidden {
        marked.bind(1, id)
        let new = try marked.first { Mark(.hidden, marked, at: 0) }
        changes.append(MarkChange(IDRanges([id]), old: old, new: new ?? .hidden(nil)))
      }
      try MarkLog(db).add(changes.flatMap(\.ofEach), to: act)
    }
    return ids.last
  }

  private func ruleTexts() throws(StoreFailure) -> [String: String] {
    try read { db in
      var texts: [String: String] = [:]
      let query = try db.prepared("SELECT name, text FROM rule WHERE text <> '\(Self.gone)'")
      try query.forEach { texts[query.text(0)] = query.text(1) }
      return texts
    }
  }

  /// By name.
  package func records() throws(StoreFailure) -> [String: RuleRecord] {
    try read { db in
      var records: [String: RuleRecord] = [:]
      let query = try db.prepared(
        """
        SELECT r.name, r.text, r.hits, r.last_hit, coalesce(h.count, 0)
        FROM rule r LEFT JOIN hidden_tally h ON h.rule = r.name WHERE r.text <> '\(Self.gone)'
        """)
      try query.forEach {
        var record = RuleRecord(text: query.text(1))
        record.hits = Int(query.int(2))
        record.lastHit = query.optionalInt(3).map(Date.init(milliseconds:))
        record.hidden = Int(query.int(4))
        records[query.text(0)] = record
      }
      return records
    }
  }

  /// The number of messages that each rule touched since a moment, keyed by its name.
  package func hits(since moment: Date) throws(StoreFailure) -> [String: Int] {
    try read { db in
      var hits: [String: Int] = [:]
      let query = try db.prepared("SELECT rule, count(*) FROM touched WHERE at >= ? GROUP BY rule")
      query.bind(1, moment.milliseconds)
      try query.forEach { hits[query.text(0)] = Int(query.int(1)) }
      return hits
    }
  }

  /// The rules that touched a message, in their order, with the time.
  package func touches(of id: MessageID) throws(StoreFailure) -> [(rule: String, at: Date)] {
    try read { db in
      let query = try db.prepared("SELECT rule, at FROM touched WHERE message_id = ? ORDER BY place")
      query.bind(1, id.rawValue)
      var rules: [(rule: String, at: Date)] = []
      try query.forEach { rules.append((query.text(0), Date(milliseconds: query.int(1)))) }
      return rules
    }
  }

  /// The rule that hides a message.
  package func hider(of id: MessageID) throws(StoreFailure) -> String? {
    try read { db in
      let query = try db.prepared("SELECT hidden_by FROM status WHERE message_id = ?")
      query.bind(1, id.rawValue)
      return try query.first { query.optionalText(0) } ?? nil
    }
  }
}

extension MarkChange {
  /// One change for each message.
  fileprivate var ofEach: [MarkChange] {
    messages.ranges.flatMap { $0.map { MarkChange(IDRanges([$0]), old: old, new: new) } }
  }
}
