package import Foundation
import GRDB
package import Messages
import Synchronization

/// The stored data on a rule of the settings.
package struct RuleRecord: Hashable, Sendable {
  /// The rule in its normal form. If the text changes, the rule counts as another one.
  package var text: String
  /// The number of messages that it changed.
  package var hits = 0
  package var lastHit: Date?
  /// The number of messages that it hides.
  package var hidden = 0

  package init(text: String) { self.text = text }
}

/// A lock within this process, with which changes of rules are applied one after the other.
final class RuleChanges: Sendable {
  let turn = Mutex(())
}

/// The records, trials and hidden messages of rules in the settings, and their waiting programs.
package struct StoreRules: StorePart {
  let store: Store

  /// The text that is stored for a rule that the settings no longer contain. The rule's number of changed
  /// messages is kept, since the rule may return.
  static let gone = "-"

  /// Stores the rules of the settings and applies their changes to the messages that they hide, in several short
  /// transactions.
  ///
  /// Messages that a rule hides are judged again if the rule was removed or changed. A rule that returns in the same
  /// form hides the same messages again. If a step of the journal changed the rules, the step also records which
  /// messages changed, and its undo reverts exactly those.
  ///
  /// - Parameter rules: the normal form of each rule by its name; two rules are the same if their normal forms are
  ///   equal. If nothing changed, nothing is written.
  package func apply(rules: [String: String], at now: Date) throws(StoreFailure) {
    let changes = RuleChange.between(try ruleTexts(), rules)
    if changes.isEmpty { return }
    let steps = try read { db in try RuleSteps(changes, Journal(db)) }
    // This is done first, so that it is not judged.
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
        if rule.before != nil { try Repetitions(db).end(of: rule.name) }
      }
    }
    // If the step is redone, it keeps its changes again.
    for act in steps.reverted {
      var isLeft = true
      while isLeft { isLeft = try maintain { db in try MarkLog(db).forgetSome(of: act) } }
    }
  }

  /// The steps of the journal by which rules changed.
  private struct RuleSteps {
    /// The acts whose changes are reverted.
    var reverted: [Int64] = []
    /// The acts whose changes of marks are undone: `reverted` or, if that is empty, the acts that removed
    /// a rule that has returned.
    var givenBack: [Int64] = []
    /// The act under which `mark_change` records the present changes, or `nil` if the settings were edited by
    /// hand.
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

  /// Restores some of the messages that an act changed to their state before that act.
  ///
  /// - Parameter keeper: the act under which `mark_change` records these changes, so that its undo can revert
  ///   them.
  /// - Returns: the position at which it ended, or `nil` if there are no more.
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

  /// Judges messages that a rule hides again, after the rule was removed or changed.
  ///
  /// - Parameter steps: the steps whose changes were undone; messages that these assigned to the rule are
  ///   left out.
  /// - Returns: the last judged message, or `nil` if there are no more.
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
      // This includes messages that are still hidden, since the rule in its former form may decide differently later.
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

  /// Whether the settings' rules differ from those that were applied last.
  package func differ(from rules: [String: String]) throws(StoreFailure) -> Bool { try ruleTexts() != rules }

  /// Does work that changes or applies rules, after the work of other threads and processes.
  ///
  /// Another process is waited for at most ten seconds: without its lock, both apply the same rules.
  package func inTurn<Value: Sendable, Failure: Error>(
    _ work: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try store.ruleChanges.turn.withLock { _ throws(Failure) in
      let lock = store.locks.lock(.ruleChanges, within: 10)
      defer { lock?.release() }
      return try work()
    }
  }

  /// Returns the normal forms of the rules that were applied last. A rule that judged messages but was never applied is
  /// not among them: its text is empty, and the messages that it hid stay hidden.
  private func ruleTexts() throws(StoreFailure) -> [String: String] {
    try read { db in
      var texts: [String: String] = [:]
      let query = try db.prepared("SELECT name, text FROM rule WHERE text NOT IN ('\(Self.gone)', '')")
      try query.forEach { texts[query.text(0)] = query.text(1) }
      return texts
    }
  }

  /// Returns the records, keyed by rule name.
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

  /// Returns the number of messages that each rule changed since a moment, keyed by its name.
  package func hits(since moment: Date) throws(StoreFailure) -> [String: Int] {
    try read { db in
      var hits: [String: Int] = [:]
      let query = try db.prepared("SELECT rule, count(*) FROM touched WHERE at >= ? GROUP BY rule")
      query.bind(1, moment.milliseconds)
      try query.forEach { hits[query.text(0)] = Int(query.int(1)) }
      return hits
    }
  }

  /// Returns the rules that changed a message, in their order, with the time.
  package func touches(of id: MessageID) throws(StoreFailure) -> [(rule: String, at: Date)] {
    try read { db in
      let query = try db.prepared("SELECT rule, at FROM touched WHERE message_id = ? ORDER BY position")
      query.bind(1, id.rawValue)
      var rules: [(rule: String, at: Date)] = []
      try query.forEach { rules.append((query.text(0), Date(milliseconds: query.int(1)))) }
      return rules
    }
  }

  /// Returns the name of the rule that hides a message, or `nil` if none does.
  package func hider(of id: MessageID) throws(StoreFailure) -> String? {
    try read { db in
      let query = try db.prepared("SELECT hidden_by FROM status WHERE message_id = ?")
      query.bind(1, id.rawValue)
      return try query.first { query.optionalText(0) } ?? nil
    }
  }
}
