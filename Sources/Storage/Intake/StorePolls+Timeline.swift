package import Foundation
import GRDB
import Limits
package import Messages

extension StorePolls {
  /// How many attempts of each source are stored.
  package static var attemptsKept: Int { 200 }

  /// Attempts, newest first; of all sources where none is named.
  package func attempts(of source: SourceID?, limit: Int = 50) throws(StoreFailure) -> [PollAttempt] {
    try read { db in
      let query = try db.prepared(
        """
        SELECT source_id, trigger, start, end, result, problems FROM attempt
        \(source == nil ? "" : "WHERE source_id = ?2") ORDER BY id DESC LIMIT ?1
        """)
      query.bind(1, max(0, limit))
      if let source { query.bind(2, source.rawValue) }
      var attempts: [PollAttempt] = []
      try query.forEach {
        let result = query.text(4)
        attempts.append(
          PollAttempt(
            source: SourceID(query.int(0)), trigger: PollTrigger(rawValue: query.text(1)) ?? .periodic,
            start: Date(milliseconds: query.int(2)),
            end: Date(milliseconds: query.int(3)),
            // What a later version wrote is still shown, by its text.
            result: columns.result.value(result) ?? .failed(.storage(reason: result)),
            problems: query.optionalText(5).flatMap(columns.problems.value) ?? []))
      }
      return attempts
    }
  }

  /// Adds a line to the timeline that is not a poll: a refresh that was held back or joined another.
  package func record(_ attempt: PollAttempt) throws(StoreFailure) {
    try write { db in try record(attempt, db) }
  }

  func record(_ attempt: PollAttempt, _ db: Database) throws {
    let insert = try db.prepared(
      "INSERT INTO attempt (source_id, trigger, start, end, result, problems) VALUES (?, ?, ?, ?, ?, ?)")
    insert.bind(1, attempt.source.rawValue)
    try insert.bind(2, attempt.trigger.rawValue)
    insert.bind(3, attempt.start.milliseconds)
    insert.bind(4, attempt.end.milliseconds)
    try insert.bind(5, columns.result.text(attempt.result))
    let problems = attempt.problems.prefix(Limits.storedProblems)
    try insert.bind(6, problems.isEmpty ? nil : columns.problems.text(Array(problems)))
    try insert.run()
    try db.prepared(
      """
      DELETE FROM attempt WHERE source_id = ?1 AND id <=
        (SELECT id FROM attempt WHERE source_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)
      """
    ).run(attempt.source.rawValue, Int64(Self.attemptsKept))
  }

  // MARK: - Held hosts

  /// Holds every source of a host until then; a shorter hold does not lift a longer one.
  package func hold(_ host: String, until: Date, at now: Date) throws(StoreFailure) {
    try write { db in try Self.hold(host, until: until, at: now, db) }
  }

  /// Until when each host is held, those whose time is over included.
  package func holds() throws(StoreFailure) -> [String: Date] {
    try read { db in try Self.holds(db) }
  }

  static func holds(_ db: Database) throws -> [String: Date] {
    let query = try db.prepared("SELECT host, until FROM hold")
    var holds: [String: Date] = [:]
    try query.forEach { holds[query.text(0)] = Date(milliseconds: query.int(1)) }
    return holds
  }

  static func hold(_ host: String, until: Date, at now: Date, _ db: Database) throws {
    let prune = try db.prepared("DELETE FROM hold WHERE until <= ?")
    prune.bind(1, now.milliseconds)
    try prune.run()
    let insert = try db.prepared(
      "INSERT INTO hold VALUES (?1, ?2) ON CONFLICT (host) DO UPDATE SET until = max(until, ?2)")
    try insert.bind(1, host)
    insert.bind(2, until.milliseconds)
    try insert.run()
  }
}
