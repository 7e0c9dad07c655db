import GRDB
import Messages

/// A time by which data may be deleted; only ``ServerClock`` creates one.
struct BelievedTime {
  let now: Milliseconds

  fileprivate init(_ now: Milliseconds) { self.now = now }
}

/// Decides whether this machine's clock can be trusted, by the greatest time that servers have sent.
///
/// With a wrong clock no certificate is valid, so no server sends its time. Times that were received before still count
/// then.
struct ServerClock {
  private let db: Database

  init(_ db: Database) { self.db = db }

  private static let day: Milliseconds = 86_400_000

  /// Records the time in a response.
  ///
  /// A time counts if servers of two hosts agree on it within a day. The time of a single host counts if no other time
  /// was received for a day. So one wrong server among several neither permits nor prevents anything.
  ///
  /// - Parameters:
  ///   - host: the name of the server.
  ///   - now: the time by this machine's clock.
  func hear(_ time: Milliseconds, from host: String, at now: Milliseconds) throws {
    let query = try db.prepared("SELECT host, time, heard FROM server_clock")
    var known: [(host: String, time: Milliseconds, heard: Milliseconds)] = []
    try query.forEach { known.append((query.text(0), query.int(1), query.int(2))) }
    let others = known.filter { $0.host != host && abs($0.heard.distance(to: now)) <= Self.day }
    let agrees = others.contains { abs($0.time.distance(to: time)) <= Self.day }
    if agrees || others.isEmpty {
      try db.prepared("UPDATE store SET server_time = max(server_time, ?)").run(time)
    }
    let entry = try db.prepared("INSERT OR REPLACE INTO server_clock (host, time, heard) VALUES (?, ?, ?)")
    try entry.bind(1, host)
    entry.bind(2, time)
    entry.bind(3, now)
    try entry.run()
    try db.prepared(
      "DELETE FROM server_clock WHERE host NOT IN (SELECT host FROM server_clock ORDER BY heard DESC LIMIT \(Self.hosts))"
    ).run()
  }

  /// The number of hosts whose times are kept.
  private static let hosts = 8

  /// Returns how far this machine's clock is ahead of the greatest time that servers have sent, or `nil` if it is at
  /// most a day. A database that never received a server's time trusts the clock.
  func lead(at now: Milliseconds) throws -> Duration? {
    guard let time = try db.integer("SELECT server_time FROM store"), time != 0 else { return nil }
    let lead = time.distance(to: now)
    return lead > Self.day ? .milliseconds(lead) : nil
  }

  /// Returns the time by which messages, ids and waiting data may be deleted, or `nil` if the clock can't be trusted.
  func believed(at now: Milliseconds) throws -> BelievedTime? {
    try lead(at: now) == nil ? BelievedTime(now) : nil
  }
}
