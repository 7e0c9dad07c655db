import Foundation
import GRDB

extension StoredPages {
  /// Returns the size of the file, and the disk space that compaction needs, in bytes. The space is for the new file,
  /// and for the old pages in a journal, which restores the old file after a kill.
  package func room() -> (file: Int, needed: Int) {
    let file = Self.size(path)
    return (file, 2 * file)
  }

  /// Writes all pages again without the free ones. Meanwhile no other process can open the database. From
  /// then on, pages that become free can be returned to the disk.
  ///
  /// - Parameter patience: the seconds to wait until the file is unused.
  /// - Returns: the new size of the file in bytes.
  package func compact(patience: Double = 5) throws(StoreFailure) -> Int {
    do {
      let file = DatabaseFile(path: path)
      try file.makeLockDirectories()
      guard let lock = try UseLock(alone: file.useLock, within: patience) else {
        throw StoreFailure.inUse(path: path)
      }
      defer { lock.release() }
      let queue = try DatabaseQueue(path: path)
      try queue.writeWithoutTransaction { db in
        try DatabaseFile.claim(db, path: path)
        // In log mode the kind of the pages would not change.
        try db.execute(
          sql: """
            PRAGMA journal_mode = DELETE;
            PRAGMA auto_vacuum = INCREMENTAL;
            VACUUM;
            PRAGMA journal_mode = WAL;
            """)
      }
      try queue.close()
      return Self.size(path)
    } catch {
      throw StoreFailure(error, path: path)
    }
  }
}
