package import Foundation
import GRDB
import Messages
package import Sync

/// The progress of synchronisation on this machine and the others.
package struct SyncProgress: Hashable, Sendable {
  /// Another machine.
  package struct Machine: Hashable, Sendable {
    package var device: DeviceID
    package var name: String
    /// The time by its clock when its newest object was written, or `nil` if nothing from it was read.
    package var heard: Date?
    /// The number of the machine's changes (acts) that were read, and the number of its earlier ones that are missing.
    package var acts: Int
    package var missing: Int
    /// The time by which its clock is ahead of this one.
    package var clockAhead: Duration
  }

  /// The end of the last successful synchronisation.
  package var last: Date?
  /// The reason why the last synchronisation failed, if it did.
  package var failure: String?
  /// The number of this machine's changes (acts) that were not sent yet, and the time of the oldest.
  package var waiting: Int
  package var waitingSince: Date?
  /// The machines, sorted by name.
  package var machines: [Machine]
}

extension StoreSync {
  /// Returns the progress, or `nil` if this database has never been synchronised.
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

  /// Records a successful synchronisation.
  package func recordSuccess(at now: Date) throws(StoreFailure) {
    try write { db in
      try db.prepared("UPDATE sync SET last = ?, failed = NULL, failed_at = NULL").run(now.milliseconds)
    }
  }

  /// Records a failed synchronisation.
  package func recordFailure(_ sentence: String, at now: Date) throws(StoreFailure) {
    try write { db in
      let update = try db.prepared("UPDATE sync SET failed = ?, failed_at = ?")
      try update.bind(1, sentence)
      update.bind(2, now.milliseconds)
      try update.run()
    }
  }

  /// Returns the total size, in bytes, of this machine's acts with these numbers.
  package func size(of seqs: ClosedRange<Int64>) throws(StoreFailure) -> Int {
    try read { db in
      Int(
        try db.integer(
          "SELECT sum(length(body)) FROM own_act WHERE seq BETWEEN ? AND ?", seqs.lowerBound, seqs.upperBound)
          ?? 0)
    }
  }

  /// Moves this machine to another sync location: all its acts are sent there.
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
