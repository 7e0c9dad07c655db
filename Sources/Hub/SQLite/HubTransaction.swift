import Foundation
import GRDB

/// Reads the facts of a batch and writes what it leaves, in a transaction that others can't write beside: SQLite has one writer.
struct HubTransaction {
  let db: Database

  /// Does works one after the other.
  ///
  /// - Returns: their outcomes, and the greatest new id of each feed.
  func perform(
    _ works: [(work: HubWork, now: Date)]
  ) throws -> (outcomes: [HubQueue.Outcome], lastIDs: [FeedName: Int64]) {
    let facts = try facts(of: works)
    var count = HubBatch(facts, ids: nil)
    _ = count.perform(works)
    let last = try Int64.fetchOne(db.cachedStatement(sql: "SELECT last FROM place")) ?? 0
    var batch = HubBatch(facts, ids: (0..<count.idCount).map { last + 1 + Int64($0) })
    let outcomes = batch.perform(works)
    try write(batch)
    return (outcomes, batch.lastIDs)
  }

  // MARK: Facts

  private func facts(of works: [(work: HubWork, now: Date)]) throws -> HubFacts {
    var facts = HubFacts()
    if let now = works.map(\.now).max() { facts.due = try due(now: now) }
    let questions = HubFacts.Questions(works.map(\.work), due: facts.due)
    for row in facts.due { facts.feeds[row.name] = row.feed }
    for name in questions.feeds { facts.feeds[name] = try feedID(name) }
    for (item, isWithdrawn) in questions.items {
      guard let feed = facts.feeds[item.feed] else { continue }
      facts.items[item] = try known(item.key, feed, withBody: isWithdrawn)
      let statement = try db.cachedStatement(
        sql: "SELECT EXISTS (SELECT 1 FROM scheduled WHERE feed = ? AND key = ?)")
      if try Bool.fetchOne(statement, arguments: [feed, item.key]) == true { facts.scheduled.insert(item) }
    }
    for receipt in questions.receipts {
      let statement = try db.cachedStatement(
        sql: "SELECT hash, answer, at FROM receipt WHERE token = ? AND idem = ?")
      facts.receipts[receipt] = try Row.fetchOne(statement, arguments: [receipt.token, receipt.key]).map {
        HubReceipt(hash: [UInt8]($0[0] as Data), answer: $0[1], at: $0[2])
      }
    }
    return facts
  }

  /// nil: it isn't there.
  func feedID(_ name: FeedName) throws -> Int64? {
    let statement = try db.cachedStatement(sql: "SELECT id FROM feed WHERE name = ?")
    return try Int64.fetchOne(statement, arguments: [name.text])
  }

  private func due(now: Date) throws -> [HubScheduledRow] {
    let statement = try db.cachedStatement(
      sql: """
        SELECT s.id, f.name, s.feed, s.key, s.body, s.expires, s.own_time, s.due, s.token FROM scheduled s
          JOIN feed f ON f.id = s.feed WHERE s.due <= ? ORDER BY s.due, s.id LIMIT 1000
        """)
    return try Row.fetchAll(statement, arguments: [now.stored]).compactMap { row in
      FeedName(row[1]).map {
        HubScheduledRow(
          id: row[0], name: $0, feed: row[2], key: row[3], body: row[4], expires: row[5],
          ownTime: Publication.OwnTime(rawValue: row[6]) ?? .none, due: row[7], token: row[8])
      }
    }
  }

  private func known(_ key: String, _ feed: Int64, withBody: Bool) throws -> HubItemRow? {
    let statement = try db.cachedStatement(
      sql: """
        SELECT id, first_id, CASE WHEN ? THEN body ELSE '' END, hash, published, changed, expires, live, token
          FROM item WHERE feed = ? AND key = ?
        """)
    return try Row.fetchOne(statement, arguments: [withBody, feed, key]).map { row in
      HubItemRow(
        id: row[0], firstID: row[1], feed: feed, key: key, body: row[2], hash: [UInt8](row[3] as Data),
        published: row[4], changed: row[5], expires: row[6], isLive: row[7], token: row[8])
    }
  }

  // MARK: Writing

  private func write(_ batch: HubBatch) throws {
    for id in batch.due { try run("DELETE FROM scheduled WHERE id = ?", [id]) }
    for item in batch.unscheduled {
      try run("DELETE FROM scheduled WHERE feed = ? AND key = ?", [batch.feedID(item.feed), item.key])
    }
    for row in batch.scheduled {
      try run(
        "INSERT INTO scheduled (feed, key, body, expires, own_time, due, token) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [row.feed, row.key, row.body, row.expires, row.ownTime.rawValue, row.due, row.token])
    }
    for row in batch.items {
      try run(
        """
        INSERT INTO item (id, first_id, feed, key, body, hash, published, changed, expires, live, token)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT (feed, key) DO UPDATE SET id = excluded.id, body = excluded.body, hash = excluded.hash,
            changed = excluded.changed, expires = excluded.expires, live = excluded.live, token = excluded.token
        """,
        [
          row.id, row.firstID, row.feed, row.key, row.body, Data(row.hash), row.published, row.changed,
          row.expires, row.isLive, row.token,
        ])
    }
    for (key, receipt) in batch.receipts {
      try run(
        "INSERT OR REPLACE INTO receipt (token, idem, hash, answer, at) VALUES (?, ?, ?, ?, ?)",
        [key.token, key.key, Data(receipt.hash), receipt.answer, receipt.at])
    }
    for row in batch.audit { try audit(row) }
    try run("UPDATE place SET last = last + ?", [batch.idCount])
  }

  func audit(_ row: HubAuditRow) throws {
    try run(
      "INSERT INTO audit (at, token, address, feed, key, item, act) VALUES (?, ?, ?, ?, ?, ?, ?)",
      [row.at, row.token, row.address, row.feed, row.key, row.item, row.act])
  }

  func run(_ sql: String, _ arguments: StatementArguments) throws {
    try db.cachedStatement(sql: sql).execute(arguments: arguments)
  }
}
