import Basics
package import Foundation

extension HubAdministering {
  /// Returns the feeds by name, with counts of items and last ids.
  package func feeds() throws(HubStoreFailure) -> [HubFeed] { try reading { try $0.feeds(counting: true) } }

  /// Adds an empty feed. Throws `refused` if one has this name.
  package func add(_ feed: HubFeed) throws(HubStoreFailure) {
    try writing { session in
      let added = try session.rows(
        """
        INSERT INTO feed (name, title, public, keep_days, expires_days) VALUES (?1, ?2, ?3, ?4, ?5)
          ON CONFLICT (name) DO NOTHING RETURNING id
        """, .text(feed.name.text), .text(feed.title), .flag(feed.isPublic), .number(feed.keepDays),
        .number(feed.expiresDays))
      if added.isEmpty { throw HubStoreFailure.isThere(feed: feed.name) }
      try session.audit("feed added", feed.name.text)
    }
  }

  /// Changes the number of days after which the items of a feed that specify no end expire. Throws `refused`
  /// if no feed has this name.
  ///
  /// - Parameter expiresDays: the days, or `nil` if it never ends.
  package func change(feed name: FeedName, expiresDays: Int64?) throws(HubStoreFailure) {
    try writing { session in
      let changed = try session.rows(
        "UPDATE feed SET expires_days = ?2 WHERE name = ?1 RETURNING id", .text(name.text),
        .number(expiresDays))
      if changed.isEmpty { throw HubStoreFailure.missing(feed: name) }
      try session.audit("feed changed", name.text)
    }
  }

  /// Removes a feed with its content.
  ///
  /// - Returns: the number of its items.
  package func remove(feed name: FeedName) throws(HubStoreFailure) -> Int {
    try writing { session in
      let items = try session.rows(
        "SELECT (SELECT count(*) FROM item WHERE feed = f.id) FROM feed f WHERE name = ?1", .text(name.text))
      guard let count = items.first?.integer(0) else { throw HubStoreFailure.missing(feed: name) }
      try session.rows("DELETE FROM feed WHERE name = ?1", .text(name.text))
      try session.audit("feed removed", name.text)
      return count
    }
  }

  /// Returns the tokens by name.
  package func tokens() throws(HubStoreFailure) -> [HubAccess] {
    try reading { try $0.accesses(number: nil) }
  }

  /// Creates a token. Throws `refused` if one has this name, or a feed does not exist. The name of a revoked token can
  /// be used again: the revoked one is then renamed to `NAME (NUMBER)`.
  ///
  /// - Parameter secret: 32 random bytes.
  /// - Returns: its text, which isn't stored.
  package func addToken(_ name: String, _ rights: HubRights, secret: [UInt8], now: Date)
    throws(HubStoreFailure) -> String
  {
    try writing { session in
      try session.rows(
        """
        UPDATE token SET name = name || ' (' || id || ')' WHERE name = ?1 AND revoked IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM token t WHERE t.name = token.name || ' (' || token.id || ')')
        """, .text(name))
      if let person = rights.person {
        try session.rows("INSERT INTO person (name) VALUES (?1) ON CONFLICT (name) DO NOTHING", .text(person))
      }
      let added = try session.rows(
        """
        INSERT INTO token (name, hash, link, admin, person, made, expires)
          VALUES (?1, ?2, ?3, ?4, (SELECT id FROM person WHERE name = ?5), ?6, ?7)
          ON CONFLICT (name) DO NOTHING RETURNING id
        """, .text(name), .bytes(Data()), .flag(rights.isLink), .flag(rights.isAdmin), .text(rights.person),
        .time(now.stored), .time(rights.expires?.stored))
      guard let number = added.first?.integer(0) else { throw HubStoreFailure.isThere(token: name) }
      let text = HubToken.make(number: number, secret: secret)
      guard let token = HubToken(text) else { throw HubStoreFailure.noToken }
      try session.rows(
        "UPDATE token SET hash = ?1 WHERE id = ?2", .bytes(Data(token.hash)), .integer(number))
      try session.setFeeds(of: number, reads: rights.reads, publishes: rights.publishes)
      try session.audit("token added", name, now)
      return text
    }
  }

  /// Changes the feeds that a token reads and publishes to. Throws `refused` if no valid token has this name,
  /// a feed does not exist, or a token for links would not read exactly one feed.
  ///
  /// - Parameters:
  ///   - reads: the feeds, or `nil` for no change.
  ///   - publishes: the feeds, or `nil` for no change.
  /// - Returns: the changed token.
  package func changeToken(_ name: String, reads: Set<FeedName>?, publishes: Set<FeedName>?, now: Date)
    throws(HubStoreFailure) -> HubAccess
  {
    try writing { session in
      let known = try session.accesses(number: nil).first { $0.name == name && $0.revoked == nil }
      guard var access = known else { throw HubStoreFailure.missing(token: name) }
      if let reads { access.reads = reads }
      if let publishes { access.publishes = publishes }
      guard access.hasFeedsOfItsKind else { throw HubStoreFailure.notALink }
      try session.setFeeds(of: access.number, reads: access.reads, publishes: access.publishes)
      try session.audit("token changed", name, now)
      return access
    }
  }

  /// Ends a token. Throws `refused` if none has this name.
  package func revokeToken(_ name: String, now: Date) throws(HubStoreFailure) {
    try writing { session in
      let revoked = try session.rows(
        "UPDATE token SET revoked = coalesce(revoked, ?2) WHERE name = ?1 RETURNING id", .text(name),
        .time(now.stored))
      if revoked.isEmpty { throw HubStoreFailure.missing(token: name) }
      try session.audit("token revoked", name, now)
    }
  }

  /// Skips a million ids, also for the objects that machines store: after a backup was restored, no new id may be below
  /// one that a reader has seen.
  ///
  /// - Returns: the last id, after which new ids begin.
  package func moveOn() throws(HubStoreFailure) -> Int64 {
    try writing { session in
      let last = try session.moveOn(past: 0)
      try session.audit("ids moved on", nil)
      return last
    }
  }
}

extension HubSession {
  /// Skips ids, including those of the objects that machines store, so that new ids are greater than `last`.
  ///
  /// - Parameter last: an id that was assigned, even if the store doesn't know it.
  /// - Returns: the last id, after which new ids begin.
  func moveOn(past last: Int64) throws -> Int64 {
    let last = try moveIDs(past: last, by: Limits.hubRestoredIDs)
    try rows("UPDATE person SET last = last + ?1", .number(Limits.hubRestoredIDs))
    return last
  }

  /// Stores the act of a command in the audit.
  ///
  /// - Parameters:
  ///   - name: the name of the changed thing.
  ///   - time: the time, or `nil` for the store's.
  func audit(_ act: String, _ name: String?, _ time: Date? = nil) throws {
    try audit([HubAuditRow(at: try time?.stored ?? self.time(), key: name, act: act)])
  }

  /// Replaces the feeds that a token reads and publishes to.
  fileprivate func setFeeds(of token: Int, reads: Set<FeedName>, publishes: Set<FeedName>) throws {
    try rows("DELETE FROM token_feed WHERE token = ?1", .integer(token))
    for feed in reads.union(publishes).sorted() {
      guard let id = try feedID(feed) else { throw HubStoreFailure.missing(feed: feed) }
      try rows(
        "INSERT INTO token_feed (token, feed, reads, publishes) VALUES (?1, ?2, ?3, ?4)", .integer(token),
        .number(id), .flag(reads.contains(feed)), .flag(publishes.contains(feed)))
    }
  }
}
