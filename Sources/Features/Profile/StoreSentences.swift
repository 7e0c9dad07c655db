import Platform
package import Storage

extension StoreFailure: UserFacingError {
  /// One line for the user: the failure, the file of the database, and the remedy.
  package var sentence: String {
    switch self {
    case .newerVersion(let path, let found, let known):
      "\(path) was written by a newer reddot (its schema is \(found), this one knows \(known)); update reddot, or give another file with --database"
    case .olderVersion(let path, let found):
      "\(path) was written by a reddot before 0.2.0 (its schema is \(found)); open it once with reddot 0.2.0, then with this one; nothing was changed"
    case .corrupt(let path, let reason):
      "\(path) is damaged: \(reason); nothing was changed; restore a backup, or run reddot check --salvage FILE to save the readable part"
    case .foreign(let path):
      "\(path) is the database of another program; give another file with --database"
    case .badBackup(let path, let reason):
      "\(path) is not a backup that can be restored: \(reason); nothing was changed"
    case .readOnly(let path, let reason):
      "\(path) cannot be written: \(reason); check the permissions of the file and its directory"
    case .diskFull(let path):
      "the disk that holds \(path) is full; free some space and try again; nothing was lost"
    case .opening(let path, let process):
      "\(path) has been opened by another reddot\(process.map { " (process \($0))" } ?? "") for ten seconds; wait until that is done, or end it"
    case .repairing(let path):
      "\(path) cannot be used now, since reddot check is repairing this database; try again when it is done"
    case .usedByEarlier(let path, let process):
      "\(path) was written by an earlier reddot, which still uses it\(process.map { " (process \($0))" } ?? ""); close that inbox and end its commands, then try again, since this reddot renames its tables; nothing was changed"
    case .noRoomToUpdate(let path, let mebibytes):
      "the disk that holds \(path) lacks \(mebibytes) MiB to bring it up to date; free some space and try again; nothing was changed"
    case .inUse(let path):
      "\(path) is used by another reddot, and its pages cannot be written again while it runs; close the inbox and end other commands, then try again; nothing was changed"
    case .locked(let path):
      "\(path) is locked by another program; close that program and try again"
    case .cannotOpen(let path, let reason):
      "\(path) cannot be opened: \(reason); check the path, or give another file with --database"
    case .inputOutput(let path, let reason): "\(path) cannot be read or written: \(reason); check the disk"
    case .notLocal(let name):
      "\"\(name)\" is polled, so nothing can be pushed into it; give the name of a local source, or none"
    case .nameTaken(let name):
      "a source named \"\(name)\" already exists; choose another name, or rename that source first"
    case .unknownSource: "the source was removed meanwhile; open the inbox again"
    case .poll: "the poll was stopped before everything was stored; nothing was changed"
    case .unexpected(let path, let reason): "\(path): the database reported: \(reason)"
    }
  }
}

extension StoreUpdate {
  /// One line for the user while the update waits or runs.
  package var sentence: String {
    switch self {
    case .waiting(let path, let process):
      "waiting for an earlier reddot\(process.map { " (process \($0))" } ?? ""), which uses \(path)"
    case .updating(let path): "updating \(path) for this version; 300,000 messages take about a second"
    }
  }
}
