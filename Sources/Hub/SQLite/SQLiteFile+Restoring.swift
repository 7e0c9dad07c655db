import Basics
package import Foundation
import GRDB

extension SQLiteFile {
  /// The result of replacing a store by a backup.
  package struct Restored: Hashable, Sendable {
    /// The number of items in the backup.
    package var items: Int
    /// The last id of the backup.
    package var lastID: Int64
    /// The time of the last change in the backup, or `nil` if it contains none.
    package var lastChange: Date?
    /// The last id of the replaced store, or `nil` if there was none, or it could not be read.
    package var replacedLastID: Int64?
    /// The path at which the replaced store is kept, or `nil` if there was none.
    package var kept: String?
    /// The id after which new ids begin.
    package var next: Int64
  }

  /// Replaces the store by a backup, which is first copied, checked and updated. The -wal of the replaced store is
  /// moved away with it: SQLite would replay it into the backup, and damage the backup.
  ///
  /// - Throws: `isServed` while a hub serves the store, `notAHub` for another file, and for a damaged one.
  package static func restore(_ backup: String, to path: String, now: Date) throws(HubStoreFailure)
    -> Restored
  {
    let lock = try lock(path)
    defer { close(lock) }
    guard access(backup, F_OK) == 0 else {
      throw HubStoreFailure(.refused, "\(backup) cannot be read: \(String(cString: strerror(errno)))")
    }
    if let known = FileFacts(path), known.isSameFile(as: FileFacts(backup)) {
      throw HubStoreFailure(.refused, "\(backup) is the store itself")
    }
    if let log = FileFacts(backup + "-wal"), log.size > 0 {
      throw HubStoreFailure(
        .refused,
        "\(backup) is not a whole backup: a part of it is in \(backup)-wal; run reddot-hub backup with this file as the store to make a whole one"
      )
    }
    let replacedLastID = lastID(of: path)
    let copy = path + ".restoring"
    do {
      try remove(copy)
      try copyBytes(of: backup, to: copy)
      giveToOwner(of: path, [copy, path + ".serve"])
      var restored = try prepare(copy, past: replacedLastID ?? 0, now: now)
      restored.replacedLastID = replacedLastID
      restored.kept = try replace(path, by: copy)
      return restored
    } catch {
      try? remove(copy)
      let failure = failure(error, backup)
      throw HubStoreFailure(failure.kind, failure.description.replacingBytes(copy, with: backup))
    }
  }

  /// Returns the last id of a store, or `nil` if it can't be read.
  private static func lastID(of path: String) -> Int64? {
    guard FileManager.default.fileExists(atPath: path), let queue = try? DatabaseQueue(path: path) else {
      return nil
    }
    defer { try? queue.close() }
    return try? queue.read { db in try Int64.fetchOne(db, sql: "SELECT last FROM place") }
  }

  private static func copyBytes(of backup: String, to copy: String) throws {
    let descriptor = open(copy, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw HubStoreFailure(.away, "\(copy) cannot be created: \(String(cString: strerror(errno)))")
    }
    let target = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    let source = try FileHandle(forReadingFrom: URL(filePath: backup))
    while let piece = try source.read(upToCount: 1 << 20), !piece.isEmpty {
      try target.write(contentsOf: piece)
    }
    try target.close()
    try source.close()
  }

  /// Gives files to the store's owner, since the hub may run as another user than the one who restores.
  private static func giveToOwner(of path: String, _ files: [String]) {
    let folder = URL(filePath: path).deletingLastPathComponent().path
    guard geteuid() == 0, let owner = FileFacts(path) ?? FileFacts(folder) else { return }
    for file in files { chown(file, owner.user, owner.group) }
  }

  /// Checks the copy of a backup, updates its schema, and skips the ids that may have been assigned since the
  /// backup.
  private static func prepare(_ copy: String, past last: Int64, now: Date) throws -> Restored {
    let file = try SQLiteFile(path: copy, migrates: true)
    let restored = try file.writing { session in
      let found = try session.rows("PRAGMA integrity_check(1)").first?.text(0)
      guard found == "ok" else {
        throw HubStoreFailure(.notAHub, "\(copy) is damaged: \(found ?? "no answer")")
      }
      let known = try session.rows(
        """
        SELECT (SELECT count(*) FROM item), last,
          max(coalesce((SELECT max(changed) FROM item), 0), coalesce((SELECT max(at) FROM audit), 0)) FROM place
        """
      ).first
      let change = known?.number(2) ?? 0
      var restored = Restored(
        items: known?.integer(0) ?? 0, lastID: known?.number(1) ?? 0,
        lastChange: change > 0 ? Date(stored: change) : nil, next: 0)
      restored.next = try session.moveOn(past: last)
      try session.audit("backup restored", nil, now)
      return restored
    }
    // The file itself then contains everything, and is on the disk.
    try file.pool.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
    try file.pool.close()
    return restored
  }

  /// Moves the store away, and the copy to its path.
  ///
  /// - Returns: the path at which the replaced store is kept.
  private static func replace(_ path: String, by copy: String) throws -> String? {
    let kept = path + ".replaced"
    let isThere = FileManager.default.fileExists(atPath: path)
    if isThere { try remove(kept) }
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
      try move(path + suffix, to: kept + suffix)
    }
    unlink(path + "-shm")
    try move(copy, to: path)
    try? remove(copy)
    return isThere ? kept : nil
  }

  private static func move(_ path: String, to target: String) throws {
    guard rename(path, target) == 0 else {
      throw HubStoreFailure(.away, "\(target) cannot be written: \(String(cString: strerror(errno)))")
    }
  }

  private static func remove(_ path: String) throws {
    for suffix in ["", "-wal", "-shm", "-journal"] where unlink(path + suffix) != 0 && errno != ENOENT {
      throw HubStoreFailure(.away, "\(path + suffix) cannot be removed: \(String(cString: strerror(errno)))")
    }
  }
}
