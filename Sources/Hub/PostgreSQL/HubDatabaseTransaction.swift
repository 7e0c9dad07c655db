import Foundation
import PostgreSQL

/// The one transaction at a time that gives ids, whichever hub of the database it is of (page "Hub", "The order").
struct HubDatabaseTransaction {
  /// "rddb": under it ids are given.
  static let lock = "SELECT pg_advisory_xact_lock(1919174754)"
  static let channel = "reddot_hub"

  let connection: PostgreSQLConnection

  /// What must hold of it whichever session it has: behind a pooler, settings of a session are of another one.
  private static let settings = """
    SET LOCAL synchronous_commit = on; SET LOCAL statement_timeout = '5s'; SET LOCAL lock_timeout = '3s';
    SET LOCAL idle_in_transaction_session_timeout = '5s'
    """

  /// The lock is a statement by itself: those behind it see all that was committed by those who had it before.
  func begin() throws(PostgreSQLFailure) {
    try connection.run("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; \(Self.settings); \(Self.lock)")
  }

  /// Without an answer to this, nobody knows what became of it. Where it waits for a standby, a timeout would end the waiting
  /// with a commit that no standby has.
  func commit(notifies: Bool) throws(PostgreSQLFailure) {
    try connection.run(
      "SET LOCAL statement_timeout = 0; \(notifies ? "NOTIFY \(Self.channel); " : "")COMMIT")
  }

  func rollBack() throws(PostgreSQLFailure) { try connection.run("ROLLBACK") }

  /// Does works one after the other.
  ///
  /// - Returns: their outcomes, and the greatest new id of each feed.
  func perform(
    _ works: [(work: HubWork, now: Date)]
  ) throws(PostgreSQLFailure) -> (outcomes: [HubQueue.Outcome], lastIDs: [FeedName: Int64]) {
    let facts = try facts(of: works)
    var count = HubBatch(facts, ids: nil)
    let refusals = count.perform(works)
    guard count.hasChanges else { return (refusals, [:]) }
    var batch = HubBatch(facts, ids: try ids(count.idCount))
    let outcomes = batch.perform(works)
    try write(batch)
    return (outcomes, batch.lastIDs)
  }

  private func ids(_ count: Int) throws(PostgreSQLFailure) -> [Int64] {
    guard count > 0 else { return [] }
    let rows = try connection.ask(
      "SELECT nextval('place') FROM generate_series(1, $1)", [.number(Int64(count))])
    return rows.compactMap { $0.number(0) }.sorted()
  }

  // MARK: Facts

  /// Throws also `HubFailure.notFound`.
  func feedID(_ name: FeedName) throws -> Int64 {
    let feed = try connection.ask("SELECT id FROM feed WHERE name = $1", [.text(name.text)]).first
    guard let id = feed?.number(0) else { throw HubFailure.notFound }
    return id
  }

  private func facts(of works: [(work: HubWork, now: Date)]) throws(PostgreSQLFailure) -> HubFacts {
    var facts = HubFacts()
    if let now = works.map(\.now).max() { facts.due = try due(now: now) }
    let questions = HubFacts.Questions(works.map(\.work), due: facts.due)
    for row in facts.due { facts.feeds[row.name] = row.feed }
    for row in try connection.ask(
      "SELECT id, name FROM feed WHERE name = ANY ($1)",
      [.list(.text, questions.feeds.map { .text($0.text) })])
    {
      if let name = row.text(1).flatMap({ FeedName($0) }) { facts.feeds[name] = row.number(0) }
    }
    try readItems(questions, &facts)
    try readReceipts(questions, &facts)
    return facts
  }

  private func due(now: Date) throws(PostgreSQLFailure) -> [HubScheduledRow] {
    let rows = try connection.ask(
      """
      SELECT s.id, f.name, s.feed, s.key, s.body, s.expires, s.own_time, s.due, s.token FROM scheduled s
        JOIN feed f ON f.id = s.feed WHERE s.due <= $1 ORDER BY s.due, s.id LIMIT 1000
      """, [.time(now.stored)])
    return rows.compactMap { row in
      row.text(1).flatMap { FeedName($0) }.map {
        HubScheduledRow(
          id: row.number(0) ?? 0, name: $0, feed: row.number(2) ?? 0, key: row.text(3),
          body: row.text(4) ?? "{}", expires: row.time(5),
          ownTime: row.number(6).flatMap { Publication.OwnTime(rawValue: Int($0)) } ?? .none,
          due: row.time(7) ?? 0, token: row.number(8).map { Int($0) })
      }
    }
  }

