import Foundation
import GRDB
package import Messages

/// Why the store could not do what was asked; each has its own sentence in the front ends.
///
/// Nothing is overwritten when opening fails: the file stays as it was found.
package enum StoreFailure: Error, Hashable, Sendable {
  /// A newer reddot wrote the file: its schema has number `found`, ours goes up to `known`.
  case newerVersion(path: String, found: Int, known: Int)
  /// A reddot from before the first version wrote the file, too long before: its schema has number `found`.
  case olderVersion(path: String, found: Int)
  /// Damaged, or not an SQLite file.
  case corrupt(path: String, reason: String)
  /// An SQLite database of another program.
  case foreign(path: String)
  /// Not a backup that can be restored.
  case badBackup(path: String, reason: String)
  /// The file or its directory cannot be written: no permission, or a read-only file system.
  case readOnly(path: String, reason: String)
  case diskFull(path: String)
  /// Another process, where it is known which, was still opening the database after ten seconds.
  case opening(path: String, process: Int32?)
  /// `reddot check` is replacing the file by a repaired copy.
  case repairing(path: String)
  /// Other processes use the file, and damaged pages can't be repaired meanwhile.
  case inUse(path: String)
  /// Another process held the database for too long.
  case locked(path: String)
  case cannotOpen(path: String, reason: String)
  case inputOutput(path: String, reason: String)
  /// Scripts push into local sources only: messages of servers and of scripts stay apart.
  case notLocal(name: String)
  /// Another source has the name that one was to get.
  case nameTaken(name: String)
  /// The source was forgotten, or never registered.
  case unknownSource(SourceID)
  /// Nothing of the poll was stored, because its stream of messages ended.
  case poll(MessageStreamFailure)
  /// Any other error of SQLite.
  case unexpected(path: String, reason: String)
}

extension StoreFailure {
  /// Whether nothing can be stored at all, and not only what was asked for.
  package var isOfDatabase: Bool {
    switch self {
    case .notLocal, .nameTaken, .unknownSource, .poll, .unexpected: false
    case _: true
    }
  }

  /// The case for an error of the database.
  init(_ error: any Error, path: String) {
    if let failure = error as? StoreFailure {
      self = failure
      return
    }
    if error is Connections.Closed {
      self = .cannotOpen(path: path, reason: "it was closed already")
      return
    }
    if let failure = error as? MessageStreamFailure {
      self = .poll(failure)
      return
    }
    guard let error = error as? DatabaseError else {
      self = .unexpected(path: path, reason: "\(error)")
      return
    }
    let reason = error.message ?? error.resultCode.description
    switch error.resultCode {
    case .SQLITE_FULL: self = .diskFull(path: path)
    case .SQLITE_READONLY, .SQLITE_PERM: self = DatabaseFile.failureToWrite(path, reason: reason)
    case .SQLITE_CORRUPT: self = .corrupt(path: path, reason: reason)
    case .SQLITE_NOTADB: self = .corrupt(path: path, reason: "this is not an SQLite database")
    case .SQLITE_BUSY, .SQLITE_LOCKED: self = .locked(path: path)
    case .SQLITE_CANTOPEN: self = DatabaseFile.failureToOpen(path, reason: reason)
    case .SQLITE_IOERR:
      self =
        DatabaseFile.hasRoom(path) ? .inputOutput(path: path, reason: reason) : .diskFull(path: path)
    default: self = .unexpected(path: path, reason: reason)
    }
  }
}
