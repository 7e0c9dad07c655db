import Basics
package import Foundation
import Platform
import PostgreSQL

extension HubDatabase {
  package func feeds() throws(HubStoreFailure) -> [HubFeed] {
    try asking { connection throws(PostgreSQLFailure) in try connection.feeds(counting: true) }
  }

  package func add(_ feed: HubFeed) throws(HubStoreFailure) {
    try writing { connection throws(PostgreSQLFailure) -> Result<Void, HubStoreFailure> in
      let added = try connection.ask(
        """
        INSERT INTO feed (name, title, public, keep_days, expires_days) VALUES ($1, $2, $3, $4::bigint, $5::bigint)
          ON CONFLICT (name) DO NOTHING RETURNING id
        """,
        [
          .text(feed.name.text), .text(feed.title), .flag(feed.isPublic), .number(feed.keepDays),
          .number(feed.expiresDays),
        ])
      if added.isEmpty { return .failure(.isThere(feed: feed.name)) }
      try connection.audit("feed added", feed.name.text, try connection.time())
      return .success(())
    }
  }

  package func change(feed name: FeedName, expiresDays: Int64?) throws(HubStoreFailure) {
    try writing { connection throws(PostgreSQLFailure) -> Result<Void, HubStoreFailure> in
      let changed = try connection.ask(
        "UPDATE feed SET expires_days = $2::bigint WHERE name = $1 RETURNING id",
        [.text(name.text), .number(expiresDays)])
      if changed.isEmpty { return .failure(.missing(feed: name)) }
      try connection.audit("feed changed", name.text, try connection.time())
      return .success(())
    }
  }

  package func remove(feed name: FeedName) throws(HubStoreFailure) -> Int {
    try writing { connection throws(PostgreSQLFailure) in
      let items = try connection.ask(
        "SELECT (SELECT count(*) FROM item WHERE feed = f.id) FROM feed f WHERE name = $1",
        [.text(name.text)])
      guard let count = items.first?.number(0) else { return .failure(.missing(feed: name)) }
      _ = try connection.ask("DELETE FROM feed WHERE name = $1", [.text(name.text)])
      try connection.audit("feed removed", name.text, try connection.time())
      return .success(Int(count))
    }
  }

  package func tokens() throws(HubStoreFailure) -> [HubAccess] {
    try asking { connection throws(PostgreSQLFailure) in try connection.accesses(number: nil) }
  }

  package func addToken(_ name: String, _ rights: HubRights, secret: [UInt8], now: Date)
    throws(HubStoreFailure) -> String
  {
    try writing { connection throws(PostgreSQLFailure) in
      // A failure is a value here, and what is written before it would stay: all is asked first.
      let (reads, publishes) = (rights.reads, rights.publishes)
      for feed in reads.union(publishes).sorted()
      where try connection.ask("SELECT id FROM feed WHERE name = $1", [.text(feed.text)]).isEmpty {
        return .failure(.missing(feed: feed))
      }
      _ = try connection.ask(
        """
        UPDATE token t SET name = name || ' (' || id || ')' WHERE name = $1 AND revoked IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM token WHERE name = t.name || ' (' || t.id || ')')
        """, [.text(name)])
      let added = try connection.ask(
        """
        INSERT INTO token (name, hash, link, admin, made, expires) VALUES ($1, '', $2, $3, $4, $5)
          ON CONFLICT (name) DO NOTHING RETURNING id
        """,
        [
          .text(name), .flag(rights.isLink), .flag(rights.isAdmin), .time(now.stored),
          .time(rights.expires?.stored),
        ])
      guard let number = added.first?.number(0) else { return .failure(.isThere(token: name)) }
      let text = HubToken.make(number: Int(number), secret: secret)
      guard let token = HubToken(text) else { return .failure(.noToken) }
      if let person = rights.person {
        _ = try connection.ask(
          "INSERT INTO person (name) VALUES ($1) ON CONFLICT (name) DO NOTHING", [.text(person)])
      }
      _ = try connection.ask(
        "UPDATE token SET hash = $2, person = (SELECT id FROM person WHERE name = $3) WHERE id = $1",
        [.number(number), .bytes(token.hash), .text(rights.person)])
      try connection.setFeeds(of: number, reads: reads, publishes: publishes)
      try connection.audit("token added", name, now.stored)
      return .success(text)
    }
  }

  package func changeToken(_ name: String, reads: Set<FeedName>?, publishes: Set<FeedName>?, now: Date)
    throws(HubStoreFailure) -> HubAccess
  {
    try writing { connection throws(PostgreSQLFailure) -> Result<HubAccess, HubStoreFailure> in
      let known = try connection.accesses(number: nil).first { $0.name == name && $0.revoked == nil }
      guard var access = known else { return .failure(.missing(token: name)) }
      if let reads { access.reads = reads }
      if let publishes { access.publishes = publishes }
      guard access.hasFeedsOfItsKind else { return .failure(.notALink) }
      for feed in access.reads.union(access.publishes).sorted()
      where try connection.ask("SELECT id FROM feed WHERE name = $1", [.text(feed.text)]).isEmpty {
        return .failure(.missing(feed: feed))
      }
      try connection.setFeeds(of: Int64(access.number), reads: access.reads, publishes: access.publishes)
      try connection.audit("token changed", name, now.stored)
      return .success(access)
    }
  }

