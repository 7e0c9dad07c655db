package import Foundation
import GRDB
package import Messages
import Queries

extension StoreRules {
  /// Applies rules to stored messages, as one step that a single undo reverts. The user's changes stay; there is no
  /// notification, and no program is run. Each transaction handles some messages: a process that is killed has done a
  /// part, which the undo reverts.
  ///
  /// - Parameter judging: the rules.
  /// - Returns: the number of changed messages.
  package func apply(
    _ judging: any ArrivalJudging, to ids: [MessageID], at now: Date
  ) throws(StoreFailure) -> Int {
    var rest = ids.map(\.rawValue).sorted()[...]
    var changed = IDRanges()
    var first: Int64?
    while !rest.isEmpty {
      let slice = Array(rest.prefix(Rejudging.most))
      rest = rest.dropFirst(Rejudging.most)
      let step = first
      let acting: ActTransaction = try maintain(.system) { db in
        var acting = ActTransaction(
          db, UserAct.Kind.rule.rawValue, step: step, isCarried: false, at: now.milliseconds)
        try acting.act(on: IDRanges(slice)) { act, ids in
          try apply(judging, to: slice.filter(ids.contains), act: act, db, at: now)
        }
        return acting
      }
      first = acting.step
      changed = changed.union(acting.messages)
    }
    let all = changed
    return try read { db in try Duplicates(db).count(all) }
  }

  private func apply(
    _ judging: any ArrivalJudging, to ids: [Int64], act: Int64?, _ db: Database, at now: Date
  ) throws -> [MarkChange] {
    let judge = judging.judge(try SearchTokenizer(db), at: now)
    let facts = try FactsReader(db, columns, at: now.milliseconds)
    let marks = RuleMarks(db, act: act, at: now.milliseconds)
    for id in ids {
      guard let known = try facts.facts(of: id) else { continue }
      let verdict = judge.verdict(on: known, .firstPoll)
      guard !verdict.rules.isEmpty else { continue }
      if let tags = verdict.tags { try marks.writer.set(.tags(tags), on: IDRanges([id])) }
      if let priority = verdict.priority {
        try marks.writer.set(.priority(Int64(priority.rawValue)), on: IDRanges([id]))
      }
      try marks.apply(verdict, to: id, isNew: false, isApplied: true)
    }
    return marks.writer.changes.all
  }
}
