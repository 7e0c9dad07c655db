import Basics
package import Foundation
import GRDB
import Messages

/// Creates and reads backups: a copy of the database that also contains other files, in the table of an SQLite Archive
/// (sqlite.org/sqlar.html). `sqlite3 -A` lists and extracts them.
package struct StoreBackups: StorePart {
  let store: Store

  /// The SQL statement that creates the table of an SQLite Archive.
  static let fileTable = "CREATE TABLE sqlar(name TEXT PRIMARY KEY, mode INT, mtime INT, sz INT, data BLOB)"

  // MARK: Writing

  /// Writes a snapshot of the database, together with `files`, into `file`, which replaces an existing one. Other
  /// processes may read and write meanwhile.
  package func write(to file: String, _ files: [BackupFile], at now: Date) throws(StoreFailure) {
    // A file with this name is always complete.
    let unfinished = file + ".unfinished"
    do {
      try Self.makeEmpty(unfinished, for: file)
      try store.connections.write { db in try Self.copy(db, into: unfinished) }
      let queue = try DatabaseQueue(path: unfinished)
      defer { KeptConnections.keep(queue) }
      try queue.write { db in
        // A store in memory has no application id.
        try db.execute(sql: "PRAGMA application_id = \(Schema.applicationID)")
        try db.execute(
          sql: """
            DROP TABLE IF EXISTS sqlar;
            \(Self.fileTable);
            """)
        let insertion = try db.prepared("INSERT INTO sqlar VALUES (?, ?, ?, ?, ?)")
        for file in files {
          try insertion.bind(1, file.name)
          insertion.bind(2, OutsideDatabase.regular | Int64(file.mode))
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

  /// Creates an empty file that only its owner can read, and replaces an existing one. SQLite would make it
  /// readable for others.
  ///
  /// - Parameter file: the final path, which a failure contains.
  static func makeEmpty(_ path: String, for file: String) throws {
    remove(path)
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw DatabaseFile.failureToOpen(file, errno: errno) }
    close(descriptor)
  }

  /// Removes a database with the files that SQLite and the store create next to it.
  static func remove(_ path: String) {
    for suffix in ["", "-journal", "-wal", "-shm"] { unlink(path + suffix) }
    // A file that cannot be removed is reported when it is created again.
    try? FileManager.default.removeItem(atPath: path + ".locks")
  }

  // MARK: Reading

  /// Returns the files of a backup after checking everything in it. A plain copy of a database has none.
  package static func files(of path: String) throws(StoreFailure) -> [BackupFile] {
    do {
      let archive = try OutsideDatabase(path)
      defer { _ = Result { try archive.close() } }
      return try archive.files()
    } catch {
      throw StoreFailure(error, path: path)
    }
  }

  // MARK: Restoring

  /// The content of a backup as a database of this version. Its file is in the folder of the database that it replaces.
  package struct Content {
    fileprivate let store: Store
    fileprivate let file: String

    package func discard() {
      // The file is removed even if it could not be closed.
      _ = Result { () throws(StoreFailure) in try store.close() }
      StoreBackups.remove(file)
    }
  }

  /// Copies a backup's rows into a new database and derives the rest from them. The backup may be of an older version.
  /// All its errors are found here.
  ///
  /// - Parameter database: the path of the database to replace; its folder exists.
  package static func content(
    of path: String, for database: String, at now: Date
  ) throws(StoreFailure) -> Content {
    let file = database + ".restoring"
    do {
      try makeEmpty(file, for: database)
      let archive = try OutsideDatabase(path)
      try archive.copyRows(into: file)
      try archive.close()
      let store = try Store(path: file, now: now)
      for part in CheckPart.allCases where part != .file { try store.check.repair(part, at: now) }
      return Content(store: store, file: file)
    } catch {
      remove(file)
      throw StoreFailure(error, path: database)
    }
  }

  /// Replaces the content of the database by that of a backup, in one step for all processes that have it open.
  package func replace(by content: Content) throws(StoreFailure) {
    do {
      try store.connections.replaceContent(by: content.store.connections)
    } catch {
      throw StoreFailure(error, path: path ?? ":memory:")
    }
  }
}
