import Basics
package import Foundation
import GRDB
package import Messages
package import Sync

/// Keeps one inbox on several machines in sync: provides the changes of this machine (acts) to send, and applies those
/// of the others.
///
/// Only one process at a time synchronises: the holder of the lock `sync`.
package struct StoreSync: StorePart {
  let store: Store

  /// Acts of this machine that were not sent yet, for one object.
  package struct Unsent: Sendable {
    package var name: ObjectName
    /// The acts, each with its length, as they are sent.
    package var acts: [[UInt8]]
  }

  /// Returns the ids of this machine and of its sync location, or `nil` if it has never synchronised.
  package func machine() throws(StoreFailure) -> (device: DeviceID, placeID: [UInt8])? {
    try read { db in try SyncedMachine.find(db).map { ($0.device, $0.placeID) } }
  }

  // MARK: - Set-up

  /// Sets up this database as a machine or, if it is one already, moves it to another sync location, to which all its
  /// acts are sent. If the process is killed, the next call continues.
  ///
  /// - Parameter device: its id, if it has none yet.
  package func setUp(_ device: DeviceID, placeID: [UInt8], at now: Date) throws(StoreFailure) {
    try write(.system) { db in
      let known = try SyncedMachine.find(db)
      if known == nil {
        let insert = try db.prepared("INSERT INTO sync (id, device, place_id, level) VALUES (1, ?, ?, ?)")
        try insert.bind(1, blob: device.bytes)
        try insert.bind(2, blob: placeID)
        insert.bind(3, SyncedMachine.unfinished)
        try insert.run()
      }
      _ = try WireSources(db).align(SourceRow.all(db, columns))
    }
    try finishSetUp(at: now)
  }

  /// Continues a set-up that isn't complete, or does nothing.
  package func finishSetUp(at now: Date) throws(StoreFailure) {
    guard try read({ db in try db.integer("SELECT level FROM sync") }) == SyncedMachine.unfinished else {
      return
    }
    let sources = try read { db in try WireSources(db).followed() }
    var last: Int64? = 0
    while let after = last {
      last = try maintain { db in try SyncSetup(db, at: now.milliseconds).name(after: after, of: sources) }
    }
    try write(.system) { db in
      try SyncSetup(db, at: now.milliseconds).writeActs()
      try db.prepared("UPDATE sync SET level = ?").run(SyncedMachine.level)
      try ContentIntake(db, columns, arrivals, at: now.milliseconds).store()
    }
  }

  /// Prepares joining another sync location, where this is a new machine that sends its state again.
  package func startAnew() throws(StoreFailure) {
    try write(.system) { db in try DeviceRenewal.startAnew(db) }
  }

  // MARK: - Sending

  /// Returns the next acts to send, or `nil` if there are none.
  ///
  /// - Parameter limit: the maximum number of bytes; a single act may have more.
  package func unsent(limit: Int) throws(StoreFailure) -> Unsent? {
    try encode()
    return try read { db in
      guard let machine = try SyncedMachine.find(db) else { return nil }
      guard let (seqs, acts) = try OwnActs(db).waiting(limit: limit) else { return nil }
      return Unsent(name: ObjectName(device: machine.device, seqs: seqs), acts: acts)
    }
  }

  /// Returns the number of waiting acts, and the time of the oldest.
  package func waiting() throws(StoreFailure) -> (count: Int, since: Date?) {
    try read { db in
      let count = try db.integer("SELECT count(*) FROM own_act WHERE NOT is_sent") ?? 0
      let since = try db.integer(
        """
        SELECT min(j.at) FROM own_act o CROSS JOIN journal j ON j.device = \(Writers.here) AND j.seq = o.seq
        WHERE NOT o.is_sent
        """)
      return (Int(count), since.map(Date.init(milliseconds:)))
    }
  }

  /// Whether a program on another machine may wait for one of the waiting acts.
  package func isUrgent() throws(StoreFailure) -> Bool {
    try read { db in
      try db.integer(
        """
        SELECT 1 FROM own_act o CROSS JOIN journal j ON j.device = \(Writers.here) AND j.seq = o.seq
        WHERE NOT o.is_sent AND j.kind = '\(Journal.question)' LIMIT 1
        """) == 1
    }
  }

  /// Returns the bytes of this machine's acts with these numbers, or `nil` if some of them are missing.
  package func own(_ seqs: ClosedRange<Int64>) throws(StoreFailure) -> [[UInt8]]? {
    try encode()
    return try read { db in try OwnActs(db).bodies(seqs) }
  }

  /// Returns this machine's acts with these numbers, without writes that later acts replace, or `nil` if some acts are
  /// missing.
  package func packed(_ seqs: ClosedRange<Int64>) throws(StoreFailure) -> [[UInt8]]? {
    try encode()
    return try read { db in try OwnActs(db).packed(seqs) }
  }

  /// Records that the sync location has this machine's acts with these numbers as one object.
  ///
  /// - Parameter acts: the acts from `packed`.
  package func recordPacked(_ seqs: ClosedRange<Int64>, _ acts: [[UInt8]]) throws(StoreFailure) {
    try write { db in try OwnActs(db).keep(acts, as: seqs) }
  }

  /// Whether the acts of an object are equal to the acts of this machine with these numbers, packed or not.
  package func areOwn(_ acts: [[UInt8]], _ seqs: ClosedRange<Int64>) throws(StoreFailure) -> Bool {
    try encode()
    return try read { db in try OwnActs(db).areSame(acts, as: seqs) }
  }

  private func encode() throws(StoreFailure) {
    var isLeft = true
    while isLeft { isLeft = try maintain { db in try OwnActs(db).encode(limit: ActIntake.most) } }
  }

  /// Stores that the sync location has an object of this machine.
  ///
  /// - Parameter file: size and time of its file, if it has one.
  package func recordSent(_ name: ObjectName, _ file: ObjectState? = nil, at now: Date) throws(StoreFailure) {
    try write(.system) { db in
      try OwnActs(db).setThere(true, name.seqs)
      try Objects(db).save(name, KnownObject(.written, file, checked: now.milliseconds))
    }
  }

  /// Records that the sync location has lost all acts except these.
  package func recordLost(allBut there: IDRanges) throws(StoreFailure) {
    try write { db in
      for range in try OwnActs(db).sent().subtracting(there).ranges { try OwnActs(db).setThere(false, range) }
    }
  }

  /// Returns the numbers of this machine's acts that were sent to the sync location.
  package func sent() throws(StoreFailure) -> IDRanges { try read { db in try OwnActs(db).sent() } }

  // MARK: - Receiving

  /// Applies the acts of an object. Each transaction applies some acts and records that they are known; the
  /// last one also records that the object was read. Applying an object twice changes nothing.
  ///
  /// - Parameter file: the size and time of its file, if it has one.
  /// - Returns: the number of new acts.
  package func apply(
    _ payload: PayloadReader, of name: ObjectName, _ file: ObjectState? = nil, at now: Date
  ) throws(StoreFailure) -> Int {
    var reader = payload
    var count = 0
    var isLeft = true
    let isLarge = payload.size > Limits.largePayloadBytes
    if isLarge { try write { db in try db.setCache(forLargeWrites: true) } }
    while isLeft {
      let batch: (count: Int, isLeft: Bool, reader: PayloadReader) = try maintain { [reader] db in
        var reader = reader
        let contents = ContentIntake(db, columns, arrivals, at: now.milliseconds)
        let (count, isLeft) = try ActIntake(db, of: name, contents, at: now.milliseconds).apply(&reader)
        if !isLeft { try Objects(db).save(name, KnownObject(.read, file, checked: now.milliseconds)) }
        return (count, isLeft, reader)
      }
      (reader, isLeft) = (batch.reader, batch.isLeft)
      count += batch.count
    }
    if isLarge { try write { db in try db.setCache(forLargeWrites: false) } }
    return count
  }

  // MARK: - Becoming another machine

  /// Gives this machine a new id, because the sync location has other acts under its id: this database was copied, or
  /// restored from a backup. Acts that the sync location doesn't have are sent under the new id.
  ///
  /// - Parameter held: the numbers of the acts that the sync location has with the same bytes.
  package func becomeNew(_ device: DeviceID, held: IDRanges, at now: Date) throws(StoreFailure) {
    try write(.system) { db in try DeviceRenewal(db, at: now.milliseconds).become(device, held: held) }
  }
}
