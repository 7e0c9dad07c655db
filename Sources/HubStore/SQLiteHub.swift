package import Foundation
import GRDB
package import HubItems
import Limits
import Synchronization

/// A hub's store in one SQLite file. Requests that come while a transaction is written wait, and share the next one.
package final class SQLiteHub: HubStoring {
  private enum Work: Sendable {
    case publish(PublishOrder)
    case withdraw(String, FeedName, token: Int?, address: String?)

    var items: Int { if case .publish(let order) = self { order.publications.count } else { 1 } }
    var bytes: Int { if case .publish(let order) = self { order.bytes } else { 0 } }
  }

  private typealias Outcome = Result<PublishAnswer, HubFailure>

  private struct Waiting: Sendable {
    var work: Work
    var now: Date
    var answer: CheckedContinuation<Outcome, Never>
  }

  private struct Queue: Sendable {
    var waiting: [Waiting] = []
    var items = 0
    var bytes = 0
    var isWriting = false
  }

  private let file: HubFile
  private let queue = Mutex(Queue())
  private let done = Mutex(StoreLoad())
  private let observer = Mutex<@Sendable ([FeedName: Int64]) -> Void>({ _ in })
  /// Of SQLite: another one says that another process wrote. 0 before the first look.
  private let seenVersion = Mutex<Int64>(0)

  package init(_ file: HubFile) { self.file = file }

  package func observe(_ body: @escaping @Sendable ([FeedName: Int64]) -> Void) {
    observer.withLock { $0 = body }
  }

  package var load: StoreLoad {
    var load = done.withLock { $0 }
    load.queueItems = queue.withLock { $0.items }
    return load
  }

  // MARK: Writing

  package func publish(_ order: PublishOrder, now: Date) async throws(HubFailure) -> PublishAnswer {
    try await perform(.publish(order), now: now)
  }

  package func withdraw(
    _ key: String, from feed: FeedName, token: Int?, address: String?, now: Date
  ) async throws(HubFailure) -> PublishResult {
    let answer = try await perform(.withdraw(key, feed, token: token, address: address), now: now)
    guard let result = answer.results.first else { throw .storeAway }
    return result
  }

  private func perform(_ work: Work, now: Date) async throws(HubFailure) -> PublishAnswer {
    let outcome = await withCheckedContinuation { (answer: CheckedContinuation<Outcome, Never>) in
      let (isFull, begins) = queue.withLock { queue -> (Bool, Bool) in
        guard queue.items + work.items <= Limits.hubQueueItems,
          queue.bytes + work.bytes <= Limits.hubQueueBytes
        else { return (true, false) }
        queue.waiting.append(Waiting(work: work, now: now, answer: answer))
        queue.items += work.items
        queue.bytes += work.bytes
        defer { queue.isWriting = true }
        return (false, !queue.isWriting)
      }
      if isFull { answer.resume(returning: .failure(.busy)) }
      if begins { file.pool.asyncWriteWithoutTransaction { db in self.writeAll(db) } }
    }
    return try outcome.get()
  }

  private func nextBatch() -> [Waiting] {
    queue.withLock { queue in
      let batch = Array(queue.waiting.prefix(Limits.hubBatchRequests))
      queue.waiting.removeFirst(batch.count)
      for waiting in batch {
        queue.items -= waiting.work.items
        queue.bytes -= waiting.work.bytes
      }
      if batch.isEmpty { queue.isWriting = false }
      return batch
    }
  }

  private func writeAll(_ db: Database) {
    while case let batch = nextBatch(), !batch.isEmpty {
      do {
        try write(batch, db)
      } catch {
        // One of them may be at fault: each by itself, so that only that one fails.
        for waiting in batch {
          do { try write([waiting], db) } catch {
            waiting.answer.resume(returning: .failure(Self.failure(error)))
          }
        }
      }
    }
  }

  /// Answers all of them, or throws and answers none.
  private func write(_ batch: [Waiting], _ db: Database) throws {
    var outcomes: [Outcome] = []
    var lastIDs: [FeedName: Int64] = [:]
    let start = ContinuousClock.now
    try db.inTransaction(.immediate) {
      var transaction = HubTransaction(db)
      if let now = batch.map(\.now).max() { try transaction.publishDue(now: now) }
      outcomes = try batch.map { waiting in
        do {
          switch waiting.work {
          case .publish(let order): return .success(try transaction.publish(order, now: waiting.now))
          case .withdraw(let key, let feed, let token, let address):
            let result = try transaction.withdraw(
              key, from: feed, token: token, address: address, now: waiting.now)
            return .success(PublishAnswer(results: [result]))
          }
        } catch let failure as HubFailure {
          return .failure(failure)
        }
      }
      lastIDs = transaction.lastIDs
      return .commit
    }
    done.withLock { load in
      load.batches += 1
      load.batchRequests += batch.count
      load.commitSeconds += (ContinuousClock.now - start) / .seconds(1)
    }
    report(lastIDs)
    for (waiting, outcome) in zip(batch, outcomes) { waiting.answer.resume(returning: outcome) }
  }

  private func report(_ lastIDs: [FeedName: Int64]) {
    guard !lastIDs.isEmpty else { return }
    observer.withLock { $0 }(lastIDs)
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
    let (version, lastIDs) = try await inTurn { db -> (Int64, [FeedName: Int64]) in
      let version = try Int64.fetchOne(db.cachedStatement(sql: "PRAGMA data_version")) ?? 0
      let due = try db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM scheduled WHERE due <= ?)")
      guard try Bool.fetchOne(due, arguments: [now.stored]) == true else { return (version, [:]) }
      var transaction = HubTransaction(db)
      try db.inTransaction(.immediate) {
        try transaction.publishDue(now: now)
        return .commit
      }
      return (version, transaction.lastIDs)
    }
    report(lastIDs)
    return seenVersion.withLock { seen in
      defer { seen = version }
      return seen != version
    }
  }

  package func sweep(now: Date) async throws(HubFailure) -> SweepCounts {
    try await inTurn { db in
      var counts = SweepCounts()
      let now = now.stored
      try db.inTransaction(.immediate) {
        try db.execute(sql: "UPDATE item SET live = 0 WHERE live AND expires <= ?", arguments: [now])
        counts.ended = db.changesCount
        // Of an item that never changed nobody has to learn the end. A feed keeps its greatest id: a smaller one would mean
        // to readers that it began again.
        try db.execute(
          sql: """
            DELETE FROM item WHERE id IN (
              SELECT i.id FROM item i JOIN feed f ON f.id = i.feed
                WHERE NOT i.live AND i.expires <= ?1
                  AND (i.id = i.first_id OR max(i.expires, i.changed) + f.keep_days * 86400000 <= ?1)
                  AND i.id < (SELECT max(id) FROM item WHERE feed = i.feed)
                LIMIT 5000)
            """, arguments: [now])
        counts.deleted = db.changesCount
        try db.execute(
          sql: "DELETE FROM receipt WHERE at <= ?", arguments: [now - Limits.hubReceiptSeconds * 1000])
        try db.execute(
          sql: "DELETE FROM audit WHERE at <= ?", arguments: [now - Limits.hubAuditDays * 86_400_000])
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
      var bytes = 0
      while let row = try rows.next() {
        let item = Publication.sent(id: row[0], key: row[1], body: row[2])
        bytes += item.utf8.count + 1
        if page.items.count == limit || bytes > Limits.hubPageBytes, !page.items.isEmpty {
          page.hasMore = true
          break
        }
        page.items.append(item)
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
