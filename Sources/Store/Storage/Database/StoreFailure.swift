import Foundation
import GRDB
package import Messages

/// The reason why the store could not execute a request. Each has its own sentence in the front ends.
///
/// Nothing is overwritten if opening fails: the file stays unchanged.
package enum StoreFailure: Error, Hashable, Sendable {
  /// A newer reddot wrote the file: its schema has number `found`, ours goes up to `known`.
  case newerVersion(path: String, found: Int, known: Int)
  /// A reddot from before 0.2.0 wrote the file: its schema has number `found`.
  case olderVersion(path: String, found: Int)
  /// The file is damaged, or is not an SQLite file.
  case corrupt(path: String, reason: String)
  /// The file is an SQLite database of another program.
  case foreign(path: String)
  /// The file is not a backup that can be restored.
  case badBackup(path: String, reason: String)
  /// The file or its directory cannot be written: no permission, or a read-only file system.
  case readOnly(path: String, reason: String)
  case diskFull(path: String)
  /// Another process was still opening the database after ten seconds; `process` is its id, if known.
  case opening(path: String, process: Int32?)
  /// `reddot check` is replacing the file by a repaired copy.
  case repairing(path: String)
  /// Another process, with this id if it is known, uses the file, whose tables this version would rename.
  case usedByEarlier(path: String, process: Int32?)
  /// The disk lacks this many mebibytes for the tables of this version.
  case noRoomToUpdate(path: String, mebibytes: Int)
  /// Other processes use the file, whose pages can't be repaired or compacted meanwhile.
  case inUse(path: String)
  /// Another process held the database for too long.
  case locked(path: String)
  case cannotOpen(path: String, reason: String)
  case inputOutput(path: String, reason: String)
  /// The source is not local. Scripts push only into local sources, so that messages of servers and of scripts stay
  /// separate.
  case notLocal(name: String)
  /// Another source has the requested name.
  case nameTaken(name: String)
  /// The source was forgotten, or never registered.
  case unknownSource(SourceID)
  /// Nothing of the poll was stored, since its stream of messages was ended early.
  case poll(MessageStreamFailure)
  /// Any other error of SQLite.
  case unexpected(path: String, reason: String)
}

extension StoreFailure {
  /// Whether nothing can be stored at all, and not only this request failed.
  package var isOfDatabase: Bool {
    switch self {
    case .notLocal, .nameTaken, .unknownSource, .poll, .unexpected: false
    case _: true
    }
  }

  /// Creates the case for an error of the database.
  init(_ error: any Error, path: String) {
    if let failure = error as? StoreFailure {
      self = failure
      return
    }
    if error is Connections.Closed {
      self = .cannotOpen(path: path, reason: "it was already closed")
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
