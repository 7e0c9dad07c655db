import Foundation
import GRDB
import Messages

extension PollDay {
  /// Adds new messages to the count of a source's current 24 hours, or begins a new count if these have passed.
  static func add(messages: Int, bytes: Int, to source: SourceID, at now: Milliseconds, _ db: Database) throws
  {
    let isSameDay = "day_start > ?2 - \(Int64(seconds * 1000)) AND day_start <= ?2"
    try db.prepared(
      """
      UPDATE polling SET day_messages = ?3 + iif(\(isSameDay), day_messages, 0),
        day_bytes = ?4 + iif(\(isSameDay), day_bytes, 0), day_start = iif(\(isSameDay), day_start, ?2)
      WHERE source_id = ?1
      """
    ).run(source.rawValue, now, Int64(messages), Int64(bytes))
  }
}
