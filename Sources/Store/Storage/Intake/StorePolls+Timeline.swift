import Basics
package import Foundation
import GRDB
package import Messages

extension StorePolls {
  /// The number of attempts of each source that are stored.
  package static var attemptsKept: Int { 200 }

  /// Returns the attempts of a source, or of all sources, newest first.
  package func attempts(of source: SourceID?, limit: Int = 50) throws(StoreFailure) -> [PollAttempt] {
    try read { db in
      let query = try db.prepared(
        """
        SELECT source_id, trigger, start, end, result, problems, identity FROM attempt
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
            // A value that a later version wrote is still shown, as its text.
            result: columns.result.value(result) ?? .failed(.storage(reason: result)),
            problems: query.optionalText(5).flatMap(columns.problems.value) ?? [],
            identity: query.optionalText(6).flatMap(columns.identity.value)))
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
      "INSERT INTO attempt (source_id, trigger, start, end, result, problems, identity) VALUES (?, ?, ?, ?, ?, ?, ?)"
    )
    insert.bind(1, attempt.source.rawValue)
    try insert.bind(2, attempt.trigger.rawValue)
    insert.bind(3, attempt.start.milliseconds)
    insert.bind(4, attempt.end.milliseconds)
    try insert.bind(5, columns.result.text(attempt.result))
    let problems = attempt.problems.limited(to: Limits.storedProblems)
    try insert.bind(6, problems.isEmpty ? nil : columns.problems.text(problems))
    try insert.bind(7, attempt.identity.map(columns.identity.text))
    try insert.run()
    try db.prepared(
      """
      DELETE FROM attempt WHERE source_id = ?1 AND id <=
        (SELECT id FROM attempt WHERE source_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)
      """
    ).run(attempt.source.rawValue, Int64(Self.attemptsKept))
  }

  // MARK: - Push channels

  /// Returns why the push channel of a source can't be opened, or `nil` if it was opened last or never tried.
  package func streamFailure(of source: SourceID) throws(StoreFailure) -> StreamFailure? {
    try read { db in try streamFailure(of: source, db) }
  }

  /// Records that the push channel of a source was opened, or couldn't be. Nothing is written if that is already known.
  ///
  /// - Parameter failure: the failure, or `nil` if the channel is open.
  package func record(stream failure: FetchFailure?, of source: SourceID, at now: Date) throws(StoreFailure) {
    guard try streamFailure(of: source)?.failure != failure else { return }
    try write { db in
      let since = try streamFailure(of: source, db)?.since ?? now
      let update = try db.prepared(
        "UPDATE polling SET stream_failure = ?2, stream_failed = ?3 WHERE source_id = ?1")
      update.bind(1, source.rawValue)
      try update.bind(2, failure.map(columns.failure.text))
      update.bind(3, failure == nil ? nil : since.milliseconds)
      try update.run()
    }
  }

  private func streamFailure(of source: SourceID, _ db: Database) throws -> StreamFailure? {
    let query = try db.prepared("SELECT stream_failure, stream_failed FROM polling WHERE source_id = ?")
    query.bind(1, source.rawValue)
    let found = try query.first { () -> StreamFailure? in
      guard let text = query.optionalText(0), let since = query.optionalInt(1) else { return nil }
      // A value that a later version wrote is still shown, as its text.
      return StreamFailure(
        since: Date(milliseconds: since), failure: columns.failure.value(text) ?? .storage(reason: text))
    }
    return found ?? nil
  }

  // MARK: - Held hosts

  /// Stops all requests to a host until a time. A shorter hold does not replace a longer one.
  package func hold(_ host: String, until: Date, at now: Date) throws(StoreFailure) {
    try write { db in try Self.hold(host, until: until, at: now, db) }
  }

  /// Returns the end of each host's hold, including holds that have ended.
  package func holds() throws(StoreFailure) -> [String: Date] {
    try read { db in try Self.holds(db) }
  }

  static func holds(_ db: Database) throws -> [String: Date] {
    let query = try db.prepared("SELECT host, until FROM host_rest")
    var holds: [String: Date] = [:]
    try query.forEach { holds[query.text(0)] = Date(milliseconds: query.int(1)) }
    return holds
  }

  /// Moves the beginning of holds that began in the future to now, with the same length: the clock was ahead when the
  /// servers requested them.
  static func moveHolds(to now: Milliseconds, _ db: Database) throws {
    try db.prepared(
      "UPDATE host_rest SET until = ?1 + until - since, since = ?1 WHERE since > ?1 + \(clockTolerance)"
    ).run(
      now)
  }

  /// Whether holds began in the future.
  static func areHoldsAhead(of now: Milliseconds, _ db: Database) throws -> Bool {
    try db.integer("SELECT 1 FROM host_rest WHERE since > ? + \(clockTolerance) LIMIT 1", now) == 1
  }

  /// The maximum difference between clocks of one machine, in milliseconds.
  private static let clockTolerance: Milliseconds = 5000

  static func hold(_ host: String, until: Date, at now: Date, _ db: Database) throws {
    let prune = try db.prepared("DELETE FROM host_rest WHERE until <= ?")
    prune.bind(1, now.milliseconds)
    try prune.run()
    let insert = try db.prepared(
      """
      INSERT INTO host_rest (host, until, since) VALUES (?1, ?2, ?3)
      ON CONFLICT (host) DO UPDATE SET until = ?2, since = ?3 WHERE until < ?2
      """)
    try insert.bind(1, host)
    insert.bind(2, until.milliseconds)
    insert.bind(3, now.milliseconds)
    try insert.run()
  }
}
