import GRDB
package import Messages
package import Sync

/// The state of an object at the sync location, which contains acts of one machine.
package struct KnownObject: Hashable, Sendable {
  package enum State: Int64, Sendable {
    /// The object contains this machine's acts.
    case written
    /// The acts of another machine were applied.
    case read
    /// The object can't be opened. A version of reddot that supports a later format must delete the rows with
    /// this state, so that it examines these objects again.
    case damaged
  }

  package var state: State
  /// The size and time of its file when its bytes were checked, if it has a file.
  package var file: ObjectState?
  /// The time at which a damaged object without a file was found.
  package var since: Milliseconds?
  /// The time at which its bytes were checked.
  package var checked: Milliseconds

  package init(
    _ state: State, _ file: ObjectState? = nil, since: Milliseconds? = nil, checked: Milliseconds
  ) {
    (self.state, self.file, self.since, self.checked) = (state, file, since, checked)
  }
}

/// The objects at the sync location, in the table `object`.
struct Objects {
  private let db: Database

  init(_ db: Database) { self.db = db }

  /// Returns the states of the objects.
  ///
  /// - Parameter isOwn: whether to return only those of this machine.
  func all(own isOwn: Bool) throws -> [ObjectName: KnownObject] {
    var devices: [Int64: DeviceID] = [:]
    if !isOwn { for device in try Devices(db).all() { devices[device.id] = device.uuid } }
    devices[Writers.here] = try SyncedMachine.find(db)?.device
    let query = try db.prepared(
      "SELECT device, first, last, digest, state, size, modified, checked FROM object"
        + (isOwn ? " WHERE device = \(Writers.here)" : ""))
    var all: [ObjectName: KnownObject] = [:]
    try query.forEach {
      // An object whose row can't be read is read again.
      guard let device = devices[query.int(0)], query.int(1) <= query.int(2),
        let state = KnownObject.State(rawValue: query.int(4))
      else { return }
      let name = ObjectName(
        device: device, seqs: query.int(1)...query.int(2), digest: ObjectDigest(bytes: query.blob(3)))
      var known = KnownObject(state, checked: query.int(7))
      if let size = query.optionalInt(5), let modified = query.optionalInt(6) {
        known.file = ObjectState(size: size, modified: modified)
      } else {
        known.since = query.optionalInt(6)
      }
      all[name] = known
    }
    return all
  }

  func save(_ name: ObjectName, _ known: KnownObject) throws {
    let insert = try db.prepared(
      """
      INSERT OR REPLACE INTO object (device, first, last, digest, size, modified, state, checked)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """)
    try bind(name, to: insert)
    insert.bind(5, known.file?.size)
    insert.bind(6, known.file?.modified ?? known.since)
    insert.bind(7, known.state.rawValue)
    insert.bind(8, known.checked)
    try insert.run()
  }

  func forget(_ name: ObjectName) throws {
    let delete = try db.prepared(
      "DELETE FROM object WHERE device = ? AND first = ? AND last = ? AND digest = ?")
    try bind(name, to: delete)
    try delete.run()
  }

  private func bind(_ name: ObjectName, to statement: Prepared) throws {
    let isOwn = try SyncedMachine.find(db)?.device == name.device
    statement.bind(1, isOwn ? Writers.here : try Devices(db).find(name.device).id)
    statement.bind(2, name.seqs.lowerBound)
    statement.bind(3, name.seqs.upperBound)
    try statement.bind(4, blob: name.digest?.bytes ?? [])
  }

  /// Forgets the objects that were read, and those of this machine, which gets another id.
  func forgetRead() throws {
    try db.prepared(
      """
      DELETE FROM object
      WHERE device = \(Writers.here) OR state = \(KnownObject.State.read.rawValue)
      """
    ).run()
  }
}
