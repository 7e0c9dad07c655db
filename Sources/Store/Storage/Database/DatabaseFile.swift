import Foundation
import GRDB
import Messages

/// The file of a store. It is created with access only for its owner, and checked through SQLite before anything is
/// written.
///
/// The bytes of the file are never read directly: until SQLite has rolled back the partial write of a killed process,
/// they are not reliable.
struct DatabaseFile {
  let path: String

  /// Opens the database for the whole process, creates it if it is missing, and migrates it if an older
  /// reddot wrote it.
  ///
  /// Only one process at a time does this: creating the journal and the tables takes locks that no busy
  /// timeout covers.
  ///
  /// An empty file becomes a new database, unless there are signs that it was a database before. An empty
  /// file remains if reddot was killed during its first start.
  ///
  /// - Parameters:
  ///   - patience: the number of seconds to wait for another process.
  ///   - reporting: called before the update of a database of 0.2.0 waits or begins.
  func open(
    installed: Date, pageLimit: Int?, patience: Double = 10, reporting: (StoreUpdate) -> Void = { _ in }
  ) throws -> (Connections, UseLock) {
    // SQLite would open the file for reading, and the first write would fail: that of a poll, after the request.
    if access(path, W_OK) != 0, errno != ENOENT { throw Self.failureToOpen(path, errno: errno) }
    try makeDirectory(directory)
    try makeLockDirectories()
    let turn = try LockFile(path: lockDirectory + "/opening")
    defer { turn.close() }
    guard try turn.lock(within: patience) else {
      throw StoreFailure.opening(path: path, process: turn.holder)
    }
    var use = try shareUse()
    if access(target, F_OK) != 0 {
      // These locks are from a deleted database. If this start is killed now, the next one must not take them for its
      // own.
      for name in pollLocks { unlink("\(lockDirectory)/\(name)") }
    } else if wasUsed {
      try Self.refuseEmpty(path)
    }
    try makeFile()
    let connections = try Connections(file: path, pageLimit: pageLimit)
    if try Self.version(connections).map(EarlierSchema.versions.contains) ?? false {
      // A running program of that version would fail on tables with other names.
      use.release()
      try updateAlone(connections, installed: installed, patience, reporting)
      use = try shareUse()
    } else {
      try Self.bringUpToDate(connections, path: path, installed: installed)
    }
    return (connections, use)
  }

  /// Takes the shared lock on the file's use, or throws if a repair holds it.
  private func shareUse() throws -> UseLock {
    guard let use = try UseLock(sharing: useLock) else { throw StoreFailure.repairing(path: path) }
    return use
  }

  /// Migrates the database while no other process uses it.
  private func updateAlone(
    _ connections: Connections, installed: Date, _ patience: Double, _ reporting: (StoreUpdate) -> Void
  ) throws {
    var alone = try UseLock(alone: useLock, within: 0)
    if alone == nil {
      reporting(.waiting(path: path, process: try LockFile(path: useLock).otherHolder))
      alone = try UseLock(alone: useLock, within: patience)
    }
    guard let alone else {
      throw StoreFailure.usedByEarlier(path: path, process: try LockFile(path: useLock).otherHolder)
    }
    defer { alone.release() }
    if let lacking = roomToUpdate() { throw StoreFailure.noRoomToUpdate(path: path, mebibytes: lacking) }
    reporting(.updating(path: path))
    try Self.bringUpToDate(connections, path: path, installed: installed)
  }

  /// Returns the mebibytes that the disk lacks for the new indexes, which are temporarily both in the log and in the
  /// file, or `nil` if there is room.
  private func roomToUpdate() -> Int? {
    var (disk, file) = (statvfs(), stat())
    guard statvfs(directory.isEmpty ? "." : directory, &disk) == 0, stat(target, &file) == 0 else {
      return nil
    }
    let free = UInt64(disk.f_bavail) * UInt64(disk.f_frsize)
    let needed = UInt64(file.st_size) / 4 + 4 << 20
    return free < needed ? Int((needed - free) >> 20) + 1 : nil
  }

  private static func version(_ connections: Connections) throws -> Int? {
    try connections.write { try $0.integer("PRAGMA user_version") }.map { Int($0) }
  }

  /// Creates a database with the tables of a version of the schema, and fills it.
  ///
  /// - Parameter fill: inserts the rows, in a transaction.
  func make(_ version: Int, fill: (Database) throws -> Void) throws {
    try StoreBackups.makeEmpty(path, for: path)
    let new = try Connections(file: path, pageLimit: nil)
    try new.write { db in
      try new.setSynchronous(Store.Durability.process.pragma, db)
      try Schema.make(version, in: db)
      try db.inTransaction("BEGIN IMMEDIATE", fill)
    }
    try new.close()
  }

  /// The path of the lock file that every process locks while it uses the database, so that a repair can shut the
  /// others out. For a symbolic link, it is that of the target.
  var useLock: String { useLockDirectory + "/use" }

  func makeLockDirectories() throws {
    for directory in [lockDirectory, useLockDirectory] { try makeDirectory(directory) }
  }

  private var useLockDirectory: String { target + ".locks" }

  /// Whether the file has already been used as a database, even if it is empty now. The signs are a log that
  /// is not empty, and lock files whose names are numbers, for example of polled sources.
  private var wasUsed: Bool {
    var log = stat()
    if stat(target + "-wal", &log) == 0, log.st_size > 0 { return true }
    return !pollLocks.isEmpty
  }

