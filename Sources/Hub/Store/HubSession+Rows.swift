import Foundation

// Rows that both requests and commands read.
extension HubSession {
  /// Returns the feeds, sorted by name.
  ///
  /// - Parameter counting: whether they have their counts of items.
  func feeds(counting: Bool) throws -> [HubFeed] {
    let items = counting ? "(SELECT count(*) FROM item WHERE feed = f.id)" : "0"
    return try rows(
      """
      SELECT name, title, public, keep_days, expires_days, \(items), (SELECT max(id) FROM item WHERE feed = f.id)
        FROM feed f
      """
    ).compactMap { row in
      row.text(0).flatMap { FeedName($0) }.map {
        HubFeed(
          name: $0, title: row.text(1) ?? "", isPublic: row.flag(2) ?? false, keepDays: row.number(3) ?? 0,
          expiresDays: row.number(4), items: row.integer(5) ?? 0, lastID: row.number(6) ?? 0)
      }
    }.sorted { $0.name < $1.name }
  }

  /// Returns the tokens, sorted by the bytes of their names.
  ///
  /// - Parameter number: the number of the only token to return, or `nil` for all.
  func accesses(number: Int?) throws -> [HubAccess] {
    var accesses: [HubAccess] = []
    for row in try rows(
      """
      SELECT t.id, t.name, t.hash, t.made, t.expires, t.revoked, t.used, t.link, t.admin, f.name, r.reads,
          r.publishes, t.person, p.name FROM token t
        LEFT JOIN person p ON p.id = t.person LEFT JOIN token_feed r ON r.token = t.id LEFT JOIN feed f ON f.id = r.feed
        WHERE ?1 IS NULL OR t.id = ?1 ORDER BY t.id
      """, .integer(number))
    {
      guard let number = row.integer(0) else { continue }
      if accesses.last?.number != number {
        accesses.append(
          HubAccess(
            number: number, name: row.text(1) ?? "", hash: row.hash(2), isLink: row.flag(7) ?? true,
            isAdmin: row.flag(8) ?? false, person: row.integer(12), personName: row.text(13),
            made: row.date(3) ?? Date(stored: 0), expires: row.date(4), revoked: row.date(5),
            used: row.date(6)))
      }
      guard let name = row.text(9).flatMap({ FeedName($0) }) else { continue }
      let last = accesses.count - 1
      if row.flag(10) == true { accesses[last].reads.insert(name) }
      if row.flag(11) == true { accesses[last].publishes.insert(name) }
    }
    return accesses.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }
}