  private func readItems(
    _ questions: HubFacts.Questions, _ facts: inout HubFacts
  ) throws(PostgreSQLFailure) {
    // U+0000 is in no key of a database.
    let items = questions.items.filter { facts.feeds[$0.key.feed] != nil && !$0.key.key.utf8.contains(0) }
    guard !items.isEmpty else { return }
    let keys = Array(items.keys)
    let rows = try connection.ask(
      """
      SELECT k.number, i.id, i.first_id, CASE WHEN k.withdrawn THEN i.body ELSE '' END, i.hash, i.published, i.changed,
          i.expires, i.live, i.token, s.id
        FROM unnest($1::bigint[], $2::text[], $3::bool[]) WITH ORDINALITY AS k (feed, key, withdrawn, number)
        LEFT JOIN item i ON i.feed = k.feed AND i.key = k.key
        LEFT JOIN scheduled s ON s.feed = k.feed AND s.key = k.key
      """,
      [
        .list(.bigint, keys.map { .number(facts.feeds[$0.feed]) }), .list(.text, keys.map { .text($0.key) }),
        .list(.bool, keys.map { .flag(items[$0] ?? false) }),
      ])
    for row in rows {
      guard let number = row.number(0), keys.indices.contains(Int(number) - 1) else { continue }
      let key = keys[Int(number) - 1]
      if row.number(10) != nil { facts.scheduled.insert(key) }
      guard let id = row.number(1), let firstID = row.number(2), let feed = facts.feeds[key.feed] else {
        continue
      }
      facts.items[key] = HubItemRow(
        id: id, firstID: firstID, feed: feed, key: key.key, body: row.text(3) ?? "", hash: row.bytes(4) ?? [],
        published: row.time(5) ?? 0, changed: row.time(6) ?? 0, expires: row.time(7),
        isLive: row.flag(8) ?? false, token: row.number(9).map { Int($0) })
    }
  }

  private func readReceipts(
    _ questions: HubFacts.Questions, _ facts: inout HubFacts
  ) throws(PostgreSQLFailure) {
    guard !questions.receipts.isEmpty else { return }
    let keys = Array(questions.receipts)
    let rows = try connection.ask(
      """
      SELECT r.token, r.idem, r.hash, r.answer, r.at FROM unnest($1::bigint[], $2::text[]) AS k (token, idem)
        JOIN receipt r ON r.token = k.token AND r.idem = k.idem
      """,
      [
        .list(.bigint, keys.map { .number(Int64($0.token)) }), .list(.text, keys.map { .text($0.key) }),
      ])
    for row in rows {
      guard let token = row.number(0), let key = row.text(1) else { continue }
      facts.receipts[HubReceipt.Key(token: Int(token), key: key)] = HubReceipt(
        hash: row.bytes(2) ?? [], answer: row.text(3) ?? "", at: row.time(4) ?? 0)
    }
  }

  // MARK: Writing

  private func write(_ batch: HubBatch) throws(PostgreSQLFailure) {
    if !batch.due.isEmpty {
      _ = try connection.ask(
        "DELETE FROM scheduled WHERE id = ANY ($1)", [.list(.bigint, batch.due.map { .number($0) })])
    }
    let unscheduled = Array(batch.unscheduled)
    if !unscheduled.isEmpty {
      _ = try connection.ask(
        """
        DELETE FROM scheduled s USING unnest($1::bigint[], $2::text[]) AS k (feed, key)
          WHERE s.feed = k.feed AND s.key = k.key
        """,
        [
          .list(.bigint, unscheduled.map { .number(batch.feedID($0.feed)) }),
          .list(.text, unscheduled.map { .text($0.key) }),
        ])
    }
    let scheduled = batch.scheduled
    if !scheduled.isEmpty {
      _ = try connection.ask(
        """
        INSERT INTO scheduled (feed, key, body, expires, own_time, due, token) SELECT * FROM
          unnest($1::bigint[], $2::text[], $3::text[], $4::timestamptz[], $5::bigint[], $6::timestamptz[], $7::bigint[])
        """,
        [
          .list(.bigint, scheduled.map { .number($0.feed) }), .list(.text, scheduled.map { .text($0.key) }),
          .list(.text, scheduled.map { .text($0.body) }),
          .list(.timestamptz, scheduled.map { .time($0.expires) }),
          .list(.bigint, scheduled.map { .number(Int64($0.ownTime.rawValue)) }),
          .list(.timestamptz, scheduled.map { .time($0.due) }),
          .list(.bigint, scheduled.map { .number($0.token.map { Int64($0) }) }),
        ])
    }
    try write(batch.items)
    try write(batch.receipts)
    try connection.write(batch.audit)
  }