  /// The names of the lock files whose names are numbers (`LockName.number`), for example of polled sources.
  private var pollLocks: [String] {
    guard let directory = opendir(lockDirectory) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if Int64(name) != nil { names.append(name) }
    }
    return names
  }

  /// Throws if the file is empty: SQLite would turn it into an empty database and delete its log.
  static func refuseEmpty(_ path: String) throws {
    var file = stat()
    guard stat(path, &file) == 0, file.st_size == 0 else { return }
    throw StoreFailure.corrupt(path: path, reason: "it is empty, as a file is that was cut")
  }

  /// The directory of the lock files: one for opening the database, one for using it, and one for each
  /// `LockName` that was ever locked, for example for each source that was ever polled.
  var lockDirectory: String { path + ".locks" }

  // MARK: - Making

  private var directory: String { (path as NSString).deletingLastPathComponent }

  private func makeDirectory(_ directory: String) throws {
    guard !directory.isEmpty, access(directory, F_OK) != 0 else { return }
    let parent = (directory as NSString).deletingLastPathComponent
    try makeDirectory(parent)
    if mkdir(directory, 0o700) == 0 { return }
    let code = errno
    if code == EEXIST { return }
    // If the directory may not be created, the permissions of the one above must be changed.
    let isRefused = [EACCES, EPERM, EROFS].contains(code) && !parent.isEmpty
    throw Self.failureToOpen(isRefused ? parent : directory, errno: code)
  }

  /// Creates the file, which SQLite would make readable for others. An existing file is not opened here: closing it
  /// would release the locks that this process holds on it through SQLite (fcntl(2)).
  private func makeFile() throws {
    let descriptor = Foundation.open(target, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      close(descriptor)
    } else if errno != EEXIST {
      throw Self.failureToOpen(path, errno: errno)
    }
  }

  /// The path with symbolic links resolved, even if the final file does not exist yet, since SQLite would create that
  /// file.
  var target: String {
    var path = path
    for _ in 0..<40 {
      var link = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
      let count = readlink(path, &link, Int(PATH_MAX))
      guard count > 0 else { return path }
      let leads = String(decoding: link.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
      path = leads.hasPrefix("/") ? leads : (path as NSString).deletingLastPathComponent + "/" + leads
    }
    return path
  }

  // MARK: - Judging

  /// Checks that the database is reddot's, and marks an empty one as reddot's.
  ///
  /// Call it before the connection writes anything else.
  static func claim(_ db: Database, path: String) throws {
    guard let application = try db.integer("PRAGMA application_id") else { return }
    if application == Int64(Schema.applicationID) {
      return try refuseNewer(Int(try db.integer("PRAGMA user_version") ?? 0), path: path)
    }
    guard application == 0, try isEmpty(db) else { throw StoreFailure.foreign(path: path) }
    if !db.configuration.readonly {
      // This allows to return free pages to the disk, and is only possible before the first page is written.
      try db.execute(
        sql: "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA application_id = \(Schema.applicationID)")
    }
  }

  private static func isEmpty(_ db: Database) throws -> Bool {
    try db.integer("PRAGMA user_version") == 0
      && db.integer("SELECT EXISTS (SELECT 1 FROM sqlite_master)") == 0
  }

  static func refuseNewer(_ version: Int, path: String) throws {
    if version > Schema.version {
      throw StoreFailure.newerVersion(path: path, found: version, known: Schema.version)
    }
  }

  static func bringUpToDate(_ connections: Connections, path: String, installed: Date) throws {
    let version = try connections.write { try $0.integer("PRAGMA user_version") ?? 0 }
    if version == Schema.version { return }
    try refuseNewer(Int(version), path: path)
    // Each migration is a transaction. A power failure may lose the last ones, which then run again. Waiting for the
    // disk after each would take longer than all of them on a new file.
    try connections.write { db in try connections.setSynchronous(Store.Durability.process.pragma, db) }
    try connections.write { db in
      try Schema.bringUpToDate(db, path: path, installed: installed.milliseconds)
      _ = try db.checkpoint(.passive)
    }
  }

  // MARK: - Failures

  static func failureToOpen(_ path: String, errno code: Int32) -> StoreFailure {
    let reason = String(cString: strerror(code))
    switch code {
    case EACCES, EPERM, EROFS: return .readOnly(path: path, reason: reason)
    case ENOSPC, EDQUOT: return .diskFull(path: path)
    default: return .cannotOpen(path: path, reason: reason)
    }
  }

  /// Returns the failure for a database that SQLite could not open. The database itself need not be the
  /// cause: SQLite must be able to create and write the log too.
  static func failureToOpen(_ path: String, reason: String) -> StoreFailure {
    unwritable(path) ?? (hasRoom(path) ? .cannotOpen(path: path, reason: reason) : .diskFull(path: path))
  }

  static func failureToWrite(_ path: String, reason: String) -> StoreFailure {
    unwritable(path) ?? .readOnly(path: path, reason: reason)
  }

  /// Returns a failure with the path of the file that can't be written, and the reason, which SQLite's
  /// message lacks. The file may be the database, a file next to it that another user created, or the
  /// directory. Returns `nil` if all of them can be written.
  private static func unwritable(_ path: String) -> StoreFailure? {
    let directory = (path as NSString).deletingLastPathComponent
    for file in [path, path + "-wal", path + "-shm", directory]
    where !file.isEmpty && access(file, W_OK) != 0 && (errno != ENOENT || file == directory) {
      return failureToOpen(file, errno: errno)
    }
    return nil
  }

  /// Whether the disk has room for the log's index; without it SQLite reports a disk error.
  static func hasRoom(_ path: String) -> Bool {
    var information = statvfs()
    let directory = (path as NSString).deletingLastPathComponent
    guard statvfs(directory.isEmpty ? "." : directory, &information) == 0 else { return true }
    // This is the index of the log, and a page of it.
    return UInt64(information.f_bavail) * UInt64(information.f_frsize) >= 65_536
  }
}