  package func revokeToken(_ name: String, now: Date) throws(HubStoreFailure) {
    try writing { connection throws(PostgreSQLFailure) -> Result<Void, HubStoreFailure> in
      let revoked = try connection.ask(
        "UPDATE token SET revoked = coalesce(revoked, $2) WHERE name = $1 RETURNING id",
        [.text(name), .time(now.stored)])
      if revoked.isEmpty { return .failure(.missing(token: name)) }
      try connection.audit("token revoked", name, now.stored)
      return .success(())
    }
  }

  package func moveOn() throws(HubStoreFailure) -> Int64 {
    try writing { connection throws(PostgreSQLFailure) in
      let last = try connection.ask(
        "SELECT setval('place', CASE WHEN is_called THEN last_value ELSE 0 END + \(Limits.hubRestoredIDs)) FROM place"
      )
      try connection.run("UPDATE person SET last = last + \(Limits.hubRestoredIDs)")
      try connection.audit("ids moved on", nil, try connection.time())
      return .success(last.first?.number(0) ?? 0)
    }
  }

  /// Its own program does that.
  package func backUp(to target: String) throws(HubStoreFailure) -> (items: Int, bytes: Int) {
    throw HubStoreFailure(
      .wrongUsage,
      "PostgreSQL has a program for that: pg_dump --format=custom --file=\(ShellWord.quoted(target)) \(ShellWord.quoted(name))"
    )
  }

  /// PostgreSQL's own program restores.
  package static func restoringElsewhere(_ file: String, _ options: HubDatabaseOptions) -> HubStoreFailure {
    let target = "--dbname=\(ShellWord.quoted(options.address.text)) \(ShellWord.quoted(file))"
    return HubStoreFailure(
      .wrongUsage,
      "PostgreSQL has a program for that: pg_restore --clean --if-exists --single-transaction \(target); then reddot-hub migrate --restored"
    )
  }

  package func findings(now: Date) throws(HubStoreFailure) -> [HubFinding] {
    let version = try version()
    let (row, isNear, hasTLS, process) = try asking { connection throws(PostgreSQLFailure) in
      let rows = try connection.ask(
        """
        SELECT current_setting('server_version_num')::int, current_setting('server_version'),
          current_setting('fsync'), current_setting('synchronous_standby_names'), clock_timestamp(), pg_backend_pid()
        """)
      return (rows.first, connection.isOfThisMachine, connection.hasTLS, connection.serverProcess)
    }
    guard let row else { return [] }
    let isDurable = row.text(2) == "on"
    let standby = row.text(3) ?? ""
    let seconds = Int((row.time(4) ?? 0) / 1000) - Int(now.timeIntervalSince1970)
    // What is asked is answered by another process than the one that it connected to.
    let hasPooler = row.number(5) != Int64(process)
    return [
      HubFinding("schema", true, "\(version)"),
      HubFinding(
        "server", row.number(0) ?? 0 >= 130_000, "PostgreSQL \(row.text(1) ?? "of unknown version")"),
      HubFinding(
        "fsync", isDurable,
        isDurable ? "what is acknowledged is on the disk" : "the server doesn't wait for the disk"),
      HubFinding(
        "standby", true,
        standby.isEmpty
          ? "none is waited for: a failover may lose what was acknowledged last" : "waits for \(standby)"),
      HubFinding(
        "TLS", isNear || hasTLS,
        hasTLS ? "used" : isNear ? "not needed on this machine" : "not used: add ?sslmode=verify-full"),
      HubFinding(
        "clock", abs(seconds) <= 60,
        abs(seconds) <= 60
          ? "as the database's" : "\(seconds) s behind the database, whose time counts"),
    ]
      + (hasPooler
        ? [
          HubFinding(
            "pooler", true,
            "there is one, which must keep each transaction on one connection; other hubs' items are looked for each second"
          )
        ] : [])
  }
}

extension PostgreSQLConnection {
  /// - Precondition: all of them are there.
  fileprivate func setFeeds(
    of token: Int64, reads: Set<FeedName>, publishes: Set<FeedName>
  ) throws(PostgreSQLFailure) {
    _ = try ask("DELETE FROM token_feed WHERE token = $1", [.number(token)])
    for feed in reads.union(publishes).sorted() {
      _ = try ask(
        """
        INSERT INTO token_feed (token, feed, reads, publishes) SELECT $1::bigint, id, $3, $4 FROM feed WHERE name = $2
        """,
        [.number(token), .text(feed.text), .flag(reads.contains(feed)), .flag(publishes.contains(feed))])
    }
  }

  /// What a command did; with the name of what it changed.
  fileprivate func audit(_ act: String, _ name: String?, _ time: Int64) throws(PostgreSQLFailure) {
    try write([HubAuditRow(at: time, key: name, act: act)])
  }
}
