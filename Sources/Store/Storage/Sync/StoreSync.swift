import Basics
package import Foundation
import GRDB
package import Messages
package import Sync

/// One inbox on several machines: this machine's acts as they are sent, and those of others.
///
/// One process at a time synchronises: the holder of the lock `sync`.
package struct StoreSync: StorePart {
  let store: Store

  /// This machine's acts that no place has yet, in one object.
  package struct Unsent: Sendable {
    package var name: ObjectName
    /// Each with its length, as it is sent.
    package var acts: [[UInt8]]
  }

  /// This machine; nil: it has never synchronised.
  package func machine() throws(StoreFailure) -> (device: DeviceID, placeID: [UInt8])? {
    try read { db in try SyncedMachine.find(db).map { ($0.device, $0.placeID) } }
  }

  // MARK: - Set-up

  /// Makes this database a machine, or the one that it was at another place: then all its acts are sent there. A process
  /// that is killed has begun it, and the next call goes on.
  ///
  /// - Parameter device: its id, where it has none yet.
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

  /// Goes on with a set-up that isn't complete; else does nothing.
  package func finishSetUp(at now: Date) throws(StoreFailure) {
    guard try read({ db in try db.integer("SELECT level FROM sync") }) == SyncedMachine.unfinished else {
      return
    }
    let sources = try read { db in try WireSources(db).followed() }
    var last: Int64? = 0
    while let after = last {
      last = try maintain { db in try SetUp(db, at: now.milliseconds).name(after: after, of: sources) }
    }
    try write(.system) { db in
      try SetUp(db, at: now.milliseconds).writeActs()
      try db.prepared("UPDATE sync SET level = ?").run(SyncedMachine.level)
      try ContentIntake(db, columns, arrivals, at: now.milliseconds).store()
    }
  }

  /// Before it joins another place: there it is a new machine, which says again what stands here.
  package func startAnew() throws(StoreFailure) {
    try write(.system) { db in try Renewal.startAnew(db) }
  }

  // MARK: - Sending

  /// The next acts that are to be sent; nil: there are none.
  ///
  /// - Parameter limit: bytes; one act may have more.
  package func unsent(limit: Int) throws(StoreFailure) -> Unsent? {
    try encode()
    return try read { db in
      guard let machine = try SyncedMachine.find(db) else { return nil }
      guard let (seqs, acts) = try OwnActs(db).waiting(limit: limit) else { return nil }
      return Unsent(name: ObjectName(device: machine.device, seqs: seqs), acts: acts)
    }
  }

  /// How many acts wait, and since when.
  package func waiting() throws(StoreFailure) -> (count: Int, since: Date?) {
    try read { db in
      let count = try db.integer("SELECT count(*) FROM own_act WHERE NOT is_there") ?? 0
      let since = try db.integer(
        """
        SELECT min(j.at) FROM own_act o CROSS JOIN journal j ON j.device = \(Writers.here) AND j.seq = o.seq
        WHERE NOT o.is_there
        """)
      return (Int(count), since.map(Date.init(milliseconds:)))
    }
  }

  /// The bytes of own acts; nil where there aren't all of them.
  package func own(_ seqs: ClosedRange<Int64>) throws(StoreFailure) -> [[UInt8]]? {
    try encode()
    return try read { db in try OwnActs(db).bodies(seqs) }
  }

  /// Returns own acts without the writes that later ones of them replace, or `nil` if some of them are missing.
  package func packed(_ seqs: ClosedRange<Int64>) throws(StoreFailure) -> [[UInt8]]? {
    try encode()
    return try read { db in try OwnActs(db).packed(seqs) }
  }

  /// The place has own acts as one object.
  ///
  /// - Parameter acts: of `packed`.
  package func recordPacked(_ seqs: ClosedRange<Int64>, _ acts: [[UInt8]]) throws(StoreFailure) {
    try write { db in try OwnActs(db).keep(acts, as: seqs) }
  }

  /// Whether acts of an object are own ones, packed or not.
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

  /// The place has lost all but these.
  package func recordLost(allBut there: IDRanges) throws(StoreFailure) {
    try write { db in
      for range in try OwnActs(db).sent().subtracting(there).ranges { try OwnActs(db).setThere(false, range) }
    }
  }

  /// The numbers of own acts that the place had.
  package func sent() throws(StoreFailure) -> IDRanges { try read { db in try OwnActs(db).sent() } }

  // MARK: - Receiving

  /// Applies the acts of an object: some to a transaction, in which they become known; with the last ones the object counts as
  /// read. Repeating it changes nothing.
  ///
  /// - Parameter file: size and time of its file, if it has one.
  /// - Returns: how many were new.
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

  /// The place has other acts under this machine's id: this database was copied, or comes from a backup. It goes on under a
  /// new id, and what the place doesn't hold of it is sent under that.
  ///
  /// - Parameter held: the numbers of the acts that the place holds with the same bytes.
  package func becomeNew(_ device: DeviceID, held: IDRanges, at now: Date) throws(StoreFailure) {
    try write(.system) { db in try Renewal(db, at: now.milliseconds).become(device, held: held) }
  }
}
