import GRDB
import Messages
import Sync

/// The ids by which all machines know sources, in the table `wire_source`.
struct WireSources {
  private let db: Database

  init(_ db: Database) { self.db = db }

  /// Returns the row of a source that some machine has sent, which is created if it is missing.
  func row(of uid: WireUID) throws -> Int64 {
    if let known = try find(uid) { return known }
    let insert = try db.prepared("INSERT INTO wire_source (uid) VALUES (?)")
    try insert.bind(1, blob: uid.bytes)
    try insert.run()
    return db.lastInsertedRowID
  }

  private func find(_ uid: WireUID) throws -> Int64? {
    let query = try db.prepared("SELECT id FROM wire_source WHERE uid = ?")
    try query.bind(1, blob: uid.bytes)
    return try query.first { query.int(0) }
  }

  /// Assigns shared ids to the sources of this machine that are synchronised, and removes those of the other sources.
  ///
  /// - Returns: the sources that have an id now and had none before.
  func align(_ rows: [SourceRow]) throws -> [Int64] {
    guard try SyncedMachine.isSet(db) else { return [] }
    var new: [Int64] = []
    let name = try db.prepared("UPDATE wire_source SET source_id = ?2, is_declined = 0 WHERE id = ?1")
    for row in rows {
      let id = row.source.id.rawValue
      guard row.place != nil, row.source.isSynced else {
        // A source that was deleted from the settings still exists.
        if row.place != nil { try forget(id) }
        continue
      }
      let wire = try self.row(of: uid(of: row.source))
      if try source(ofRow: wire) == id { continue }
      try name.run(wire, id)
      new.append(id)
    }
    return new
  }

  /// Returns the shared id of a source according to its present settings.
  private func uid(of source: Source) throws -> WireUID {
    if let name = source.options.syncAs { return WireUID(syncAs: name) }
    if source.isShared { return WireUID(shared: source.name) }
    let query = try db.prepared("SELECT uid FROM source WHERE id = ?")
    query.bind(1, source.id.rawValue)
    guard let uid = try query.first({ WireUID(bytes: query.blob(0)) }) ?? nil else {
      throw StoreFailure.corrupt(path: "source", reason: "\(source.name) has no id")
    }
    return uid
  }

  /// Ends the synchronisation of a source's marks.
  private func forget(_ source: Int64) throws {
    guard try uid(of: source) != nil else { return }
    try OwnActs(db).encode()
    try db.prepared("UPDATE wire_source SET source_id = NULL WHERE source_id = ?").run(source)
    try db.prepared("DELETE FROM wire_key WHERE source_id = ?").run(source)
  }

  /// Returns the source on this machine, or `nil` if it isn't followed here.
  func source(ofRow row: Int64) throws -> Int64? {
    try db.integer("SELECT source_id FROM wire_source WHERE id = ?", row)
  }

  /// Returns the id of a source, or `nil` if it isn't synchronised.
  func uid(of source: Int64) throws -> WireUID? {
    let query = try db.prepared("SELECT uid FROM wire_source WHERE source_id = ? ORDER BY id LIMIT 1")
    query.bind(1, source)
    return try query.first { WireUID(bytes: query.blob(0)) } ?? nil
  }

  func uid(ofRow row: Int64) throws -> WireUID? {
    let query = try db.prepared("SELECT uid FROM wire_source WHERE id = ?")
    query.bind(1, row)
    return try query.first { WireUID(bytes: query.blob(0)) } ?? nil
  }

  /// Returns the row whose id this machine sends.
  func firstRow(of source: Int64) throws -> Int64? {
    try db.integer("SELECT id FROM wire_source WHERE source_id = ? ORDER BY id LIMIT 1", source)
  }

