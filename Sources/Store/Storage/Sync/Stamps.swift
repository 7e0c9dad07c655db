import GRDB
import Messages
import Sync

/// The stamps of acts, by which all machines order them. They exist only with synchronisation.
struct Stamps {
  /// Messages whose changes get the same stamp.
  struct Part {
    var ids: IDRanges
    /// The stamp, or `nil` without synchronisation.
    var stamp: Stamp?
  }

  private let db: Database

  init(_ db: Database) { self.db = db }

  /// Returns the messages of a step, grouped by the stamps that its acts get. Messages with a mark that is ahead of the
  /// clock are separate, at the end: otherwise one mark of a machine with a wrong clock would raise the stamp of all.
  ///
  /// - Parameter now: the present time, or the beginning of the poll for a service's report.
  func parts(of ids: IDRanges, at now: Milliseconds) throws -> [Part] {
    guard try SyncedMachine.isSet(db) else { return [Part(ids: ids)] }
    return try stamped(ids, at: now).flatMap { part in
      part.ids.pieces(of: Self.most).map { Part(ids: $0, stamp: part.stamp) }
    }
  }

  /// The number of messages above which an act is split, since an object contains at least one act.
  private static let most = 1_000_000

  private func stamped(_ ids: IDRanges, at now: Milliseconds) throws -> [Part] {
    let clock = Stamp(milliseconds: now)
    guard let newest = try db.integer("SELECT max(stamp) FROM journal WHERE stamp IS NOT NULL"),
      try newest >= clock.rawValue || db.integer("SELECT 1 FROM status WHERE woken >= ? LIMIT 1", now) == 1
    else { return [Part(ids: ids, stamp: clock)] }
    let (ahead, highest) = try ahead(of: now, among: ids)
    if ahead.isEmpty { return [Part(ids: ids, stamp: clock)] }
    let behind = Part(ids: ids.subtracting(ahead), stamp: clock)
    let last = Part(ids: ahead, stamp: MergeRule.stamp(now: now, above: highest))
    return behind.ids.isEmpty ? [last] : [behind, last]
  }

  /// Returns the messages with a mark whose stamp is ahead of a moment, and the highest of those stamps.
  private func ahead(of now: Milliseconds, among ids: IDRanges) throws -> (IDRanges, Stamp?) {
    let columns = Mark.Field.allCases.compactMap(\.row.by)
    let later = "(SELECT id FROM journal WHERE stamp >= ?3)"
    let query = try db.prepared(
      """
      SELECT message_id, woken, \(columns.joined(separator: ", ")) FROM status WHERE message_id BETWEEN ?1 AND ?2
        AND (woken >= ?4 OR \(columns.map { "\($0) IN \(later)" }.joined(separator: " OR ")))
      ORDER BY message_id
      """)
    query.bind(3, Stamp(milliseconds: now).rawValue)
    query.bind(4, now)
    let writers = Writers(db)
    var found = IDRanges()
    var highest: Stamp?
    var seen: Set<Int64> = []
    for range in ids.ranges {
      query.bind(1, range.lowerBound)
      query.bind(2, range.upperBound)
      try query.forEach {
        found.append(query.int(0))
        if let woken = query.optionalInt(1) {
          highest = max(highest ?? Stamp(rawValue: 0), Stamp(milliseconds: woken))
        }
        for place in columns.indices {
          guard let act = query.optionalInt(Int32(place + 2)), seen.insert(act).inserted else { continue }
          highest = max(highest ?? Stamp(rawValue: 0), try writers.writer(of: act).stamp)
        }
      }
    }
    return (found, highest)
  }
}
