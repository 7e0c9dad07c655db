import Foundation
import PostgreSQL

// Rows that both requests and commands read.
extension PostgreSQLConnection {
  /// - Parameter counting: whether they have their counts of items.
  func feeds(counting: Bool) throws(PostgreSQLFailure) -> [HubFeed] {
    let items = counting ? "(SELECT count(*) FROM item WHERE feed = f.id)" : "0::bigint"
    let rows = try ask(
      """
      SELECT name, title, public, keep_days, expires_days, \(items), (SELECT max(id) FROM item WHERE feed = f.id)
        FROM feed f ORDER BY name COLLATE "C"
      """)
    return rows.compactMap { row in
      row.text(0).flatMap { FeedName($0) }.map {
        HubFeed(
          name: $0, title: row.text(1) ?? "", isPublic: row.flag(2) ?? false, keepDays: row.number(3) ?? 0,
          expiresDays: row.number(4), items: Int(row.number(5) ?? 0), lastID: row.number(6) ?? 0)
      }
    }
  }

  /// - Parameter number: nil: all of them, by name.
  func accesses(number: Int?) throws(PostgreSQLFailure) -> [HubAccess] {
    let rows = try ask(
      """
      SELECT t.id, t.name, t.hash, t.made, t.expires, t.revoked, t.used, t.link, t.admin, f.name, r.reads,
          r.publishes, p.id, p.name FROM token t
        LEFT JOIN person p ON p.id = t.person LEFT JOIN token_feed r ON r.token = t.id LEFT JOIN feed f ON f.id = r.feed
        WHERE $1 IS NULL OR t.id = $1 ORDER BY t.name COLLATE "C"
      """, [.number(number.map { Int64($0) })])
    var accesses: [HubAccess] = []
    for row in rows {
      guard let number = row.number(0) else { continue }
      if accesses.last?.number != Int(number) {
        func time(_ column: Int) -> Date? { row.time(column).map { Date(stored: $0) } }
        accesses.append(
          HubAccess(
            number: Int(number), name: row.text(1) ?? "", hash: row.bytes(2) ?? [],
            isLink: row.flag(7) ?? true, isAdmin: row.flag(8) ?? false,
            person: row.number(12).map { Int($0) }, personName: row.text(13),
            made: time(3) ?? Date(stored: 0), expires: time(4), revoked: time(5), used: time(6)))
      }
      guard let name = row.text(9).flatMap({ FeedName($0) }) else { continue }
      let last = accesses.count - 1
      if row.flag(10) == true { accesses[last].reads.insert(name) }
      if row.flag(11) == true { accesses[last].publishes.insert(name) }
    }
    return accesses
  }

  /// The database's time, in milliseconds since 1970.
  func time() throws(PostgreSQLFailure) -> Int64 {
    try ask("SELECT clock_timestamp()").first?.time(0) ?? 0
  }
}
