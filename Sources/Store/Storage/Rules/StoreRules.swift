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

  /// Stores which rules the settings have. What a rule hid that is gone or written differently is judged again,
  /// some messages to a transaction.
  ///
  /// - Parameter rules: names, and texts that are equal where the rules are. Without a change nothing is written.
  package func apply(rules: [String: String], at now: Date) throws(StoreFailure) {
    let known = try ruleTexts()
    if known == rules { return }
    // New ones are counted from now on, before anything else.
    try write { db in
      let insert = try db.prepared("INSERT OR IGNORE INTO rule (name, text, hits) VALUES (?, ?, 0)")
      for (name, text) in rules where known[name] == nil {
        try insert.bind(1, name)
        try insert.bind(2, text)
        try insert.run()
      }
    }
    for (name, text) in known where rules[name] != text {
      var last: Int64? = 0
      while let after = last {
        last = try maintain { db in try rejudgeHidden(by: name, after: after, db, at: now) }
      }
      try write { db in
        let change = try db.prepared(
          rules[name] == nil
            ? "DELETE FROM rule WHERE name = ?1" : "UPDATE rule SET text = ?2 WHERE name = ?1")
        try change.bind(1, name)
        if let text = rules[name] { try change.bind(2, text) }
        try change.run()
      }
    }
  }

  /// - Returns: The last one that was judged; nil if there are no more.
  private func rejudgeHidden(
    by rule: String, after last: Int64, _ db: Database, at now: Date
  ) throws -> Int64? {
    let query = try db.prepared(
      "SELECT message_id FROM status WHERE hidden_by = ? AND message_id > ? ORDER BY message_id LIMIT ?")
    try query.bind(1, rule)
    query.bind(2, last)
    query.bind(3, Rejudging.most)
    var ids: [Int64] = []
    try query.forEach { ids.append(query.int(0)) }
    guard !ids.isEmpty else { return nil }
    if let rejudging = try Rejudging(db, columns, arrivals, at: now.milliseconds) {
      try rejudging.judge(ids)
    } else {
      // There are no rules any more.
      try MarkWriter(db, by: .rule, at: now.milliseconds).set(.hidden(nil), on: IDRanges(ids))
    }
    return ids.last
  }

  private func ruleTexts() throws(StoreFailure) -> [String: String] {
    try read { db in
      var texts: [String: String] = [:]
      let query = try db.prepared("SELECT name, text FROM rule")
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
        FROM rule r LEFT JOIN hidden_tally h ON h.rule = r.name
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
