import Foundation
import GRDB
import Messages
import Queries

/// Judges stored messages again: because a moment has come that rules wait for, or because rules changed.
struct Rejudging {
  private let db: Database
  private let columns: Columns
  private let judge: any ArrivalJudge
  private let now: Milliseconds

  /// How many messages one transaction judges.
  static let most = 500

  /// Nil where nothing is judged.
  init?(_ db: Database, _ columns: Columns, _ judges: ArrivalJudges, at now: Milliseconds) throws {
    guard let judge = try judges.judge(db, at: now) else { return nil }
    (self.db, self.columns, self.judge, self.now) = (db, columns, judge, now)
  }

  /// The messages whose moment has come, the earliest first.
  static func due(_ db: Database, at now: Milliseconds) throws -> [Int64] {
    let query = try db.prepared("SELECT message_id FROM moment WHERE at <= ? ORDER BY at LIMIT ?")
    query.bind(1, now)
    query.bind(2, most)
    var ids: [Int64] = []
    try query.forEach { ids.append(query.int(0)) }
    return ids
  }

  func judge(_ ids: [Int64]) throws {
    let lists = try ListChanges(db)
    let marks = RuleMarks(db, at: now)
    let facts = try StoredFacts(db, columns, at: now)
    for id in ids {
      guard let old = try MessageHead.find(id, db), var known = try facts.facts(of: id) else {
        try db.prepared("DELETE FROM moment WHERE message_id = ?").run(id)
        continue
      }
      // As it was before rules hid it: they say anew whether they do.
      known.states.remove(.hidden)
      let verdict = judge.verdict(on: known, .moment)
      if let tags = verdict.tags {
        let update = try db.prepared("UPDATE detail SET tags = ?2 WHERE message_id = ?1")
        update.bind(1, id)
        try update.bind(2, tags.isEmpty ? nil : StoredJSON.text(tags))
        try update.run()
      }
      if let priority = verdict.priority {
        try db.prepared("UPDATE message SET priority = ?2 WHERE id = ?1").run(id, Int64(priority.rawValue))
      }
      try marks.apply(verdict, to: id, isNew: false)
      if verdict.isTold == true {
        try Tellings(db, at: now).arm(verdict, id, visibleFrom: old.visibleFrom, again: true)
      }
      try lists.move(old, MessageHead.find(id, db))
    }
    try lists.finish()
  }
}

/// What queries may ask of stored messages.
struct StoredFacts {
  private let db: Database
  private let columns: Columns
  private let now: Milliseconds
  private var sources: [Int64: (source: Source, title: String?)] = [:]

  init(_ db: Database, _ columns: Columns, at now: Milliseconds) throws {
    (self.db, self.columns, self.now) = (db, columns, now)
    for row in try SourceRow.all(db, columns) {
      sources[row.source.id.rawValue] = (row.source, try Store.serverTitle(of: row.source, db))
    }
  }

  func facts(of id: Int64) throws -> Facts? {
    let query = try db.prepared("\(Message.select) WHERE m.id = ?")
    query.bind(1, id)
    guard let (message, head) = try query.first({ (Message(query, columns), MessageHead(query)) }),
      let (source, title) = sources[head.source]
    else { return nil }
    var facts = RuleMarks.facts(message.content, head, of: source, serverTitle: title)
    if message.isDismissed { facts.states.insert(.dismissed) }
    if message.snoozedUntil != nil { facts.states.insert(.snoozed) }
    if let expires = head.expires, expires <= now { facts.states.insert(.expired) }
    if try db.integer("SELECT 1 FROM status WHERE message_id = ? AND hidden_by IS NOT NULL", id) == 1 {
      facts.states.insert(.hidden)
    }
    if try db.integer("SELECT 1 FROM unseen WHERE source_id = ? AND message_id = ?", head.source, id) == 1 {
      facts.states.insert(.new)
    }
    let rules = try db.prepared("SELECT rule FROM touched WHERE message_id = ? ORDER BY place")
    rules.bind(1, id)
    try rules.forEach { facts.rules.append(rules.text(0)) }
    return facts
  }
}
