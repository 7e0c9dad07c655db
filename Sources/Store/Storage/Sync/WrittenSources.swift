package import Foundation
import GRDB
package import Messages
import Sync

/// The machines whose users keep a source in a settings file, from which no other machine removes it: the table
/// `source_written`.
struct WrittenSources {
  private let db: Database
  private let now: Milliseconds

  init(_ db: Database, at now: Milliseconds) { (self.db, self.now) = (db, now) }

  /// Stores whether a machine has a source in its settings file, unless a later act about this is known.
  func merge(_ group: Act.Group, act: Int64, row: Int64) throws {
    let writers = Writers(db)
    for target in group.targets {
      let machine = Int64(bitPattern: target.key)
      let known = try db.integer(
        "SELECT act FROM source_written WHERE source = ? AND machine = ?", row, machine)
      if let known, try !MergeRule.stands(writers.writer(of: act), over: writers.writer(of: known)) {
        continue
      }
      try save(group.value == .integer(1), row: row, machine: machine, act: act)
    }
  }

  private func save(_ isWritten: Bool, row: Int64, machine: Int64, act: Int64) throws {
    try db.prepared(
      "INSERT OR REPLACE INTO source_written (source, machine, is_written, act) VALUES (?, ?, ?, ?)"
    ).run(row, machine, isWritten ? 1 : 0, act)
  }

  /// Returns the sources that were added to this machine's settings file (`true`) or removed from it
  /// (`false`) since it last sent them, as rows of `wire_source`.
  ///
  /// - Parameter sources: the sources that the file contains now.
  func changes(_ sources: Set<SourceID>) throws -> [Int64: Bool] {
    guard let own = try SyncedMachine.find(db)?.device else { return [:] }
    let query = try db.prepared("SELECT source FROM source_written WHERE machine = ? AND is_written")
    query.bind(1, Int64(bitPattern: own.key))
    var said: Set<Int64> = []
    try query.forEach { said.insert(query.int(0)) }
    let written = Set(try sources.compactMap { try WireSources(db).firstRow(of: $0.rawValue) })
    var changes: [Int64: Bool] = [:]
    for row in written.symmetricDifference(said) { changes[row] = written.contains(row) }
    return changes
  }

  /// Sends the changes to the other machines, in one act.
  func send(_ changes: [Int64: Bool]) throws {
    guard let own = try SyncedMachine.find(db)?.device, !changes.isEmpty else { return }
    let machine = Int64(bitPattern: own.key)
    var groups: [Act.Group] = []
    var last: Stamp?
    for (row, isWritten) in changes {
      guard let uid = try WireSources(db).uid(ofRow: row) else { continue }
      let known = try db.integer(
        "SELECT act FROM source_written WHERE source = ? AND machine = ?", row, machine)
      if let known { last = max(last ?? Stamp(rawValue: 0), try Writers(db).writer(of: known).stamp) }
      groups.append(
        Act.Group(
          source: uid, field: .written, value: isWritten ? .integer(1) : .none,
          targets: [Act.Target(key: own.key)]))
    }
    let stamp = MergeRule.stamp(now: now, above: last)
    guard let seq = try OwnActs(db).add(.sources, stamp: stamp, groups) else { return }
    let act = try Journal(db).append(sent: seq, stamp: stamp, at: now)
    for (row, isWritten) in changes { try save(isWritten, row: row, machine: machine, act: act) }
  }

  /// Returns the names of the other machines that keep a source.
  func machines(with source: SourceID) throws -> [String] {
    let query = try db.prepared(
      """
      SELECT DISTINCT d.name FROM wire_source r CROSS JOIN source_written w ON w.source = r.id AND w.is_written
        CROSS JOIN journal j ON j.id = w.act CROSS JOIN device d ON d.id = j.device
      WHERE r.source_id = ? AND d.name IS NOT NULL ORDER BY d.name
      """)
    query.bind(1, source.rawValue)
    var names: [String] = []
    try query.forEach { names.append(query.text(0)) }
    return names
  }
}

extension StoreSync {
  /// Sends the sources in this machine's settings file to the other machines, so that a removal on another machine does
  /// not remove them here.
  ///
  /// - Parameter sources: all sources in the settings file.
  package func announce(written sources: Set<SourceID>, at now: Date) throws(StoreFailure) {
    guard try read({ db in try !WrittenSources(db, at: now.milliseconds).changes(sources).isEmpty }) else {
      return
    }
    try write(.system) { db in
      let written = WrittenSources(db, at: now.milliseconds)
      try written.send(written.changes(sources))
    }
  }

  /// Returns the names of the other machines that have a source in their settings files.
  package func machines(with source: SourceID) throws(StoreFailure) -> [String] {
    // The time has no effect here.
    try read { db in try WrittenSources(db, at: 0).machines(with: source) }
  }
}
