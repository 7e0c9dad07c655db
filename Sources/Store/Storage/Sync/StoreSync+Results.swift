package import Foundation
import GRDB
import Messages
package import Sync

/// How far this machine and the others are.
package struct SyncProgress: Hashable, Sendable {
  /// Another machine.
  package struct Machine: Hashable, Sendable {
    package var device: DeviceID
    package var name: String
    /// When its newest object was written, by its clock; nil: nothing of it was read.
    package var heard: Date?
    /// How many of its acts were read, and how many before the newest one were not.
    package var acts: Int
    package var missing: Int
    /// By how much its clock is ahead of this one.
    package var clockAhead: Duration
  }

  /// When the last synchronisation ended well.
  package var last: Date?
  /// Why the last one failed, if it did.
  package var failure: String?
  /// Own acts that no place has, and the oldest of them.
  package var waiting: Int
  package var waitingSince: Date?
  /// By their names.
  package var machines: [Machine]
}

extension StoreSync {
  /// Nil: this database has never synchronised.
  package func progress() throws(StoreFailure) -> SyncProgress? {
    let (waiting, since) = try waiting()
    return try read { db in
      let query = try db.prepared("SELECT last, failed FROM sync")
      let found = try query.first { (query.optionalInt(0), query.optionalText(1)) }
      guard let (last, failure) = found else { return nil }
      return SyncProgress(
        last: last.map(Date.init(milliseconds:)), failure: failure, waiting: waiting, waitingSince: since,
        machines: try Devices(db).all().filter { $0.name != nil }.map(SyncProgress.Machine.init))
    }
  }

  /// A synchronisation has ended well.
  package func recordSuccess(at now: Date) throws(StoreFailure) {
    try write { db in
      try db.prepared("UPDATE sync SET last = ?, failed = NULL, failed_at = NULL").run(now.milliseconds)
    }
  }

  /// A synchronisation has failed.
  package func recordFailure(_ sentence: String, at now: Date) throws(StoreFailure) {
    try write { db in
      let update = try db.prepared("UPDATE sync SET failed = ?, failed_at = ?")
      try update.bind(1, sentence)
      update.bind(2, now.milliseconds)
      try update.run()
    }
  }

  /// How many bytes own acts have in all.
  package func size(of seqs: ClosedRange<Int64>) throws(StoreFailure) -> Int {
    try read { db in
      Int(
        try db.integer(
          "SELECT sum(length(body)) FROM own_act WHERE seq BETWEEN ? AND ?", seqs.lowerBound, seqs.upperBound)
          ?? 0)
    }
  }

  /// This machine goes on at another place: all its acts are sent there.
  package func move(toPlaceID placeID: [UInt8]) throws(StoreFailure) {
    try write(.system) { db in
      let update = try db.prepared(
        "UPDATE sync SET place_id = ?, last = NULL, failed = NULL, failed_at = NULL")
      try update.bind(1, blob: placeID)
      try update.run()
    }
  }
}

extension SyncProgress.Machine {
  init(_ device: Devices.Device) {
    let (known, last) = (device.known.count, device.known.ranges.last?.upperBound ?? 0)
    self.init(
      device: device.uuid, name: device.name ?? "", heard: device.heard.map(Date.init(milliseconds:)),
      acts: known,
      missing: Int(clamping: last - Int64(known)), clockAhead: .milliseconds(device.ahead))
  }
}
