import Basics
package import Foundation
import GRDB
import Synchronization

/// A hub's store in one SQLite file. Requests that come while a transaction is written wait, and share the next one.
package final class SQLiteHub: HubStoring {
  private let file: HubFile
  private let queue = HubQueue()
  private let observer = Mutex<@Sendable ([FeedName: Int64]) -> Void>({ _ in })
  /// Of SQLite: another one says that another process wrote. 0 before the first look.
  private let seenVersion = Mutex<Int64>(0)

  package init(_ file: HubFile) { self.file = file }

  package func now() -> Date { Date() }

  package var awayReason: String? { nil }

  package func observe(_ body: @escaping @Sendable ([FeedName: Int64]) -> Void) {
    observer.withLock { $0 = body }
  }

  package var load: StoreLoad { queue.load }

  // MARK: Writing

  package func perform(_ work: HubWork, now: Date) async throws(HubFailure) -> PublishAnswer {
    try await queue.perform(work, now: now) {
      file.pool.asyncWriteWithoutTransaction { db in self.writeAll(db) }
    }
  }

  private func writeAll(_ db: Database) {
    while case let batch = queue.nextBatch(), !batch.isEmpty {
      do {
        try write(batch, db)
      } catch {
        // One of them may be at fault: each by itself, so that only that one fails.
        for waiting in batch {
          do { try write([waiting], db) } catch { waiting.resume(.failure(Self.failure(error))) }
        }
      }
    }
  }

  /// Answers all of them, or throws and answers none.
  private func write(_ batch: [HubQueue.Waiting], _ db: Database) throws {
    var outcomes: [HubQueue.Outcome] = []
    var lastIDs: [FeedName: Int64] = [:]
    let start = ContinuousClock.now
    try db.inTransaction(.immediate) {
      (outcomes, lastIDs) = try HubTransaction(db: db).perform(batch.map { ($0.work, $0.now) })
      return .commit
    }
    queue.didWrite(batch, in: ContinuousClock.now - start)
    if !lastIDs.isEmpty { observer.withLock { $0 }(lastIDs) }
    for (waiting, outcome) in zip(batch, outcomes) { waiting.resume(outcome) }
  }

  private static func failure(_ error: any Error) -> HubFailure {
    if let failure = error as? HubFailure { return failure }
    return (error as? DatabaseError)?.resultCode == .SQLITE_FULL ? .noSpace : .storeAway
  }

  /// - Parameter body: in the turn of the writing connection, in no transaction.
  func inTurn<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws(HubFailure) -> Value {
    do { return try await file.pool.writeWithoutTransaction(body) } catch { throw Self.failure(error) }
  }

  // MARK: Time

  package func advance(now: Date) async throws(HubFailure) -> Bool {
    let (version, hasDue) = try await inTurn { db -> (Int64, Bool) in
      let version = try Int64.fetchOne(db.cachedStatement(sql: "PRAGMA data_version")) ?? 0
      let due = try db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM scheduled WHERE due <= ?)")
      return (version, try Bool.fetchOne(due, arguments: [now.stored]) == true)
    }
    if hasDue { _ = try await perform(.due, now: now) }
    return seenVersion.withLock { seen in
      defer { seen = version }
      return seen != version
    }
  }

  package func sweep(now: Date) async throws(HubFailure) -> SweepCounts {
    try await inTurn { db in
      var counts = SweepCounts()
      let (now, slice) = (now.stored, Limits.hubSweepRows)
      func run(_ sql: String, _ time: Int64 = now) throws -> Int {
        try db.execute(sql: sql, arguments: [time, slice])
        if db.changesCount == slice { counts.hasMore = true }
        return db.changesCount
      }
      try db.inTransaction(.immediate) {
        counts.ended = try run(
          "UPDATE item SET live = 0 WHERE id IN (SELECT id FROM item WHERE live AND expires <= ?1 LIMIT ?2)")
        counts.ended += try run(
          """
          UPDATE item SET live = 0 WHERE id IN (
            SELECT i.id FROM feed f CROSS JOIN item i ON i.feed = f.id
              WHERE i.live AND i.expires IS NULL AND i.changed <= ?1 - f.expires_days * 86400000
                AND (SELECT expires_from FROM hub) <= ?1 - f.expires_days * 86400000
              LIMIT ?2)
          """)
        // Of an item that never changed nobody has to learn the end. A feed keeps its greatest id: a smaller one would mean
        // to readers that it began again.
        counts.deleted = try run(
          """
          DELETE FROM item WHERE id IN (
            SELECT i.id FROM item i JOIN feed f ON f.id = i.feed
              WHERE NOT i.live AND (i.expires <= ?1 OR i.expires IS NULL)
                AND (i.id = i.first_id
                  OR max(coalesce(i.expires, i.changed + f.expires_days * 86400000, i.changed), i.changed)
                    + f.keep_days * 86400000 <= ?1)
                AND i.id < (SELECT max(id) FROM item WHERE feed = i.feed)
              LIMIT ?2)
          """)
        _ = try run(
          """
          DELETE FROM receipt WHERE (token, idem) IN (SELECT token, idem FROM receipt WHERE at <= ?1 LIMIT ?2)
          """, now - Limits.hubReceiptSeconds * 1000)
        _ = try run(
          "DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE at <= ?1 LIMIT ?2)",
          now - Limits.hubAuditDays * 86_400_000)
        return .commit
      }
      return counts
    }
  }

  package func used(tokens: Set<Int>, at now: Date) async throws(HubFailure) {
    try await inTurn { db in
      try db.inTransaction(.immediate) {
        for token in tokens {
          try db.execute(sql: "UPDATE token SET used = ? WHERE id = ?", arguments: [now.stored, token])
        }
        return .commit
      }
    }
  }

  // MARK: Reading

  package func page(
    of feed: FeedName, since: Int64, limit: Int, now: Date
  ) async throws(HubFailure) -> HubPage {
    try await reading { db in
      guard let id = try Int64.fetchOne(db, sql: "SELECT id FROM feed WHERE name = ?", arguments: [feed.text])
      else { throw HubFailure.notFound }
      let last = try Int64.fetchOne(db, sql: "SELECT max(id) FROM item WHERE feed = ?", arguments: [id]) ?? 0
      let isValid = "live AND (expires IS NULL OR expires > ?)"
      let rows =
        since <= 0
        ? try Row.fetchCursor(
          db, sql: "SELECT id, key, body FROM item WHERE feed = ? AND \(isValid) ORDER BY id LIMIT ?",
          arguments: [id, now.stored, limit + 1])
        // Who may have it must learn its end.
        : try Row.fetchCursor(
          db,
          sql: """
            SELECT id, key, body FROM item WHERE feed = ? AND id > ? AND (\(isValid) OR first_id <= ?)
              ORDER BY id LIMIT ?
            """, arguments: [id, since, now.stored, since, limit + 1])
      var page = HubPage(items: [], hasMore: false, lastID: last)
      while let row = try rows.next() {
        guard page.add(id: row[0], key: row[1], body: row[2], limit: limit) else { break }
      }
      return page
    }
  }

  package func feeds() async throws(HubFailure) -> [HubFeed] {
    try await reading { db in try HubFile.feeds(db, counting: false) }
  }

  package func access(token number: Int) async throws(HubFailure) -> HubAccess? {
    try await reading { db in try HubFile.accesses(db, number: number).first }
  }

  func reading<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws(HubFailure) -> Value {
    do { return try await file.pool.read(body) } catch { throw Self.failure(error) }
  }
}
