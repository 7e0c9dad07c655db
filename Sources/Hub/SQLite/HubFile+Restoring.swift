import Basics
package import Foundation
import GRDB

extension HubFile {
  /// A store that a backup has replaced.
  package struct Restored: Hashable, Sendable {
    /// The backup's items, its last id, and the time of its last change; `nil` if it has no change.
    package var items: Int
    package var lastID: Int64
    package var lastChange: Date?
    /// The last id of the store that was replaced; `nil` if there was none, or it could not be read.
    package var replacedLastID: Int64?
    /// Where the replaced store is kept; `nil` if there was none.
    package var kept: String?
    /// New ids are greater.
    package var next: Int64
  }

  /// Replaces the store by a backup, which is copied, checked and brought up to date first. The -wal of the replaced store is
  /// moved away with it: SQLite would replay it into the backup, and damage the backup.
  ///
  /// - Throws: `isServed` while a hub serves the store, `notAHub` for another file, and for a damaged one.
  package static func restore(_ backup: String, to path: String, now: Date) throws(HubStoreFailure)
    -> Restored
  {
    let lock = try lock(path)
    defer { close(lock) }
    guard access(backup, F_OK) == 0 else {
      throw HubStoreFailure(.refused, "\(backup) can't be read: \(String(cString: strerror(errno)))")
    }
    if let known = FileFacts(path), known.isSameFile(as: FileFacts(backup)) {
      throw HubStoreFailure(.refused, "\(backup) is the store itself")
    }
    if let log = FileFacts(backup + "-wal"), log.size > 0 {
      throw HubStoreFailure(
        .refused,
        "\(backup) isn't a whole backup: a part of it is in \(backup)-wal. reddot-hub backup, with this file as the store, makes one"
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
      throw HubStoreFailure(failure.kind, failure.description.replacing(exactly: copy, with: backup))
    }
  }

  /// The last id of a store; `nil` if it can't be read.
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
      throw HubStoreFailure(.away, "\(copy) can't be made: \(String(cString: strerror(errno)))")
    }
    let target = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    let source = try FileHandle(forReadingFrom: URL(filePath: backup))
    while let piece = try source.read(upToCount: 1 << 20), !piece.isEmpty {
      try target.write(contentsOf: piece)
    }
    try target.close()
    try source.close()
  }

  /// The hub may run as another user than the one who restores its store.
  private static func giveToOwner(of path: String, _ files: [String]) {
    let folder = URL(filePath: path).deletingLastPathComponent().path
    guard geteuid() == 0, let owner = FileFacts(path) ?? FileFacts(folder) else { return }
    for file in files { chown(file, owner.user, owner.group) }
  }

  /// Checks a copy, brings it up to date and moves its order on.
  private static func prepare(_ copy: String, past last: Int64, now: Date) throws -> Restored {
    let file = try HubFile(path: copy, migrates: true)
    let restored = try file.writing { db in
      let found = try String.fetchOne(db, sql: "PRAGMA integrity_check(1)")
      guard found == "ok" else {
        throw HubStoreFailure(.notAHub, "\(copy) is damaged: \(found ?? "no answer")")
      }
      let change =
        try Int64.fetchOne(
          db,
          sql:
            "SELECT max(coalesce((SELECT max(changed) FROM item), 0), coalesce((SELECT max(at) FROM audit), 0))"
        ) ?? 0
      var restored = Restored(
        items: try Int.fetchOne(db, sql: "SELECT count(*) FROM item") ?? 0,
        lastID: try Int64.fetchOne(db, sql: "SELECT last FROM place") ?? 0,
        lastChange: change > 0 ? Date(stored: change) : nil, next: 0)
      try moveOn(past: last, db)
      try HubTransaction(db: db).audit(HubAuditRow(at: now.stored, key: nil, act: "backup restored"))
      restored.next = try Int64.fetchOne(db, sql: "SELECT last FROM place") ?? 0
      return restored
    }
    // Everything is in the file itself then, and on the disk.
    try file.pool.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
    try file.pool.close()
    return restored
  }

  /// - Returns: where the replaced store is kept.
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
      throw HubStoreFailure(.away, "\(target) can't be written: \(String(cString: strerror(errno)))")
    }
  }

  private static func remove(_ path: String) throws {
    for suffix in ["", "-wal", "-shm", "-journal"] where unlink(path + suffix) != 0 && errno != ENOENT {
      throw HubStoreFailure(.away, "\(path + suffix) can't be removed: \(String(cString: strerror(errno)))")
    }
  }
}
