import Foundation
import GRDB
import Messages

/// A file of a store that cannot be written, because its permissions or file system forbid it, or the disk is full.
struct ReadOnlyFile {
  let path: String

  /// Opens the file in its state at `now`.
  ///
  /// If a message became visible or expired since the last write, or an older reddot wrote the file, the changes are
  /// made in a copy that ends with the process.
  func open(now: Date) throws -> Connections {
    try DatabaseFile.refuseEmpty(path)
    let connections = try connect()
    let isCurrent = try connections.read { db in
      let version = Int(try db.integer("PRAGMA user_version") ?? 0)
      guard version == Schema.version else { return false }
      return try !StoreClock(db, Columns()).isDue(at: now.milliseconds)
    }
    if isCurrent { return connections }
    let copy = try Connections(copying: connections)
    try DatabaseFile.bringUpToDate(copy, path: path, installed: now)
    return copy
  }

  /// Connects to the file, or to a copy of it. Without write access, SQLite can read a database in write-ahead mode
  /// only if its log and the log's index exist. With an empty log, the file is opened as immutable instead; otherwise
  /// it is copied with its log.
  private func connect() throws -> Connections {
    do {
      return try judged(Connections(reading: path))
    } catch let error as DatabaseError where Self.missingIndex.contains(error.resultCode) {
      if isLogEmpty {
        return try judged(
          Connections(reading: URL(fileURLWithPath: path).absoluteString + "?immutable=1"))
      }
      return try copyWithLog()
    }
  }

  /// SQLite's errors if it cannot create the index of the log: the disk is full, or writing is not allowed.
  private static let missingIndex: [ResultCode] = [
    .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_IOERR, .SQLITE_FULL,
  ]

  /// Checks that the database is reddot's.
  private func judged(_ connections: Connections) throws -> Connections {
    try connections.read { db in try DatabaseFile.claim(db, path: path) }
    return connections
  }

  private var isLogEmpty: Bool {
    var information = stat()
    return stat(path + "-wal", &information) != 0 || information.st_size == 0
  }

  private func copyWithLog() throws -> Connections {
    let manager = FileManager.default
    let folder = try TemporaryFolder("reddot-copy").path
    defer {
      do {
        try manager.removeItem(atPath: folder)
      } catch {
        // The copy is in the system's folder for temporary files, which the system clears.
      }
    }
    let file = folder + "/copy"
    for suffix in ["", "-wal"] { try manager.copyItem(atPath: path + suffix, toPath: file + suffix) }
    return try Connections(copying: judged(Connections(reading: file)))
  }
}
