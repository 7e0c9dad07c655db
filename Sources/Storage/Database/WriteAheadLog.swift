import Dispatch
import GRDB
import GRDBSQLite
import Synchronization

/// Checkpoints SQLite's write-ahead log, on a thread and a connection of its own.
///
/// SQLite would do it within the transaction that makes the log long, and wait for the disk there: a key that
/// marks a message read must not wait for that.
final class WriteAheadLog: Sendable {
  private let path: String
  private let frames = Atomic(0)
  /// As long as the log was when a checkpoint had carried all of it over.
  private let carried = Atomic(0)
  private let isAtWork = Atomic(false)
  private let thread = DispatchQueue(label: "reddot.log", qos: .utility)
  private let connection = Mutex<DatabaseQueue?>(nil)

  /// In frames of a page each. After a kill the log is read at the next start, so it is kept short.
  private static let long = 500
  /// Writes that come one after the other leave SQLite no moment to begin the log anew: from this length on, there is a
  /// checkpoint after each of them until it does.
  private static let tooLong = 8 * long

  init(path: String) { self.path = path }

  /// Follows the length of the log after each commit of this connection, which must end before this object.
  func watch(_ db: Database) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_wal_hook(
      db.sqliteConnection,
      { context, _, _, frames in
        guard let context else { return SQLITE_OK }
        let log = Unmanaged<WriteAheadLog>.fromOpaque(context).takeUnretainedValue()
        log.frames.store(Int(frames), ordering: .relaxed)
        // It began anew.
        if frames < log.carried.load(ordering: .relaxed) { log.carried.store(0, ordering: .relaxed) }
        return SQLITE_OK
      }, context)
  }

  /// A checkpoint that fails, because of a reader or the disk, is tried again after the
  /// next transaction.
  func carryOverIfLong() {
    let frames = frames.load(ordering: .relaxed)
    let least = frames >= Self.tooLong ? 1 : Self.long
    guard frames - carried.load(ordering: .relaxed) >= least,
      !isAtWork.exchange(true, ordering: .acquiring)
    else { return }
    thread.async { [self] in
      let result = Result { try open().writeWithoutTransaction { db in try db.checkpoint(.passive) } }
      if case .success(let (_, done)) = result { carried.store(done, ordering: .relaxed) }
      isAtWork.store(false, ordering: .releasing)
    }
  }

  /// Waits for the current work.
  func close() throws {
    try thread.sync {
      try connection.withLock { connection in
        try connection?.close()
        connection = nil
      }
    }
  }

  private func open() throws -> DatabaseQueue {
    try connection.withLock { connection in
      if let connection { return connection }
      let queue = try DatabaseQueue(path: path)
      connection = queue
      return queue
    }
  }
}
