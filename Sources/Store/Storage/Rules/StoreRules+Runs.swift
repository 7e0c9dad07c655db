package import Foundation
import GRDB
package import Messages

/// A waiting run of a rule's program with a message.
package struct RuleRun: Hashable, Sendable {
  package var id: Int64
  package var rule: String
  package var message: MessageID
}

/// The runs of rules' programs with messages. A run is stored in the same transaction as its message, claimed
/// before the program starts, and removed afterwards. If a process ends in between, the run stays claimed and
/// the program is not run again, since it may already have done its work.
extension StoreRules {
  /// Returns the unclaimed runs, in the order of their arrival.
  package func waitingRuns(limit: Int) throws(StoreFailure) -> [RuleRun] {
    try read { db in
      let query = try db.prepared(
        "SELECT id, rule, message_id FROM rule_run WHERE claimed IS NULL ORDER BY id LIMIT ?")
      query.bind(1, limit)
      var runs: [RuleRun] = []
      try query.forEach {
        runs.append(
          RuleRun(id: query.int(0), rule: query.text(1), message: MessageID(query.int(2))))
      }
      return runs
    }
  }

  /// Claims a run for this process.
  ///
  /// - Returns: whether no other process had claimed it.
  package func claim(_ run: RuleRun, at now: Date) throws(StoreFailure) -> Bool {
    try write(.system) { db in
      try db.prepared("UPDATE rule_run SET claimed = ?2 WHERE id = ?1 AND claimed IS NULL")
        .run(run.id, now.milliseconds)
      return db.changesCount == 1
    }
  }

  package func removeRun(_ run: RuleRun) throws(StoreFailure) {
    try write { db in try db.prepared("DELETE FROM rule_run WHERE id = ?").run(run.id) }
  }

  /// Removes runs claimed by a process that ended before its program did. Only the holder of the lock may call it.
  package func dropAbandonedRuns() throws(StoreFailure) -> [RuleRun] {
    let abandoned = try read { db in
      let query = try db.prepared("SELECT id, rule, message_id FROM rule_run WHERE claimed IS NOT NULL")
      var runs: [RuleRun] = []
      try query.forEach {
        runs.append(
          RuleRun(id: query.int(0), rule: query.text(1), message: MessageID(query.int(2))))
      }
      return runs
    }
    for run in abandoned { try removeRun(run) }
    return abandoned
  }
}
