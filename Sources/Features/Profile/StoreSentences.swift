import Platform
package import Storage

extension StoreFailure: UserFacingError {
  /// The failure, the file, and what to do; one line.
  package var sentence: String {
    switch self {
    case .newerVersion(let path, let found, let known):
      "\(path) was written by a newer reddot (its schema is \(found), this one knows \(known)); update reddot, or give another file with --database"
    case .olderVersion(let path, let found):
      "\(path) was written by a very early reddot (its schema is \(found)); open it once with a reddot of 25 November 2026, whose schema is 22 or 23, then with this one. Nothing was changed"
    case .corrupt(let path, let reason):
      "\(path) is damaged: \(reason); nothing was changed. Restore a backup, or save what can be read with reddot check --salvage FILE"
    case .foreign(let path):
      "\(path) is the database of another program; give another file with --database"
    case .badBackup(let path, let reason):
      "\(path) isn't a backup that can be restored: \(reason). Nothing was changed"
    case .readOnly(let path, let reason):
      "\(path) cannot be written: \(reason); check the permissions of the file and its directory"
    case .diskFull(let path):
      "the disk that holds \(path) is full; nothing was lost, free some room and try again"
    case .opening(let path, let process):
      "\(path) is being opened by another reddot\(process.map { " (process \($0))" } ?? ""), for ten seconds already; wait until that is done, or end it"
    case .repairing(let path):
      "\(path) can't be used now: reddot check is repairing this database; "  // prose:ok
        + "try again when it is done"
    case .inUse(let path):
      "\(path) is used by another reddot, and damaged pages can't be repaired while it runs; close the inbox and end other commands, then try again. Nothing was changed"
    case .locked(let path):
      "\(path) is held by another program; close that program and try again"
    case .cannotOpen(let path, let reason):
      "\(path) cannot be opened: \(reason); check the path, or give another file with --database"
    case .inputOutput(let path, let reason): "\(path) cannot be read or written: \(reason); check the disk"
    case .notLocal(let name):
      "\"\(name)\" is polled, so nothing can be pushed into it; give the name of a local source, or none"
    case .nameTaken(let name):
      "another source is called \"\(name)\" already; choose another name, or rename that one first"
    case .unknownSource: "the source was removed meanwhile; open the inbox again"
    case .poll: "the poll was ended before all of it was stored; nothing of it was kept"
    case .unexpected(let path, let reason): "\(path): the database answered: \(reason)"
    }
  }
}
