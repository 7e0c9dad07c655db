import Basics
package import Foundation
import GRDB
import GRDBSQLite
import Messages

/// Checks and repairs the pages of a database file before a store is opened on it, since opening may write to the file.
package struct StoredPages: Sendable {
  let path: String

  package init(path: String) { self.path = path }

  /// Throws if there is no database to check.
  package func requireFile() throws(StoreFailure) {
    guard access(path, F_OK) == 0 else {
      throw .cannotOpen(
        path: path, reason: errno == ENOENT ? "there is no such file" : String(cString: strerror(errno)))
    }
    do {
      try DatabaseFile.refuseEmpty(path)
    } catch {
      throw StoreFailure(error, path: path)
    }
  }

  // MARK: - Looking

  /// The result of a check of all pages of a file.
  package struct Look: Hashable, Sendable {
    /// The first damage that was found. `nil` if the pages are intact, or if they can't be read for another
    /// reason, which is reported when the database is opened.
    package var damage: String?
    /// Sentences about the differences between indexes and their tables, which are repaired without replacing
    /// the file, or `nil` if the differences are not known.
    package var indexes: [String]?

    /// The result before any check.
    package static let unknown = Look()
  }

  /// Checks all pages and indexes, without writing.
  package func look() throws(StoreFailure) -> Look {
    try requireFile()
    do {
      var look = try Self.look(path)
      // Another process may be writing it; then a second check finds it intact.
      if try look.damage == nil && hasDamagedLog() && hasDamagedLog() {
        look = Look(damage: "its log, \(path)-wal, is damaged")
      }
      return look
    } catch let error as DatabaseError {
      let damage: String? =
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: error.message ?? "it cannot be read"
        case .SQLITE_INTERRUPT: "its pages lead to each other without an end"
        case _: nil
        }
      return Look(damage: damage)
    } catch {
      throw StoreFailure(error, path: path)
    }
  }

  func hasDamagedLog() throws -> Bool {
    let log = path + "-wal"
    let descriptor = open(log, O_RDONLY | O_CLOEXEC)
    if descriptor < 0, errno == ENOENT { return false }
    func failure() -> StoreFailure { .inputOutput(path: log, reason: String(cString: strerror(errno))) }
    guard descriptor >= 0 else { throw failure() }
    defer { close(descriptor) }
    // The file is not mapped: another process may truncate it meanwhile, which would kill a process that reads a
    // missing page.
    return try LogScan(count: Self.size(log), pageSize: 4096) { start, count in
      var bytes = Data(count: count)
      var length = 0
      while length < count {
        let read = bytes.withUnsafeMutableBytes { raw in
          pread(descriptor, raw.baseAddress.map { $0 + length }, count - length, off_t(start + length))
        }
        if read < 0, errno == EINTR { continue }
        guard read >= 0 else { throw failure() }
        if read == 0 { return nil }
        length += read
      }
      return bytes
    }?.isDamaged ?? false
  }

  private static func look(_ path: String) throws -> Look {
    try reading(path) { db in
      let findings = try PageFindings(db)
      if let damage = findings.damage { return Look(damage: damage) }
      // An older version gets missing entries when it is opened.
      if try db.integer("PRAGMA user_version") == Int64(Schema.version),
        let table = try SchemaComparison(db).missingTable
      {
        return Look(damage: "\(table.words) is missing")
      }
      return Look(indexes: findings.indexes)
    }
  }

  /// Reads a file that may be damaged, for at most the time that an intact one of its size would take.
  private static func reading<Value>(_ path: String, _ body: (Database) throws -> Value) throws -> Value {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(60)
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    let limit = TimeLimit(seconds: 20 + Double(size(path)) / 1_000_000)
    let result = Result {
      try queue.unsafeRead { db in
        try limit.limiting(db, body)
      }
    }
    KeptConnections.keep(queue)
    return try result.get()
  }

  static func size(_ path: String) -> Int {
    var file = stat()
    return stat(path, &file) == 0 ? Int(file.st_size) : 0
  }

  // MARK: - Repairing

  /// The result of a repair of damaged pages.
  package struct Repair: Hashable, Sendable {
    /// The path of the copy of the original file, byte for byte. The copy of its log has the same name with
    /// `-wal`.
    package var copy: String
    /// The parts that the repaired copy lacks; empty if it replaced the file.
    package var missing: [String]
  }

  /// Writes the rows of the file into a repaired database, which replaces the file only if nothing is missing
  /// in it. Meanwhile no other process can use the database.
  ///
  /// - Parameter patience: the number of seconds to wait until the file is unused.
  package func repair(at now: Date, patience: Double = 5) throws(StoreFailure) -> Repair {
    do {
      return try repairAlone(at: now, patience)
    } catch {
      throw StoreFailure(error, path: path)
    }
  }

  private func repairAlone(at now: Date, _ patience: Double) throws -> Repair {
    let file = DatabaseFile(path: path)
    let target = file.target
    try file.makeLockDirectories()
    guard let lock = try UseLock(alone: file.useLock, within: patience) else {
      throw StoreFailure.inUse(path: path)
    }
    defer { lock.release() }
    guard try hasRoom(target) else { throw StoreFailure.diskFull(path: path) }
    let copy = try copyBytes(of: target, at: now)
    let unfinished = target + ".repaired"
    try Store.removeDatabase(unfinished)
    defer {
      // The next repair removes it.
      try? Store.removeDatabase(unfinished)
    }
    let (pages, log) = try Store.pages(of: copy, aCopyOf: path)
    let rebuilt = try Store.rebuild(pages, into: unfinished, now: now)
    var missing = rebuilt.missing
    if log { missing.append("a part of its log") }
    if !Schema.canBeBroughtUpToDate(pages.schemaVersion ?? 0) { missing.append("the version of its tables") }
    if missing.isEmpty { missing = try Self.missing(of: target, in: unfinished) }
    if try missing.isEmpty && Self.look(unfinished).damage != nil { missing.append("a whole copy") }
    guard missing.isEmpty else { return Repair(copy: copy, missing: missing) }
    // Its log would be copied into the new file.
    for suffix in ["-wal", "-shm"] where access(target + suffix, F_OK) == 0 {
      try Self.check(unlink(target + suffix), target + suffix)
    }
    try Self.check(rename(unfinished, target), target)
    Self.syncFolder(of: target)
    return Repair(copy: copy, missing: [])
  }

  /// Whether the disk has room for a copy and the new database.
  private func hasRoom(_ target: String) throws -> Bool {
    var disk = statvfs()
    let folder = (target as NSString).deletingLastPathComponent
    guard statvfs(folder.isEmpty ? "." : folder, &disk) == 0 else { return true }
    let needed = (Self.size(target) + Self.size(target + "-wal")) * 5 / 2
    return UInt64(disk.f_bavail) * UInt64(disk.f_frsize) > UInt64(needed)
  }

  private func copyBytes(of target: String, at now: Date) throws -> String {
    let copy = Self.pathOfCopy(of: target, at: now)
    for suffix in ["-wal", "-shm", ""] where access(target + suffix, F_OK) == 0 {
      try FileManager.default.copyItem(atPath: target + suffix, toPath: copy + suffix)
      try Self.check(chmod(copy + suffix, 0o600), copy + suffix)
    }
    return copy
  }

  /// Returns the path of the copy that is created before a repair.
  static func pathOfCopy(of path: String, at now: Date) -> String {
    var copy = "\(path).before-repair-\(now.milliseconds / 1000)"
    while access(copy, F_OK) == 0 { copy += "-again" }
    return copy
  }

  private static func check(_ code: Int32, _ path: String) throws {
    if code != 0 { throw DatabaseFile.failureToOpen(path, errno: errno) }
  }

  private static func syncFolder(of path: String) {
    let folder = (path as NSString).deletingLastPathComponent
    let descriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_CLOEXEC)
    if descriptor >= 0 {
      fsync(descriptor)
      close(descriptor)
    }
  }

  /// Looks up in the new database each row that SQLite itself can still read in the damaged file. Returns
  /// descriptions of the rows that are missing.
  private static func missing(of damaged: String, in new: String) throws -> [String] {
    let tables = [
      ("message", "id", "messages"), ("status", "message_id", "states of messages"),
      ("detail", "message_id", "details of messages"),
      ("source", "id", "sources"), ("journal", "id", "actions"),
    ]
    return try reading(new) { new in
      var missing: [String] = []
      for (table, key, name) in tables {
        let lookup = try new.prepared("SELECT 1 FROM \(table) WHERE \(key) = ?")
        var count = 0
        do {
          try reading(damaged) { db in
            let query = try db.prepared("SELECT \(key) FROM \(table) NOT INDEXED")
            try query.forEach {
              lookup.bind(1, query.int(0))
              if try lookup.first({ true }) == nil { count += 1 }
            }
          }
        } catch is DatabaseError {
          // The rows up to here could be read.
        }
        if count > 0 { missing.append("\(count) \(name)") }
      }
      return missing
    }
  }
}

/// The results of SQLite's own check of all pages, and of all rows that indexes should contain.
struct PageFindings {
  /// The differences between indexes and their tables, which are not damage of pages.
  private(set) var indexes: [String] = []
  private(set) var damage: String?

  var all: [String] { indexes + (damage.map { [$0] } ?? []) }

  init(_ db: Database) throws {
    // This check finds everything that `quick_check` finds, and checks the structure of the trees first. It ends with
    // the first damage, since the rows of a damaged tree may have no end.
    let query = try String.fetchCursor(db, sql: "PRAGMA integrity_check")
    while let found = try query.next() {
      if found == "ok" { break }
      if Self.isOfIndex(found) {
        indexes.append(found)
        continue
      }
      damage = found.split(onBytes: "\n").last.map(String.init) ?? found
      break
    }
  }

  private static func isOfIndex(_ found: String) -> Bool {
    ["from index", "of index", "entries in index", "entry in index", "inverted index"].contains {
      found.contains($0)
    }
  }
}
