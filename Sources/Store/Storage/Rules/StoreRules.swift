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

  /// Stores which rules the settings have, some messages to a transaction.
  ///
  /// Messages that a rule hides are judged again if the rule is gone or written differently. A rule that is back as it was
  /// written hides the same messages again. If a step of the journal changed the rules, the journal keeps the changes of messages
  /// with it, and the undo of the step reverts just those.
  ///
  /// - Parameter rules: names, and texts that are equal where the rules are. Without a change nothing is written.
  package func apply(rules: [String: String], at now: Date) throws(StoreFailure) {
    let changes = RuleChange.between(try ruleTexts(), rules)
    if changes.isEmpty { return }
    let steps = try read { db in try RuleSteps(changes, Journal(db)) }
    // First, so that it is not judged.
    for act in steps.givenBack {
      var last: MarkLog.Place? = MarkLog.Place()
      while let after = last {
        last = try maintain { db in try giveBack(act, after: after, keeping: steps.keeper, db, at: now) }
      }
    }
    for change in changes where change.before != nil {
      var last: Int64? = 0
      while let after = last {
        last = try maintain { db in
          try rejudgeHidden(by: change.name, after: after, besides: steps, db, at: now)
        }
      }
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
    // If the step is done once more, it keeps its changes again.
    for act in steps.reverted {
      var isLeft = true
      while isLeft { isLeft = try maintain { db in try MarkLog(db).forgetSome(of: act) } }
    }
  }

  /// The steps of the journal by which rules changed.
  private struct RuleSteps {
    /// The acts whose changes are reverted.
    var reverted: [Int64] = []
    /// The acts whose former marks messages get back: the reverted ones, or those after which a rule was gone that is back.
    var givenBack: [Int64] = []
    /// The act that keeps what changes now; `nil` if the settings were edited by hand.
    var keeper: Int64?

    init(_ changes: [RuleChange], _ journal: Journal) throws {
      var steps: [Journal.RuleStep] = []
      var departures: [Int64] = []
      for change in changes {
        if let before = change.before {
          let (departure, arrival) = try journal.steps(ofRule: change.name, written: before)
          if let departure, departure.isAfter(arrival) { steps.append(departure) }
        }
        if let after = change.after {
          let (departure, arrival) = try journal.steps(ofRule: change.name, written: after)
          if let arrival, arrival.isAfter(departure) { steps.append(arrival) }
          if let departure { departures.append(departure.keeper) }
        }
      }
      keeper = steps.max { $1.isAfter($0) }?.keeper
      reverted = Set(steps.compactMap(\.reverts)).sorted()
      givenBack = reverted.isEmpty ? Set(departures).sorted() : reverted
    }
  }

  /// Gives messages back what they had before an act.
  ///
  /// - Parameter keeper: the act that keeps what they had now.
  /// - Returns: where it ended; nil if there are no more.
  private func giveBack(
    _ act: Int64, after last: MarkLog.Place, keeping keeper: Int64?, _ db: Database, at now: Date
  ) throws -> MarkLog.Place? {
    let (changes, end) = try MarkLog(db).changes(of: act, after: last, limit: Rejudging.most)
    let writer = MarkWriter(db, by: .rule, at: now.milliseconds)
    try writer.giveBack(changes)
    if let keeper { try MarkLog(db).extend(writer.changes.all, of: keeper) }
    let hidden = changes.filter { $0.field == .hidden }.compactMap { $0.messages.ranges.first?.lowerBound }
    try Rejudging(db, columns, arrivals, at: now.milliseconds)?.setMoments(of: hidden)
    return end
  }

  /// - Parameter steps: messages that they gave to the rule are left out.
  /// - Returns: The last one that was judged; nil if there are no more.
  private func rejudgeHidden(
    by rule: String, after last: Int64, besides steps: RuleSteps, _ db: Database, at now: Date
  ) throws -> Int64? {
    let query = try db.prepared(
      """
      SELECT message_id, hidden_at FROM status WHERE hidden_by = ?1 AND message_id > ?2 AND NOT EXISTS
        (SELECT 1 FROM json_each(?3) a CROSS JOIN mark_change c ON c.act = a.value
          AND c.field = \(Mark.Field.hidden.rawValue) AND c.message = message_id
          WHERE substr(c.old, instr(c.old, ' ') + 1) = ?1)
      ORDER BY message_id LIMIT ?4
      """)
    try query.bind(1, rule)
    query.bind(2, last)
    try query.bind(3, StoredJSON.text(steps.givenBack))
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
    if let keeper = steps.keeper {
      // Also what is hidden still: the rule, as it was written, may judge otherwise later.
      let marked = try db.prepared("SELECT hidden_by, hidden_at FROM status WHERE message_id = ?")
      for (id, old) in hidden {
        marked.bind(1, id)
        let new = try marked.first { Mark(.hidden, marked, at: 0) }
        changes.append(MarkChange(IDRanges([id]), old: old, new: new ?? .hidden(nil)))
      }
      try MarkLog(db).extend(changes, of: keeper)
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
