import GRDB
import Messages
import Sync

/// Looks up the machine behind an act, and the stamp of the act.
struct Writers {
  private let db: Database

  init(_ db: Database) { self.db = db }

  /// The numbers of machines as in `journal.device`.
  static let here: Int64 = 0
  static let service: Int64 = -1

  /// Returns the machine of an act, as in `journal.device`, or `nil` if the act no longer exists.
  func device(of act: Int64) throws -> Int64? {
    try db.integer("SELECT device FROM journal WHERE id = ?", act)
  }

  /// Returns the machine and the stamp of an act.
  ///
  /// - Parameter act: the id of the act in the journal.
  func writer(of act: Int64) throws -> WrittenBy {
    let query = try db.prepared(
      """
      SELECT j.stamp, j.at, CASE j.device WHEN \(Self.here) THEN (SELECT device FROM sync)
        ELSE (SELECT uuid FROM device WHERE id = j.device) END
      FROM journal j WHERE j.id = ?
      """)
    query.bind(1, act)
    let found = try query.first {
      WrittenBy(
        stamp: query.optionalInt(0).map(Stamp.init(rawValue:)) ?? Stamp(milliseconds: query.int(1)),
        device: DeviceID(bytes: query.blob(2)) ?? .marker)
    }
    // A deleted act was written before synchronisation began.
    return found ?? WrittenBy(stamp: Stamp(rawValue: 0), device: .marker)
  }
}
