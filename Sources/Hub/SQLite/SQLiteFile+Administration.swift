import Basics
package import Foundation
import GRDB

extension SQLiteFile: HubAdministering {
  package var name: String { "sqlite:\(path)" }

  package func now() -> Date { Date() }

  package func hub() -> any HubStoring { SQLiteHub(self) }

  package func findings(now: Date) throws(HubStoreFailure) -> [HubFinding] {
    let (isDurable, damage) = (try isDurable(), try damage())
    return [
      HubFinding("schema", true, "\(try version())"),
      HubFinding(
        "fsync", isDurable,
        isDurable ? "acknowledged items are on the disk" : "SQLite does not wait for the disk"),
      HubFinding("pages", damage == nil, damage.map { "\($0); restore a backup" } ?? "none is damaged"),
    ]
  }

  /// Whether a commit reaches the disk before it is acknowledged.
  package func isDurable() throws(HubStoreFailure) -> Bool {
    do {
      return try pool.writeWithoutTransaction { db in
        try Int.fetchOne(db, sql: "PRAGMA synchronous") == 2
          && String.fetchOne(db, sql: "PRAGMA journal_mode") == "wal"
      }
    } catch { throw Self.failure(error, path) }
  }

  /// Returns the first damage that SQLite finds in the file, or `nil` if there is none.
  package func damage() throws(HubStoreFailure) -> String? {
    try reading { session in
      let found = try session.rows("PRAGMA quick_check(1)").first?.text(0) ?? "no answer"
      return found == "ok" ? nil : found
    }
  }

  /// Writes a copy of the state at one instant, while others read and write, and checks it. The copy replaces `target`
  /// once it is complete.
  ///
  /// - Returns: the numbers of its items and bytes.
  package func backUp(to target: String) throws(HubStoreFailure) -> (items: Int, bytes: Int) {
    let unfinished = target + ".unfinished"
    do {
      for suffix in ["", "-journal", "-wal", "-shm"] { unlink(unfinished + suffix) }
      let descriptor = open(unfinished, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else {
        throw HubStoreFailure(.away, "\(unfinished) cannot be created: \(String(cString: strerror(errno)))")
      }
      close(descriptor)
      try pool.writeWithoutTransaction { db in
        try db.execute(sql: "VACUUM INTO ?", arguments: [unfinished])
      }
      let copy = try DatabaseQueue(path: unfinished)
      let (found, items) = try copy.read { db in
        (
          try String.fetchOne(db, sql: "PRAGMA integrity_check(1)"),
          try Int.fetchOne(db, sql: "SELECT count(*) FROM item") ?? 0
        )
      }
      try copy.close()
      guard found == "ok" else { throw HubStoreFailure(.notAHub, "the copy of \(path) is damaged") }
      guard rename(unfinished, target) == 0, let written = FileFacts(target) else {
        throw HubStoreFailure(.away, "\(target) cannot be written: \(String(cString: strerror(errno)))")
      }
      return (items, written.size)
    } catch {
      unlink(unfinished)
      throw Self.failure(error, path)
    }
  }
}
