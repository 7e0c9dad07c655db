import GRDB
import Messages
import Sync

/// The identity of this database among the user's machines: the row of `sync`.
struct SyncedMachine {
  var device: DeviceID
  /// The id of the sync location.
  var placeID: [UInt8]

  /// The value of `sync.level` while the set-up isn't complete.
  static let unfinished: Int64 = 0
  /// The level of payloads that this program reads.
  static let level: Int64 = 1

  /// Whether the machine synchronises, or did.
  static func isSet(_ db: Database) throws -> Bool { try db.integer("SELECT 1 FROM sync") == 1 }

  static func find(_ db: Database) throws -> SyncedMachine? {
    let query = try db.prepared("SELECT device, place_id FROM sync")
    return try query.first {
      guard let device = DeviceID(bytes: query.blob(0)) else {
        throw StoreFailure.corrupt(path: "sync", reason: "the id of this machine cannot be read")
      }
      return SyncedMachine(device: device, placeID: query.blob(1))
    }
  }
}