  /// Links sources here to those for which other machines use another id. The source here must be the only one with the
  /// same kind and URL.
  func link(at now: Milliseconds) throws {
    let query = try db.prepared(
      "SELECT id, follow FROM wire_source WHERE source_id IS NULL AND follow IS NOT NULL ORDER BY id")
    var unknown: [(row: Int64, key: String)] = []
    try query.forEach {
      if let follow = FollowedAddress(query.text(1)) { unknown.append((query.int(0), follow.key)) }
    }
    if unknown.isEmpty { return }
    var here: [String: [Int64]] = [:]
    for row in try SourceRow.all(db, Columns()) where row.place != nil && row.source.isSynced {
      if let follow = FollowedAddress(row.source) {
        here[follow.key, default: []].append(row.source.id.rawValue)
      }
    }
    for (row, key) in unknown {
      guard let sources = here[key], sources.count == 1 else { continue }
      try db.prepared("UPDATE wire_source SET source_id = ?2 WHERE id = ?1").run(row, sources[0])
      try ActMerge(db, at: now).join(row: row, of: sources[0])
    }
  }

  private struct NamedSource: Hashable {
    var source: Int64
    var name: String
  }

  /// Returns the names of the sources that machines follow. If several have the same name, the first in the order of
  /// their uids keeps it and the others get numbers. All machines get the same result, except for names of sources that
  /// only one machine has.
  func names() throws -> [Int64: String] {
    let own = try db.prepared(
      """
      SELECT name FROM source WHERE position IS NOT NULL
        AND id NOT IN (SELECT source_id FROM wire_source WHERE source_id IS NOT NULL AND follow IS NOT NULL)
      """)
    var taken: Set<String> = []
    try own.forEach { taken.insert(own.text(0)) }
    let query = try db.prepared(
      "SELECT id, name, source_id FROM wire_source WHERE follow IS NOT NULL AND name IS NOT NULL ORDER BY uid"
    )
    var wishes: [(row: Int64, name: String, source: Int64?)] = []
    try query.forEach { wishes.append((query.int(0), query.text(1), query.optionalInt(2))) }
    var names: [Int64: String] = [:]
    // Two machines may use different names for one source.
    var bySource: [NamedSource: String] = [:]
    for wish in wishes where taken.insert(wish.name).inserted {
      names[wish.row] = wish.name
      if let source = wish.source { bySource[NamedSource(source: source, name: wish.name)] = wish.name }
    }
    // The first number that may be free, since very many sources may have one name.
    var numbers: [String: Int] = [:]
    for wish in wishes where names[wish.row] == nil {
      let known = wish.source.map { NamedSource(source: $0, name: wish.name) }
      if let name = known.flatMap({ bySource[$0] }) {
        names[wish.row] = name
        continue
      }
      var number = numbers[wish.name, default: 2]
      while !taken.insert("\(wish.name) \(number)").inserted { number += 1 }
      numbers[wish.name] = number + 1
      let name = "\(wish.name) \(number)"
      names[wish.row] = name
      if let known { bySource[known] = name }
    }
    return names
  }

  /// Whether some machine has received the first messages of a source.
  func isFilled(_ source: Int64) throws -> Bool {
    try db.integer("SELECT 1 FROM wire_source WHERE source_id = ? AND is_filled LIMIT 1", source) == 1
  }

  /// Records that some machine has received the first messages of a source.
  func fill(_ source: Int64) throws {
    try db.prepared("UPDATE wire_source SET is_filled = 1 WHERE source_id = ? AND NOT is_filled").run(source)
  }

  /// Records that some machine has received the first messages of a source.
  func fill(row: Int64) throws {
    try db.prepared("UPDATE wire_source SET is_filled = 1 WHERE id = ? AND NOT is_filled").run(row)
  }

  /// Returns the sources here that are synchronised.
  func followed() throws -> Set<Int64> {
    let query = try db.prepared("SELECT source_id FROM wire_source WHERE source_id IS NOT NULL")
    var sources: Set<Int64> = []
    try query.forEach { sources.insert(query.int(0)) }
    return sources
  }

  func rows(of source: Int64) throws -> [Int64] {
    let query = try db.prepared("SELECT id FROM wire_source WHERE source_id = ?")
    query.bind(1, source)
    var rows: [Int64] = []
    try query.forEach { rows.append(query.int(0)) }
    return rows
  }
}
