import Foundation
import GRDB
import Messages
import Queries

/// Applies the rules to stored messages again, because a time has come at which rules may decide differently, or
/// because rules changed.
struct Rejudging {
  private let db: Database
  private let columns: Columns
  private let judge: any ArrivalJudge
  private let now: Milliseconds

  /// The number of messages that one transaction judges.
  static let most = 500

  /// Returns `nil` if the store has no judge of messages.
  init?(_ db: Database, _ columns: Columns, _ judges: ArrivalJudges, at now: Milliseconds) throws {
    guard let judge = try judges.judge(db, at: now) else { return nil }
    (self.db, self.columns, self.judge, self.now) = (db, columns, judge, now)
  }

  /// Returns the messages to judge again because of their time, the earliest first.
  static func due(_ db: Database, at now: Milliseconds) throws -> [Int64] {
    let query = try db.prepared("SELECT message_id FROM rule_due WHERE at <= ? ORDER BY at LIMIT ?")
    query.bind(1, now)
    query.bind(2, most)
    var ids: [Int64] = []
    try query.forEach { ids.append(query.int(0)) }
    return ids
  }

  /// Applies the rules to these messages again.
  ///
  /// - Returns: the changed marks.
  @discardableResult
  func judge(_ ids: [Int64]) throws -> [MarkChange] {
    let marks = RuleMarks(db, at: now)
    let stored = try FactsReader(db, columns, at: now)
    for id in ids {
      guard let old = try MessageHead.find(id, db), var known = try stored.facts(of: id) else {
        try db.prepared("DELETE FROM rule_due WHERE message_id = ?").run(id)
        continue
      }
      // This is the state before rules hid it, since they now decide again.
      known.states.remove(.hidden)
      let verdict = judge.verdict(on: known, .moment)
      if let tags = verdict.tags { try marks.writer.set(.tags(tags), on: IDRanges([id])) }
      if let priority = verdict.priority {
        try marks.writer.set(.priority(Int64(priority.rawValue)), on: IDRanges([id]))
      }
      try marks.apply(verdict, to: id, isNew: false)
      if verdict.isNotified == true {
        try NoticeQueue(db, at: now).add(verdict, id, visibleFrom: old.visibleFrom, again: true)
      }
    }
    return marks.writer.changes.all
  }

  /// Stores the times at which the rules must judge these messages again.
  func setMoments(of ids: [Int64]) throws {
    let marks = RuleMarks(db, at: now)
    let stored = try FactsReader(db, columns, at: now)
    for id in ids {
      guard var known = try stored.facts(of: id) else { continue }
      known.states.remove(.hidden)
      try marks.remember(moment: judge.verdict(on: known, .moment).nextMoment, of: id)
    }
  }
}
