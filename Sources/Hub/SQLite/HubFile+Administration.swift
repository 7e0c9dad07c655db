import Basics
package import Foundation
import GRDB

extension HubFile: HubAdministering {
  package var name: String { "sqlite:\(path)" }

  package func now() -> Date { Date() }

  package func hub() -> any HubStoring { SQLiteHub(self) }

  package func feeds() throws(HubStoreFailure) -> [HubFeed] {
    try reading { db in try Self.feeds(db, counting: true) }
  }

  package func add(_ feed: HubFeed) throws(HubStoreFailure) {
    try writing { db in
      let known = try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM feed WHERE name = ?)", arguments: [feed.name.text])
      if known == true { throw HubStoreFailure.isThere(feed: feed.name) }
      try db.execute(
        sql: "INSERT INTO feed (name, title, public, keep_days, expires_days) VALUES (?, ?, ?, ?, ?)",
        arguments: [feed.name.text, feed.title, feed.isPublic, feed.keepDays, feed.expiresDays])
      try audit("feed added", feed.name.text, now(), db)
    }
  }

  package func change(feed name: FeedName, expiresDays: Int64?) throws(HubStoreFailure) {
    try writing { db in
      let feed = try Self.id(of: name, db)
      try db.execute(
        sql: "UPDATE feed SET expires_days = ? WHERE id = ?", arguments: [expiresDays, feed])
      try audit("feed changed", name.text, now(), db)
    }
  }

  package func remove(feed name: FeedName) throws(HubStoreFailure) -> Int {
    try writing { db in
      let feed = try Self.id(of: name, db)
      let items =
        try Int.fetchOne(db, sql: "SELECT count(*) FROM item WHERE feed = ?", arguments: [feed]) ?? 0
      try db.execute(sql: "DELETE FROM feed WHERE id = ?", arguments: [feed])
      try audit("feed removed", name.text, now(), db)
      return items
    }
  }

  package func tokens() throws(HubStoreFailure) -> [HubAccess] {
    try reading { db in try Self.accesses(db, number: nil) }
  }

  package func addToken(_ name: String, _ rights: HubRights, secret: [UInt8], now: Date)
    throws(HubStoreFailure) -> String
  {
    try writing { db in
      try db.execute(
        sql:
          "UPDATE OR IGNORE token SET name = name || ' (' || id || ')' WHERE name = ? AND revoked IS NOT NULL",
        arguments: [name])
      let known = try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM token WHERE name = ?)", arguments: [name])
      if known == true { throw HubStoreFailure.isThere(token: name) }
      if let person = rights.person {
        try db.execute(
          sql: "INSERT INTO person (name) VALUES (?) ON CONFLICT DO NOTHING", arguments: [person])
      }
      try db.execute(
        sql: """
          INSERT INTO token (name, hash, link, admin, person, made, expires)
            VALUES (?, x'', ?, ?, (SELECT id FROM person WHERE name = ?), ?, ?)
          """,
        arguments: [
          name, rights.isLink, rights.isAdmin, rights.person, now.stored, rights.expires?.stored,
        ])
      let number = Int(db.lastInsertedRowID)
      let text = HubToken.make(number: number, secret: secret)
      guard let token = HubToken(text) else { throw HubStoreFailure.noToken }
      try db.execute(
        sql: "UPDATE token SET hash = ? WHERE id = ?", arguments: [Data(token.hash), number])
      try Self.setFeeds(of: number, reads: rights.reads, publishes: rights.publishes, db)
      try audit("token added", name, now, db)
      return text
    }
  }

  private static func setFeeds(
    of token: Int, reads: Set<FeedName>, publishes: Set<FeedName>, _ db: Database
  ) throws {
    try db.execute(sql: "DELETE FROM token_feed WHERE token = ?", arguments: [token])
    for feed in reads.union(publishes).sorted() {
      try db.execute(
        sql: "INSERT INTO token_feed (token, feed, reads, publishes) VALUES (?, ?, ?, ?)",
        arguments: [token, try id(of: feed, db), reads.contains(feed), publishes.contains(feed)])
    }
  }

  package func changeToken(_ name: String, reads: Set<FeedName>?, publishes: Set<FeedName>?, now: Date)
    throws(HubStoreFailure) -> HubAccess
  {
    try writing { db in
      guard
        var access = try Self.accesses(db, number: nil).first(where: { $0.name == name && $0.revoked == nil })
      else { throw HubStoreFailure.missing(token: name) }
      if let reads { access.reads = reads }
      if let publishes { access.publishes = publishes }
      guard access.hasFeedsOfItsKind else { throw HubStoreFailure.notALink }
      try Self.setFeeds(of: access.number, reads: access.reads, publishes: access.publishes, db)
      try audit("token changed", name, now, db)
      return access
    }
  }

  package func revokeToken(_ name: String, now: Date) throws(HubStoreFailure) {
    try writing { db in
      try db.execute(
        sql: "UPDATE token SET revoked = coalesce(revoked, ?) WHERE name = ?", arguments: [now.stored, name])
      if db.changesCount == 0 { throw HubStoreFailure.missing(token: name) }
      try audit("token revoked", name, now, db)
    }
  }

  package func findings(now: Date) throws(HubStoreFailure) -> [HubFinding] {
    let (isDurable, damage) = (try isDurable(), try damage())
    return [
      HubFinding("schema", true, "\(try version())"),
      HubFinding(
        "fsync", isDurable,
        isDurable ? "what is acknowledged is on the disk" : "SQLite doesn't wait for the disk"),
      HubFinding("pages", damage == nil, damage.map { "\($0): restore a backup" } ?? "none is damaged"),
    ]
  }

  /// Whether a commit reaches the disk before it is acknowledged.
  package func isDurable() throws(HubStoreFailure) -> Bool {
    do {
      return try pool.writeWithoutTransaction { db in
        try Int.fetchOne(db, sql: "PRAGMA synchronous") == 2
          && String.fetchOne(db, sql: "PRAGMA journal_mode") == "wal"
      }
    } catch { throw Self.failure(error, path) }
  }

  /// What SQLite finds wrong with the file; nil: nothing.
  package func damage() throws(HubStoreFailure) -> String? {
    try reading { db in
      let found = try String.fetchOne(db, sql: "PRAGMA quick_check(1)") ?? "no answer"
      return found == "ok" ? nil : found
    }
  }

  /// Writes a copy as of one instant, while others read and write, and checks it. It replaces `target` once it is whole.
  ///
  /// - Returns: how many items and bytes it has.
  package func backUp(to target: String) throws(HubStoreFailure) -> (items: Int, bytes: Int) {
    let unfinished = target + ".unfinished"
    do {
      for suffix in ["", "-journal", "-wal", "-shm"] { unlink(unfinished + suffix) }
      let descriptor = open(unfinished, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else {
        throw HubStoreFailure(.away, "\(unfinished) can't be made: \(String(cString: strerror(errno)))")
      }
      close(descriptor)
      try pool.writeWithoutTransaction { db in
        try db.execute(sql: "VACUUM INTO ?", arguments: [unfinished])
      }
      let copy = try DatabaseQueue(path: unfinished)
      let (found, items) = try copy.read { db in
        (
          try String.fetchOne(db, sql: "PRAGMA integrity_check(1)"),
          try Int.fetchOne(db, sql: "SELECT count(*) FROM item") ?? 0
        )
      }
      try copy.close()
      guard found == "ok" else { throw HubStoreFailure(.notAHub, "the copy of \(path) is damaged") }
      guard rename(unfinished, target) == 0, let written = FileFacts(target) else {
        throw HubStoreFailure(.away, "\(target) can't be written: \(String(cString: strerror(errno)))")
      }
      return (items, written.size)
    } catch {
      unlink(unfinished)
      throw Self.failure(error, path)
    }
  }

  package func moveOn() throws(HubStoreFailure) -> Int64 {
    try writing { db in
      try Self.moveOn(past: 0, db)
      try audit("ids moved on", nil, now(), db)
      return try Int64.fetchOne(db, sql: "SELECT last FROM place") ?? 0
    }
  }

  /// - Parameter last: an id that was given too, though the store doesn't know it.
  static func moveOn(past last: Int64, _ db: Database) throws {
    try db.execute(
      sql: "UPDATE place SET last = max(last, ?) + ?", arguments: [last, Limits.hubRestoredIDs])
    try db.execute(sql: "UPDATE person SET last = last + ?", arguments: [Limits.hubRestoredIDs])
  }

  // MARK: Rows

  /// What a command did; with the name of what it changed.
  private func audit(_ act: String, _ name: String?, _ now: Date, _ db: Database) throws {
    try HubTransaction(db: db).audit(HubAuditRow(at: now.stored, key: name, act: act))
  }

  private static func id(of feed: FeedName, _ db: Database) throws -> Int64 {
    guard let id = try Int64.fetchOne(db, sql: "SELECT id FROM feed WHERE name = ?", arguments: [feed.text])
    else {
      throw HubStoreFailure.missing(feed: feed)
    }
    return id
  }

  static func feeds(_ db: Database, counting: Bool) throws -> [HubFeed] {
    let items = counting ? "(SELECT count(*) FROM item WHERE feed = f.id)" : "0"
    return try Row.fetchAll(
      db,
      sql: """
        SELECT name, title, public, keep_days, expires_days, \(items),
          coalesce((SELECT max(id) FROM item WHERE feed = f.id), 0) FROM feed f ORDER BY name
        """
    ).compactMap { row in
      FeedName(row[0]).map {
        HubFeed(
          name: $0, title: row[1], isPublic: row[2], keepDays: row[3], expiresDays: row[4], items: row[5],
          lastID: row[6])
      }
    }
  }

  /// - Parameter number: nil: all of them.
  static func accesses(_ db: Database, number: Int?) throws -> [HubAccess] {
    var accesses = try Row.fetchAll(
      db,
      sql: """
        SELECT t.id, t.name, t.hash, t.made, t.expires, t.revoked, t.used, t.link, t.admin, t.person, p.name
          FROM token t LEFT JOIN person p ON p.id = t.person WHERE ?1 IS NULL OR t.id = ?1 ORDER BY t.name
        """, arguments: [number]
    ).map { row in
      func time(_ place: Int) -> Date? { (row[place] as Int64?).map { Date(stored: $0) } }
      return HubAccess(
        number: row[0], name: row[1], hash: [UInt8](row[2] as Data), reads: [], publishes: [],
        isLink: row[7], isAdmin: row[8], person: row[9], personName: row[10], made: Date(stored: row[3]),
        expires: time(4), revoked: time(5),
        used: time(6))
    }
    for index in accesses.indices {
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT f.name, t.reads, t.publishes FROM token_feed t JOIN feed f ON f.id = t.feed WHERE t.token = ?
          """, arguments: [accesses[index].number])
      for row in rows {
        guard let name = FeedName(row[0]) else { continue }
        if row[1] { accesses[index].reads.insert(name) }
        if row[2] { accesses[index].publishes.insert(name) }
      }
    }
    return accesses
  }
}
