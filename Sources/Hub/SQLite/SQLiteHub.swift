import Basics
package import Foundation
import GRDB
import Synchronization

/// A hub's store in one SQLite file. Requests that arrive while a transaction is written wait, and share the next one.
package final class SQLiteHub: HubStoring {
  private let file: SQLiteFile
  private let queue = HubQueue()
  private let observer = Mutex<@Sendable ([FeedName: Int64]) -> Void>({ _ in })
  /// SQLite's data version: another one means that another process wrote. It is 0 before the first check.
  private let seenVersion = Mutex<Int64>(0)

  package init(_ file: SQLiteFile) { self.file = file }

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
        // One of them may be the cause, so each is written separately, and only that one fails.
        for waiting in batch {
          do { try write([waiting], db) } catch { waiting.resume(.failure(Self.failure(error))) }
        }
      }
    }
  }

  /// Writes a batch and responds to all its requests, or throws without any response.
  private func write(_ batch: [HubQueue.Waiting], _ db: Database) throws {
    let start = ContinuousClock.now
    let (outcomes, lastIDs) = try db.changing { try $0.perform(batch.map { ($0.work, $0.now) }) }
    queue.didWrite(batch, in: ContinuousClock.now - start)
    if !lastIDs.isEmpty { observer.withLock { $0 }(lastIDs) }
    for (waiting, outcome) in zip(batch, outcomes) { waiting.resume(outcome) }
  }

  private static func failure(_ error: any Error) -> HubFailure {
    if let failure = error as? HubFailure { return failure }
    return (error as? DatabaseError)?.resultCode == .SQLITE_FULL ? .noSpace : .storeAway
  }

  // MARK: Statements

  /// Runs statements on the writing connection when its earlier work is done.
  ///
  /// - Parameter body: called on the writing connection, outside any transaction.
  private func inTurn<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws(HubFailure) -> Value {
    do { return try await file.pool.writeWithoutTransaction(body) } catch { throw Self.failure(error) }
  }

  package func changing<Value: Sendable>(
    _ body: @escaping @Sendable (SQLiteSession) throws -> Value
  ) async throws(HubFailure) -> Value {
    try await inTurn { try $0.changing(body) }
  }

  package func writing<Value: Sendable>(
    notifies: Bool, _ body: @escaping @Sendable (SQLiteSession) throws -> Value
  ) async throws(HubFailure) -> Value { try await changing(body) }

  package func reading<Value: Sendable>(
    _ body: @escaping @Sendable (SQLiteSession) throws -> Value
  ) async throws(HubFailure) -> Value {
    do {
      return try await file.pool.read { try body(SQLiteSession(db: $0)) }
    } catch { throw Self.failure(error) }
  }

  package func advance(now: Date) async throws(HubFailure) -> Bool {
    let (version, hasDue) = try await inTurn { db in
      (
        try Int64.fetchOne(db.cachedStatement(sql: "PRAGMA data_version")) ?? 0,
        try SQLiteSession(db: db).hasDue(now: now)
      )
    }
    if hasDue { _ = try await perform(.due, now: now) }
    return seenVersion.withLock { seen in
      defer { seen = version }
      return seen != version
    }
  }
}
