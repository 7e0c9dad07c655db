import Foundation
import GRDB
import HubItems
import Limits

/// The work of one transaction that gives ids.
///
/// One connection writes, under SQLite's own lock, so that whoever sees an id sees every smaller one that will ever be
/// committed: a reader that asks for what is greater than its last id misses nothing (page "Hub").
struct HubTransaction {
  let db: Database
  /// The greatest new id of each feed.
  private(set) var lastIDs: [FeedName: Int64] = [:]

  init(_ db: Database) { self.db = db }

  /// Refusals are a `HubFailure`, thrown before anything is written; any other error is the database's.
  mutating func publish(_ order: PublishOrder, now: Date) throws -> PublishAnswer {
    let feed = try feedID(order.feed)
    let token = order.token ?? 0
    if let idempotency = order.idempotency, let known = try receipt(idempotency.key, token, now) {
      guard known.hash == idempotency.hash else { throw HubFailure.idempotencyMismatch }
      return PublishAnswer(results: known.results, isReplayed: true)
    }
    var results: [PublishResult] = []
    for publication in order.publications {
      let result = try store(publication, order.feed, feed, order.token, now)
      if result.state != .unchanged { try audit(result, feed, order.token, order.address, now) }
      results.append(result)
    }
    if let idempotency = order.idempotency {
      try run(
        "INSERT OR REPLACE INTO receipt (token, idem, hash, answer, at) VALUES (?, ?, ?, ?, ?)",
        [token, idempotency.key, Data(idempotency.hash), PublishResult.text(of: results), now.stored])
    }
    return PublishAnswer(results: results)
  }

  mutating func withdraw(
    _ key: String, from name: FeedName, token: Int?, address: String?, now: Date
  ) throws -> PublishResult {
    let feed = try feedID(name)
    try run("DELETE FROM scheduled WHERE feed = ? AND key = ?", [feed, key])
    let wasScheduled = db.changesCount > 0
    let row = try Row.fetchOne(
      db.cachedStatement(
        sql: "SELECT body FROM item WHERE feed = ? AND key = ? AND live AND (expires IS NULL OR expires > ?)"),
      arguments: [feed, key, now.stored])
    var result = PublishResult(id: nil, key: key, state: .withdrawn)
    if let row {
      let body = Publication.withdrawn(body: row[0], at: now)
      let id = try nextID(name)
      // Its content is another one now: the same published again is a change.
      let over = Publication(key: key, body: body, expires: now)
      try run(
        """
        UPDATE item SET id = ?, body = ?, hash = ?, changed = ?, expires = ?, live = 0, token = ?
          WHERE feed = ? AND key = ?
        """,
        [id, body, Data(over.hash), now.stored, now.stored, token, feed, key])
      result.id = id
    } else if !wasScheduled {
      throw HubFailure.notFound
    }
    try audit(result, feed, token, address, now)
    return result
  }

