import Basics
package import Foundation
import Platform
import PostgreSQL
import Synchronization

/// A hub's store in PostgreSQL, which several hubs may share. One thread writes, some read, one listens for what other hubs
/// wrote; each has a connection of its own, which it makes again where it is lost.
package final class PostgreSQLHub: HubStoring {
  private let alarm: Alarm
  let readers: DatabaseThreads
  private let writer: DatabaseThreads
  private let writing: HubDatabaseWriting
  private let listener: HubDatabaseListener
  /// The database's time when it was asked last.
  private let clock: Mutex<(time: Int64, at: ContinuousClock.Instant)>

  /// - Parameter time: the database's, just now.
  static func start(_ options: HubDatabaseOptions, time: Int64) throws(POSIXError) -> PostgreSQLHub {
    let hub = try PostgreSQLHub(options, time: time)
    hub.readers.start(options.connections, name: "hub reads")
    hub.writer.start(1, name: "hub writes")
    hub.listener.start()
    return hub
  }

  private init(_ options: HubDatabaseOptions, time: Int64) throws(POSIXError) {
    alarm = try Alarm()
    readers = DatabaseThreads(options, alarm: alarm)
    writer = DatabaseThreads(options, alarm: alarm)
    listener = HubDatabaseListener(options, alarm: alarm)
    writing = HubDatabaseWriting(listener)
    clock = Mutex((time: time, at: ContinuousClock.now))
  }

  deinit {
    alarm.ring()
    readers.end()
    writer.end()
  }

  package func observe(_ body: @escaping @Sendable ([FeedName: Int64]) -> Void) { listener.observe(body) }

  package var load: StoreLoad { writing.queue.load }

  package var awayReason: String? { readers.reason ?? writer.reason }

  /// Of the database, whatever this machine's clock says. It is never ahead of it: what is asked takes a moment to come back.
  package func now() -> Date {
    let (time, at) = clock.withLock { $0 }
    return Date(stored: time).addingTimeInterval((ContinuousClock.now - at) / .seconds(1))
  }

  package func perform(_ work: HubWork, now: Date) async throws(HubFailure) -> PublishAnswer {
    try await writing.queue.perform(work, now: now) {
      writer.enqueue(
        DatabaseThreads.Job { [writing] in
          writing.writeAll($0)
        } fail: { [writing] in
          writing.fail($0)
        })
    }
  }

  // MARK: Time

  package func advance(now: Date) async throws(HubFailure) -> Bool {
    let (time, hasDue) = try await readers.perform { connection in
      let row = try connection.ask(
        "SELECT clock_timestamp(), EXISTS (SELECT 1 FROM scheduled WHERE due <= $1)", [.time(now.stored)]
      ).first
      return (row?.time(0), row?.flag(1) ?? false)
    }
    if let time { clock.withLock { $0 = (time, ContinuousClock.now) } }
    if hasDue { _ = try await perform(.due, now: now) }
    return listener.readNews()
  }

  /// One hub at a time. It waits for no row: who publishes never waits for a sweep that waits for him.
  package func sweep(now: Date) async throws(HubFailure) -> SweepCounts {
    try await readers.perform { connection in
      return try connection.transaction { connection throws(PostgreSQLFailure) in
        var counts = SweepCounts()
        let isOurs = try connection.ask("SELECT pg_try_advisory_xact_lock(1919174756)").first?.flag(0)
        guard isOurs == true else { return counts }
        func run(_ change: String, _ time: Int64 = now.stored) throws(PostgreSQLFailure) -> Int {
          let rows = try connection.ask(
            "WITH changed AS (\(change) RETURNING 1) SELECT count(*) FROM changed",
            [.time(time), .number(Int64(Limits.hubSweepRows))])
          let count = Int(rows.first?.number(0) ?? 0)
          if count == Limits.hubSweepRows { counts.hasMore = true }
          return count
        }
        counts.ended = try run(
          """
          UPDATE item SET live = false WHERE id IN (
            SELECT id FROM item WHERE live AND expires <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
          """)
        counts.ended += try run(
          """
          UPDATE item SET live = false WHERE id IN (
            SELECT i.id FROM feed f JOIN item i ON i.feed = f.id
              WHERE i.live AND i.expires IS NULL AND i.changed <= $1 - make_interval(days => f.expires_days)
                AND (SELECT expires_from FROM hub) <= $1 - make_interval(days => f.expires_days)
              LIMIT $2 FOR UPDATE OF i SKIP LOCKED)
          """)
        // Of an item that never changed nobody has to learn the end. A feed keeps its greatest id: a smaller one would mean to
        // readers that it began again.
        counts.deleted = try run(
          """
          DELETE FROM item WHERE id IN (
            SELECT i.id FROM item i JOIN feed f ON f.id = i.feed
              WHERE NOT i.live AND (i.expires <= $1 OR i.expires IS NULL)
                AND (i.id = i.first_id
                  OR greatest(coalesce(i.expires, i.changed + make_interval(days => f.expires_days)), i.changed)
                    + make_interval(days => f.keep_days) <= $1)
                AND i.id < (SELECT max(id) FROM item WHERE feed = i.feed)
              LIMIT $2 FOR UPDATE OF i SKIP LOCKED)
          """)
        _ = try run(
          """
          DELETE FROM receipt WHERE (token, idem) IN (
            SELECT token, idem FROM receipt WHERE at <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
          """, now.stored - Limits.hubReceiptSeconds * 1000)
        _ = try run(
          "DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE at <= $1 LIMIT $2)",
          now.stored - Limits.hubAuditDays * 86_400_000)
        return counts
      }
    }
  }

  package func used(tokens: Set<Int>, at now: Date) async throws(HubFailure) {
    try await readers.perform { connection in
      _ = try connection.ask(
        "UPDATE token SET used = $1 WHERE id = ANY ($2)",
        [.time(now.stored), .list(.bigint, tokens.map { .number(Int64($0)) })])
    }
  }

  // MARK: Reading

  /// One statement: its items and its last id are of one moment.
  package func page(
    of feed: FeedName, since: Int64, limit: Int, now: Date
  ) async throws(HubFailure) -> HubPage {
    let isValid = "i.live AND (i.expires IS NULL OR i.expires > $3)"
    // Who may have it must learn its end.
    let isShown = since <= 0 ? isValid : "i.id > $2 AND (\(isValid) OR i.first_id <= $2)"
    let statement = """
      SELECT f.last, i.id, i.key, i.body, i.count
        FROM (SELECT id, (SELECT max(id) FROM item WHERE feed = feed.id) AS last FROM feed WHERE name = $1) f
        LEFT JOIN LATERAL (
          SELECT id, key, body, count(*) OVER () AS count, row_number() OVER (ORDER BY id) AS number,
              sum(octet_length(body)) OVER (ORDER BY id) AS bytes
            FROM (SELECT id, key, body FROM item i WHERE feed = f.id AND \(isShown) ORDER BY id LIMIT $4) i
        ) i ON i.number = 1 OR i.bytes <= \(Limits.hubPageBytes)
        ORDER BY i.id
      """
    let rows = try await readers.perform { connection in
      try connection.ask(
        statement, [.text(feed.text), .number(max(0, since)), .time(now.stored), .number(Int64(limit) + 1)])
    }
    guard let first = rows.first else { throw .notFound }
    var page = HubPage(items: [], hasMore: false, lastID: first.number(0) ?? 0)
    for row in rows {
      guard let id = row.number(1) else { continue }
      guard page.add(id: id, key: row.text(2) ?? "", body: row.text(3) ?? "{}", limit: limit) else { break }
    }
    if page.items.count < Int(first.number(4) ?? 0) { page.hasMore = true }
    return page
  }

  package func feeds() async throws(HubFailure) -> [HubFeed] {
    try await readers.perform { try $0.feeds(counting: false) }
  }

  package func access(token number: Int) async throws(HubFailure) -> HubAccess? {
    try await readers.perform { try $0.accesses(number: number).first }
  }
}
