package import Foundation
import GRDB
package import Messages
import Queries

/// What a rule changed of stored messages, as one act of the user: enough to undo it.
struct RuleChanges: Codable {
  /// Ids by what was done with them.
  var read: [Int64] = []
  var unread: [Int64] = []
  var starred: [Int64] = []
  var dismissed: [Int64] = []
  var snoozed: [Int64] = []
  var hidden: [Int64] = []
  /// What they had before.
  var tags: [Int64: [String]] = [:]
  var priorities: [Int64: Int] = [:]
}

extension Store {
  /// Does to messages that are there what rules say, as one act: one undo. What the user did with them stays; nobody is
  /// told, and no program is run.
  ///
  /// - Parameter judging: the rules.
  /// - Returns: How many messages it changed.
  package func apply(
    _ judging: any ArrivalJudging, to ids: [MessageID], at now: Date
  ) throws(StoreFailure) -> Int {
    try write(.system) { db in
      var changes = RuleChanges()
      let judge = judging.judge(try SearchTokenizer(db), at: now)
      let facts = try FactsReader(db, columns, at: now.milliseconds)
      let marks = RuleMarks(db, at: now.milliseconds)
      let lists = try ListChanges(db)
      var changed = IDRanges()
      for id in ids.map(\.rawValue).sorted() {
        guard let old = try MessageHead.find(id, db), let known = try facts.facts(of: id) else { continue }
        let verdict = judge.verdict(on: known, .firstPoll)
        guard !verdict.rules.isEmpty else { continue }
        let before = try Marks(id, db)
        try Self.give(verdict, to: id, known, &changes, db)
        try marks.apply(verdict, to: id, isNew: false, isApplied: true)
        guard let new = try MessageHead.find(id, db) else { continue }
        try lists.move(old, new)
        let after = try Marks(id, db)
        if changes.tags[id] != nil || changes.priorities[id] != nil || after != before { changed.append(id) }
        note(id, before, after, &changes)
      }
      try lists.finish()
      if changed.isEmpty { return 0 }
      try Journal(db).append(.rule, changed, changes: changes, at: now.milliseconds)
      return try Copies(db).count(changed)
    }
  }

  /// Of one message.
  private struct Marks: Equatable {
    var isRead = false
    var isStarred = false
    var isDismissed = false
    var isSnoozed = false
    var isHidden = false

    init(_ id: Int64, _ db: Database) throws {
      let query = try db.prepared(
        """
        SELECT is_read, is_starred, is_dismissed, snoozed_until IS NOT NULL, hidden_by IS NOT NULL
        FROM status WHERE message_id = ?
        """)
      query.bind(1, id)
      _ = try query.first {
        (isRead, isStarred, isDismissed) = (query.bool(0), query.bool(1), query.bool(2))
        (isSnoozed, isHidden) = (query.bool(3), query.bool(4))
      }
    }
  }

  private func note(_ id: Int64, _ before: Marks, _ after: Marks, _ changes: inout RuleChanges) {
    if after.isRead, !before.isRead { changes.read.append(id) }
    if !after.isRead, before.isRead { changes.unread.append(id) }
    if after.isStarred, !before.isStarred { changes.starred.append(id) }
    if after.isDismissed, !before.isDismissed { changes.dismissed.append(id) }
    if after.isSnoozed, !before.isSnoozed { changes.snoozed.append(id) }
    if after.isHidden, !before.isHidden { changes.hidden.append(id) }
  }

  private static func give(
    _ verdict: Verdict, to id: Int64, _ known: Facts, _ changes: inout RuleChanges, _ db: Database
  ) throws {
    if let tags = verdict.tags, tags != known.tags {
      changes.tags[id] = known.tags
      try StoredContent.set(tags: tags, of: id, db)
    }
    if let priority = verdict.priority, priority != known.priority {
      changes.priorities[id] = known.priority.rawValue
      try StoredContent.set(priority: priority.rawValue, of: id, db)
    }
  }

  /// Everything is as it was before the rule.
  static func undo(_ changes: RuleChanges, _ ids: IDRanges, _ db: Database) throws {
    let lists = try ListChanges(db)
    let statements: [(ids: [Int64], sql: String)] = [
      (changes.read, "is_read = 0"), (changes.unread, "is_read = 1"), (changes.starred, "is_starred = 0"),
      (changes.dismissed, "is_dismissed = 0"), (changes.snoozed, "snoozed_until = NULL"),
      (changes.hidden, "hidden_by = NULL"),
    ]
    var done: [Int64: [Prepared]] = [:]
    for (ids, sql) in statements where !ids.isEmpty {
      let update = try db.prepared("UPDATE status SET \(sql) WHERE message_id = ?")
      for id in ids { done[id, default: []].append(update) }
    }
    for id in ids.ranges.joined() {
      guard let old = try MessageHead.find(id, db) else { continue }
      for update in done[id] ?? [] { try update.run(id) }
      if let tags = changes.tags[id] { try StoredContent.set(tags: tags, of: id, db) }
      if let priority = changes.priorities[id] { try StoredContent.set(priority: priority, of: id, db) }
      try lists.move(old, MessageHead.find(id, db))
    }
    try lists.finish()
  }
}

/// The parts of a stored message's content that rules change.
enum StoredContent {
  static func set(tags: [String], of id: Int64, _ db: Database) throws {
    try FacetChanges(db, Columns()).change(id) {
      let update = try db.prepared("UPDATE detail SET tags = ?2 WHERE message_id = ?1")
      update.bind(1, id)
      try update.bind(2, tags.isEmpty ? nil : StoredJSON.text(tags))
      try update.run()
    }
  }

  /// The lists by priority are the caller's.
  static func set(priority: Int, of id: Int64, _ db: Database) throws {
    try FacetChanges(db, Columns()).change(id) {
      try db.prepared("UPDATE message SET priority = ?2 WHERE id = ?1").run(id, Int64(priority))
    }
  }
}
