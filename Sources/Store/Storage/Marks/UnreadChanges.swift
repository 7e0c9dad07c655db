import GRDB
import Messages

/// Counts the listed messages that become read or unread, and updates the stored counts.
struct UnreadChanges {
  /// The key of a count of duplicates: a source, and the source that has the originals of its duplicates.
  private struct CopyTally: Hashable {
    var source: Int64
    var first: Int64
  }

  private var bySource: [Int64: Int64] = [:]
  /// The source of the last message, and the count for it that is not in `bySource` yet: consecutive messages
  /// are usually of the same source.
  private var last: (source: Int64, count: Int64) = (0, 0)
  private var ofCopies: [CopyTally: Int64] = [:]
  private var firsts: Set<Int64> = []

  /// - Parameter place: the position of the columns after `is_read`.
  mutating func add(_ row: Prepared, at place: Int32) {
    let (source, isListed) = (row.int(place), row.bool(place + 1))
    if isListed {
      if source != last.source {
        bySource[last.source, default: 0] += last.count
        last = (source, 0)
      }
      last.count += 1
    }
    guard let first = row.optionalInt(place + 2) else { return }
    firsts.insert(first)
    if isListed { ofCopies[CopyTally(source: source, first: row.int(place + 3)), default: 0] += 1 }
  }

  mutating func write(_ db: Database, isRead: Bool, _ changed: IDRanges) throws {
    let sign: Int64 = isRead ? -1 : 1
    bySource[last.source, default: 0] += last.count
    for (source, count) in bySource where count > 0 {
      try db.prepared("UPDATE tally SET unread = unread + ?2 WHERE source_id = ?1").run(source, sign * count)
    }
    for (tally, count) in ofCopies {
      try db.prepared(
        "UPDATE duplicate_tally SET unread = unread + ?3 WHERE source_id = ?1 AND original_source = ?2"
      )
      .run(tally.source, tally.first, sign * count)
    }
    guard try SavedLists(db).exist() else { return }
    for range in changed.ranges { try SavedLists(db).judgeLater(range) }
    try SavedLists(db).judgeLater(firsts)
  }
}
