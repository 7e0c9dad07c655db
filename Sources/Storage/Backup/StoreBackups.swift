package import Foundation
import GRDB
import Limits
import Messages

/// Backups: a copy of the database that holds other files too, in the table of an SQLite Archive
/// (sqlite.org/sqlar.html). `sqlite3 -A` lists and extracts them.
package struct StoreBackups: StorePart {
  let store: Store

  /// What a file of the archive is, by its mode (stat(2)).
  private static let regular: Int64 = 0o100000

  // MARK: Writing

  /// Writes the database as it is at one instant, and the files, into `file`, which replaces what is there. Other processes
  /// may read and write meanwhile.
  package func write(to file: String, _ files: [BackupFile], at now: Date) throws(StoreFailure) {
    // Under its name it is whole or not there.
    let unfinished = file + ".unfinished"
    do {
      try Self.makeEmpty(unfinished, for: file)
      try store.connections.write { db in try Self.copy(db, into: unfinished) }
      let queue = try DatabaseQueue(path: unfinished)
      try queue.write { db in
        try db.execute(
          sql: """
            DROP TABLE IF EXISTS sqlar;
            CREATE TABLE sqlar(name TEXT PRIMARY KEY, mode INT, mtime INT, sz INT, data BLOB);
            """)
        let insertion = try db.prepared("INSERT INTO sqlar VALUES (?, ?, ?, ?, ?)")
        for file in files {
          try insertion.bind(1, file.name)
          insertion.bind(2, Self.regular | Int64(file.mode))
          insertion.bind(3, now.milliseconds / 1000)
          insertion.bind(4, Int64(file.bytes.count))
          try insertion.bind(5, blob: [UInt8](file.bytes))
          try insertion.run()
        }
      }
      try queue.close()
      guard rename(unfinished, file) == 0 else { throw DatabaseFile.failureToOpen(file, errno: errno) }
    } catch {
      Self.remove(unfinished)
      throw StoreFailure(error, path: file)
    }
  }

  private static func copy(_ db: Database, into file: String) throws {
    let statement = try db.prepared("VACUUM INTO ?")
    try statement.bind(1, file)
    try statement.run()
  }

  /// SQLite would make it readable for others.
  ///
  /// - Parameter file: what it becomes, for a failure.
  private static func makeEmpty(_ path: String, for file: String) throws {
    remove(path)
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw DatabaseFile.failureToOpen(file, errno: errno) }
    close(descriptor)
  }

  /// With the files that SQLite and the store make beside it.
  private static func remove(_ path: String) {
    for suffix in ["", "-journal", "-wal", "-shm"] { unlink(path + suffix) }
    // What cannot be removed is reported when the file is made again.
    try? FileManager.default.removeItem(atPath: path + ".locks")
  }

  // MARK: Reading

  /// The files of a backup, after everything in it was checked. A plain copy of a database has none.
  package static func files(of path: String) throws(StoreFailure) -> [BackupFile] {
    do {
      let connections = try backup(path)
      defer { _ = Result { try connections.close() } }
      return try connections.read { db in try files(db, path) }
    } catch {
      throw StoreFailure(error, path: path)
    }
  }

  private static func backup(_ path: String) throws -> Connections {
    var status = stat()
    guard stat(path, &status) == 0 else { throw DatabaseFile.failureToOpen(path, errno: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw StoreFailure.badBackup(path: path, reason: "it isn't a regular file")
    }
    let connections = try Connections(reading: URL(fileURLWithPath: path).path)
    try connections.read { db in
      guard try db.integer("PRAGMA application_id") == Int64(Schema.applicationID) else {
        throw StoreFailure.badBackup(path: path, reason: "reddot didn't write it")
      }
      try DatabaseFile.refuseNewer(Int(try db.integer("PRAGMA user_version") ?? 0), path: path)
      let check = try db.prepared("PRAGMA quick_check(1)")
      guard try check.first({ check.text(0) }) == "ok" else {
        throw StoreFailure.badBackup(path: path, reason: "its pages are damaged")
      }
      // A view is a program that runs when it is read.
      if try db.integer("SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'view')") != 0 {
        throw StoreFailure.badBackup(path: path, reason: "it holds a view, which reddot never writes")
      }
    }
    return connections
  }

  private static func files(_ db: Database, _ path: String) throws -> [BackupFile] {
    func bad(_ reason: String) -> StoreFailure { .badBackup(path: path, reason: reason) }
    guard try db.integer("SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'sqlar')") != 0 else {
      return []
    }
    let count = try db.integer("SELECT count(*) FROM sqlar") ?? 0
    let size = try db.integer("SELECT sum(length(data)) FROM sqlar") ?? 0
    guard count <= Limits.backupFiles, size <= Limits.backupBytes else {
      throw bad(
        "it holds \(count) files of \(size >> 20) MiB, and may hold \(Limits.backupFiles) of "
          + "\(Limits.backupBytes >> 20) MiB")
    }
    var files: [BackupFile] = []
    let query = try db.prepared(
      "SELECT CAST(name AS TEXT), CAST(mode AS INT), CAST(sz AS INT), CAST(data AS BLOB) FROM sqlar ORDER BY rowid"
    )
    try query.forEach {
      let name = query.text(0)
      let mode = query.int(1)
      guard BackupFile.isSafe(name) else { throw bad("a file in it is called \"\(name)\"") }
      guard mode & Int64(S_IFMT) == regular else {
        throw bad("\"\(name)\" in it isn't a regular file, but a link, a folder or a device")
      }
      let bytes = Data(query.blob(3))
      guard Int64(bytes.count) == query.int(2) else { throw bad("\"\(name)\" in it is compressed") }
      files.append(BackupFile(name: name, mode: Int(mode & 0o777), bytes: bytes))
    }
    return files
  }

  // MARK: Restoring

  /// Makes the content of the database that of a backup, in one step for all processes that have it open. The backup may be
  /// of an older version.
  package func restore(from path: String, at now: Date) throws(StoreFailure) {
    guard let own = self.path else { return }
    // Everything that can fail happens to a copy.
    let copy = own + ".restoring"
    defer { Self.remove(copy) }
    do {
      try Self.makeEmpty(copy, for: own)
      let backup = try Self.backup(path)
      try backup.write { db in
        // A database with a log cannot get pages of another size.
        try db.execute(sql: "PRAGMA page_size = 4096")
        try Self.copy(db, into: copy)
      }
      try backup.close()
      let restored = try Store(path: copy, now: now)
      try restored.write { db in try db.execute(sql: "DROP TABLE IF EXISTS sqlar") }
      try store.connections.replaceContent(by: restored.connections)
      try restored.close()
    } catch {
      throw StoreFailure(error, path: own)
    }
  }
}