  /// Puts what is due into its feed, in the order of the times.
  mutating func publishDue(now: Date) throws {
    let rows = try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT s.id, f.name, s.feed, s.key, s.body, s.expires, s.own_time, s.token FROM scheduled s
            JOIN feed f ON f.id = s.feed WHERE s.due <= ? ORDER BY s.due, s.id LIMIT 1000
          """), arguments: [now.stored])
    for row in rows {
      try run("DELETE FROM scheduled WHERE id = ?", [row[0] as Int64])
      guard let name = FeedName(row[1]) else { continue }
      let publication = Publication(
        key: row[3], body: row[4], expires: (row[5] as Int64?).map { Date(stored: $0) },
        ownTime: Publication.OwnTime(rawValue: row[6]) ?? .none)
      let result = try store(publication, name, row[2], row[7], now)
      try audit(result, row[2], row[7], nil, now)
    }
  }

  // MARK: Parts

  func run(_ sql: String, _ arguments: StatementArguments) throws {
    try db.cachedStatement(sql: sql).execute(arguments: arguments)
  }

  func feedID(_ name: FeedName) throws -> Int64 {
    let statement = try db.cachedStatement(sql: "SELECT id FROM feed WHERE name = ?")
    guard let id = try Int64.fetchOne(statement, arguments: [name.text]) else { throw HubFailure.notFound }
    return id
  }

  private mutating func nextID(_ feed: FeedName) throws -> Int64 {
    try run("UPDATE place SET last = last + 1", [])
    let id = try Int64.fetchOne(db.cachedStatement(sql: "SELECT last FROM place")) ?? 0
    lastIDs[feed] = id
    return id
  }

  private mutating func store(
    _ publication: Publication, _ name: FeedName, _ feed: Int64, _ token: Int?, _ now: Date
  ) throws -> PublishResult {
    if let key = publication.key {
      try run("DELETE FROM scheduled WHERE feed = ? AND key = ?", [feed, key])
    }
    let expires = publication.expires?.stored
    if let due = publication.notBefore, due > now {
      try run(
        "INSERT INTO scheduled (feed, key, body, expires, own_time, due, token) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
          feed, publication.key, publication.body, expires, publication.ownTime.rawValue, due.stored, token,
        ])
      return PublishResult(id: nil, key: publication.key, state: .scheduled, due: due)
    }
    let hash = Data(publication.hash)
    let isLive = expires.map { $0 > now.stored } ?? true
    let earlier = try publication.key.flatMap { try known($0, feed) }
    if let earlier, earlier.hash == hash, earlier.expires == expires {
      return PublishResult(id: earlier.id, key: publication.key, state: .unchanged)
    }
    guard let publication = publication.following(earlier?.body) else {
      return PublishResult(id: earlier?.id, key: publication.key, state: .unchanged)
    }
    if let key = publication.key, let earlier {
      let id = try nextID(name)
      try run(
        """
        UPDATE item SET id = ?, body = ?, hash = ?, changed = ?, expires = ?, live = ?, token = ?
          WHERE feed = ? AND key = ?
        """,
        [
          id, publication.body(first: earlier.published, now: now), hash, now.stored, expires, isLive, token,
          feed, key,
        ])
      return PublishResult(id: id, key: key, state: .updated)
    }
    let id = try nextID(name)
    let key = publication.key ?? "#\(id)"
    try run(
      """
      INSERT INTO item (id, first_id, feed, key, body, hash, published, changed, expires, live, token)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        id, id, feed, key, publication.body(first: now, now: now), hash, now.stored, now.stored, expires,
        isLive, token,
      ])
    return PublishResult(id: id, key: key, state: .stored)
  }

  private func known(
    _ key: String, _ feed: Int64
  ) throws -> (id: Int64, hash: Data, expires: Int64?, published: Date, body: String)? {
    let statement = try db.cachedStatement(
      sql: "SELECT id, hash, expires, published, body FROM item WHERE feed = ? AND key = ?")
    return try Row.fetchOne(statement, arguments: [feed, key]).map {
      ($0[0], $0[1], $0[2], Date(stored: $0[3]), $0[4])
    }
  }

  private func receipt(
    _ key: String, _ token: Int, _ now: Date
  ) throws -> (hash: [UInt8], results: [PublishResult])? {
    let statement = try db.cachedStatement(
      sql: "SELECT hash, answer FROM receipt WHERE token = ? AND idem = ? AND at > ?")
    let since = now.stored - Limits.hubReceiptSeconds * 1000
    guard let row = try Row.fetchOne(statement, arguments: [token, key, since]),
      let results = PublishResult.results(of: row[1])
    else { return nil }
    return ([UInt8](row[0] as Data), results)
  }

  private func audit(
    _ result: PublishResult, _ feed: Int64, _ token: Int?, _ address: String?, _ now: Date
  ) throws {
    try audit(result.state.rawValue, feed, key: result.key, item: result.id, token, address, now)
  }

  /// Who did what, to which item or document.
  func audit(
    _ act: String, _ feed: Int64, key: String?, item: Int64? = nil, _ token: Int?, _ address: String?,
    _ now: Date
  ) throws {
    try run(
      "INSERT INTO audit (at, token, address, feed, key, item, act) VALUES (?, ?, ?, ?, ?, ?, ?)",
      [now.stored, token, address, feed, key, item, act])
  }
}
