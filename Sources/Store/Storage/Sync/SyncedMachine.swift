import GRDB
import Messages
import Sync

/// What this database is among the machines of a person: the row of `sync`.
struct SyncedMachine {
  var device: DeviceID
  var placeID: [UInt8]

  /// As `sync.level` says it: the set-up isn't complete yet.
  static let unfinished: Int64 = 0
  /// What this program reads of payloads.
  static let level: Int64 = 1

  /// Whether it synchronises, or did.
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
