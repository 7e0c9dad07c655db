import Basics
package import Foundation

extension HubStoring {
  /// Returns a page. It uses one statement, so that its items and its last id are from the same moment.
  package func page(
    of feed: FeedName, since: Int64, limit: Int, now: Date
  ) async throws(HubFailure) -> HubPage {
    let isValid = "live AND (expires IS NULL OR expires > ?3)"
    // A reader who may have the item must learn of its end.
    let isShown = "id > ?2 AND (\(isValid)\(since > 0 ? " OR first_id <= ?2" : ""))"
    return try await reading { session in
      let (size, isOfFeed) = (Session.size("body"), "feed = (SELECT id FROM feed WHERE name = ?1)")
      let rows = try session.rows(
        """
        SELECT (SELECT max(id) FROM item WHERE \(isOfFeed)), i.id, i.key, i.body FROM feed f
          LEFT JOIN (
            SELECT feed, id, key, body, sum(\(size)) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING) - \(size) AS earlier
              FROM (SELECT feed, id, key, body FROM item WHERE \(isOfFeed) AND \(isShown) ORDER BY id LIMIT ?4) newer
          ) i ON i.feed = f.id AND i.earlier <= \(Limits.hubPageBytes)
          WHERE f.name = ?1 ORDER BY i.id
        """, .text(feed.text), .number(max(0, since)), .time(now.stored), .integer(limit + 1))
      guard let first = rows.first else { throw HubFailure.notFound }
      var page = HubPage(items: [], hasMore: false, lastID: first.number(0) ?? 0)
      for row in rows {
        guard let id = row.number(1) else { continue }
        guard page.add(id: id, key: row.text(2) ?? "", body: row.text(3) ?? "{}", limit: limit) else { break }
      }
      return page
    }
  }

  /// Returns the valid items with the newest changes, newest first, together at most a page's bytes.
  package func newest(of feed: FeedName, limit: Int, now: Date) async throws(HubFailure) -> [StoredItem] {
    try await reading { session in
      guard let id = try session.feedID(feed) else { throw HubFailure.notFound }
      let size = Session.size("body")
      return try session.rows(
        """
        SELECT key, body, published, changed FROM (
            SELECT *, sum(\(size)) OVER (ORDER BY id DESC ROWS UNBOUNDED PRECEDING) AS bytes,
                row_number() OVER (ORDER BY id DESC ROWS UNBOUNDED PRECEDING) AS number
              FROM (SELECT id, key, body, published, changed FROM item
                WHERE feed = ?1 AND live AND (expires IS NULL OR expires > ?2) ORDER BY id DESC LIMIT ?3) newest
          ) i WHERE number = 1 OR bytes <= \(Limits.hubPageBytes) ORDER BY id DESC
        """, .number(id), .time(now.stored), .integer(limit)
      ).compactMap { row in
        guard let key = row.text(0), let body = row.text(1), let published = row.date(2),
          let changed = row.date(3)
        else { return nil }
        return StoredItem(key: key, body: body, published: published, changed: changed)
      }
    }
  }

  /// Returns the id that distinguishes this store from every other one.
  package func uid() async throws(HubFailure) -> String {
    // PostgreSQL has a type for it, whose text has hyphens.
    try await reading {
      try $0.rows("SELECT replace(CAST(uid AS text), '-', '') FROM hub").first?.text(0) ?? ""
    }
  }

  /// Returns all feeds, by name, without counts of items.
  package func feeds() async throws(HubFailure) -> [HubFeed] {
    try await reading { try $0.feeds(counting: false) }
  }

  /// Returns the token with a number and its rights, or `nil` if there is none.
  package func access(token number: Int) async throws(HubFailure) -> HubAccess? {
    try await reading { try $0.accesses(number: number).first }
  }

  /// Records that tokens were used.
  package func used(tokens: Set<Int>, at now: Date) async throws(HubFailure) {
    try await changing { session in
      _ = try session.rows(
        "UPDATE token SET used = ?1 WHERE id IN (SELECT id FROM given)", .time(now.stored), given: "id",
        tokens.map { [.integer($0)] })
    }
  }

  /// Ends items whose time is up and deletes rows that are no longer needed: one slice, so that others can write.
  package func sweep(now: Date) async throws(HubFailure) -> SweepCounts {
    try await changing { try $0.sweep(now: now) }
  }

  /// Returns the numbers of webhooks in receipts and the audit, where they are negative. A name keeps its number
  /// forever.
  package func numbers(ofHooks names: [FeedName]) async throws(HubFailure) -> [FeedName: Int] {
    try await writing(notifies: false) { session in
      var numbers: [FeedName: Int] = [:]
      // They are handled one by one, so that the webhooks of the settings get numbers in their order.
      for name in names {
        try session.rows(
          """
          INSERT INTO hook (name) SELECT ?1 WHERE NOT EXISTS (SELECT 1 FROM hook WHERE name = ?1)
            ON CONFLICT DO NOTHING
          """, .text(name.text))
        numbers[name] = try session.rows("SELECT id FROM hook WHERE name = ?1", .text(name.text)).first?
          .integer(0)
      }
      return numbers
    }
  }

  /// Returns the acts with a greater id, oldest first.
  package func audit(since: Int64, limit: Int) async throws(HubFailure) -> [AuditedAct] {
    try await reading { session in
      try session.rows(
        """
        SELECT a.id, a.at, a.token, coalesce(t.name, h.name), CAST(a.address AS text), f.name, a.key, a.item, a.act
          FROM audit a LEFT JOIN token t ON t.id = a.token LEFT JOIN hook h ON h.id = -a.token
          LEFT JOIN feed f ON f.id = a.feed WHERE a.id > ?1 ORDER BY a.id LIMIT ?2
        """, .number(since), .integer(limit)
      ).compactMap { row in
        guard let id = row.number(0), let time = row.date(1), let act = row.text(8) else { return nil }
        // PostgreSQL writes the bits of the network after an address.
        let address = row.text(4).map { String($0.prefix { $0 != "/" }) }
        return AuditedAct(
          id: id, time: time, token: row.integer(2), tokenName: row.text(3), address: address,
          feed: row.text(5), key: row.text(6), item: row.number(7), act: act)
      }
    }
  }

  /// Returns the number of items whose time has not come, and the delay of the oldest due one.
  package func scheduled(now: Date) async throws(HubFailure) -> ScheduledItems {
    try await reading { session in
      let row = try session.rows("SELECT count(*), min(due) FROM scheduled").first
      return ScheduledItems(count: row?.integer(0) ?? 0, oldest: row?.date(1), now: now)
    }
  }
}
