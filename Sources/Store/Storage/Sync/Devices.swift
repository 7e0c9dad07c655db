import GRDB
import Messages
import Sync

/// The other machines, in the table `device`.
struct Devices {
  struct Device {
    var id: Int64
    var uuid: DeviceID
    var name: String?
    /// The time at which the machine's newest object was written, by its clock.
    var heard: Milliseconds?
    /// The time by which its clock was ahead then, in milliseconds.
    var ahead: Milliseconds
    /// The numbers of its acts that were read.
    var known: IDRanges
    /// The numbers of its acts that were read only in part, since a later version wrote them.
    var partial: IDRanges
  }

  private let db: Database

  init(_ db: Database) { self.db = db }

  func all() throws -> [Device] {
    let query = try db.prepared("SELECT \(Self.columns) FROM device ORDER BY name, id")
    var all: [Device] = []
    try query.forEach { if let device = Device(query) { all.append(device) } }
    return all
  }

  /// Returns the row of a machine, which is created if it is missing.
  func find(_ uuid: DeviceID) throws -> Device {
    let query = try db.prepared("SELECT \(Self.columns) FROM device WHERE uuid = ?")
    try query.bind(1, blob: uuid.bytes)
    if let known = try query.first({ Device(query) }) ?? nil { return known }
    let insert = try db.prepared("INSERT INTO device (uuid, known, partial) VALUES (?, x'', x'')")
    try insert.bind(1, blob: uuid.bytes)
    try insert.run()
    return Device(
      id: db.lastInsertedRowID, uuid: uuid, name: nil, heard: nil, ahead: 0, known: IDRanges(),
      partial: IDRanges())
  }

  func save(_ device: Device) throws {
    let update = try db.prepared(
      "UPDATE device SET name = ?2, heard = ?3, ahead = ?4, known = ?5, partial = ?6 WHERE id = ?1")
    update.bind(1, device.id)
    try update.bind(2, device.name)
    update.bind(3, device.heard)
    update.bind(4, device.ahead)
    try update.bind(5, blob: device.known.bytes)
    try update.bind(6, blob: device.partial.bytes)
    try update.run()
  }

  /// Forgets which acts are known, so that everything is read again.
  func forgetKnown() throws { try db.prepared("UPDATE device SET known = x'', partial = x''").run() }

  fileprivate static let columns = "id, uuid, name, heard, ahead, known, partial"
}

extension Devices.Device {
  /// Returns `nil` for a row that can't be read.
  fileprivate init?(_ row: Prepared) {
    guard let uuid = DeviceID(bytes: row.blob(1)) else { return nil }
    self.init(
      id: row.int(0), uuid: uuid, name: row.optionalText(2), heard: row.optionalInt(3), ahead: row.int(4),
      // Unreadable acts are read again from the sync location.
      known: IDRanges(bytes: row.blob(5)) ?? IDRanges(), partial: IDRanges(bytes: row.blob(6)) ?? IDRanges())
  }
}