  private func write(_ items: [HubItemRow]) throws(PostgreSQLFailure) {
    guard !items.isEmpty else { return }
    _ = try connection.ask(
      """
      INSERT INTO item (id, first_id, feed, key, body, hash, published, changed, expires, live, token) SELECT * FROM
        unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::bytea[], $7::timestamptz[],
          $8::timestamptz[], $9::timestamptz[], $10::bool[], $11::bigint[])
        ON CONFLICT (feed, key) DO UPDATE SET id = excluded.id, body = excluded.body, hash = excluded.hash,
          changed = excluded.changed, expires = excluded.expires, live = excluded.live, token = excluded.token
      """,
      [
        .list(.bigint, items.map { .number($0.id) }), .list(.bigint, items.map { .number($0.firstID) }),
        .list(.bigint, items.map { .number($0.feed) }), .list(.text, items.map { .text($0.key) }),
        .list(.text, items.map { .text($0.body) }), .list(.bytea, items.map { .bytes($0.hash) }),
        .list(.timestamptz, items.map { .time($0.published) }),
        .list(.timestamptz, items.map { .time($0.changed) }),
        .list(.timestamptz, items.map { .time($0.expires) }), .list(.bool, items.map { .flag($0.isLive) }),
        .list(.bigint, items.map { .number($0.token.map { Int64($0) }) }),
      ])
  }

  private func write(_ receipts: [HubReceipt.Key: HubReceipt]) throws(PostgreSQLFailure) {
    guard !receipts.isEmpty else { return }
    let all = Array(receipts)
    _ = try connection.ask(
      """
      INSERT INTO receipt (token, idem, hash, answer, at)
        SELECT * FROM unnest($1::bigint[], $2::text[], $3::bytea[], $4::text[], $5::timestamptz[])
        ON CONFLICT (token, idem) DO UPDATE SET hash = excluded.hash, answer = excluded.answer, at = excluded.at
      """,
      [
        .list(.bigint, all.map { .number(Int64($0.key.token)) }), .list(.text, all.map { .text($0.key.key) }),
        .list(.bytea, all.map { .bytes($0.value.hash) }), .list(.text, all.map { .text($0.value.answer) }),
        .list(.timestamptz, all.map { .time($0.value.at) }),
      ])
  }
}

extension PostgreSQLConnection {
  func write(_ audit: [HubAuditRow]) throws(PostgreSQLFailure) {
    guard !audit.isEmpty else { return }
    _ = try ask(
      """
      INSERT INTO audit (at, token, address, feed, key, item, act)
        SELECT at, token, address::inet, feed, key, item, act FROM
          unnest($1::timestamptz[], $2::bigint[], $3::text[], $4::bigint[], $5::text[], $6::bigint[], $7::text[])
            AS a (at, token, address, feed, key, item, act)
      """,
      [
        .list(.timestamptz, audit.map { .time($0.at) }),
        .list(.bigint, audit.map { .number($0.token.map { Int64($0) }) }),
        // An address of one link has its interface behind a percent sign, which the type doesn't know.
        .list(.text, audit.map { .text($0.address.map { String($0.prefix { $0 != "%" }) }) }),
        .list(.bigint, audit.map { .number($0.feed) }), .list(.text, audit.map { .text($0.key) }),
        .list(.bigint, audit.map { .number($0.item) }), .list(.text, audit.map { .text($0.act) }),
      ])
  }
}
