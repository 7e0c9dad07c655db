package import Foundation
import GRDB
import Messages

/// What was taken out of the settings by an act of the user.
package struct Removed: Codable, Hashable, Sendable {
  /// What people call it.
  package var name: String
  /// What puts it back, as whoever took it out writes it.
  package var content: String

  package init(name: String, content: String) {
    self.name = name
    self.content = content
  }
}

/// A step of the journal that isn't undone yet: something was taken out of the settings.
package struct JournaledRemoval: Hashable, Sendable {
  /// Names the step.
  package var row: Int64
  package var removed: Removed
}

extension StoreActs {
  /// Makes a removal the last act. To be called before the settings change: a process that is killed in between has
  /// removed nothing, and an undo finds that out; the other way round nobody could put back what is gone.
  ///
  /// - Returns: the step, for `discardRemoval`.
  package func journal(_ removed: Removed, at now: Date) throws(StoreFailure) -> Int64 {
    try keepPrivate()
    return try write(.system) { db in try Journal(db).append(removed, at: now.milliseconds) }
  }

  /// What was to be removed was not.
  package func discardRemoval(_ row: Int64) throws(StoreFailure) {
    try write(.system) { db in try Journal(db).discard(row) }
  }

  /// What was removed is back, or cannot come back: the act before it is the last one from now on.
  package func finishUndo(of removal: JournaledRemoval, at now: Date) throws(StoreFailure) {
    try write(.system) { db in try Journal(db).markUndone(removal.row, at: now.milliseconds) }
  }

  /// The settings, which only their owner reads if they have a token, are in the file from now on.
  private func keepPrivate() throws(StoreFailure) {
    guard let path else { return }
    for file in [path, path + "-wal", path + "-shm"] {
      var status = stat()
      guard stat(file, &status) == 0, status.st_mode & 0o077 != 0 else { continue }
      guard chmod(file, 0o600) == 0 else { throw DatabaseFile.failureToOpen(file, errno: errno) }
    }
  }
}
