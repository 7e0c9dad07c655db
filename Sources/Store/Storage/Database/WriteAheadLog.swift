import GRDB
import GRDBSQLite
import Platform
import Synchronization

/// Checkpoints SQLite's write-ahead log, on its own thread and connection.
///
/// SQLite would do it within the transaction that makes the log long, and wait for the disk there: a key that
/// marks a message read must not wait for that.
final class WriteAheadLog: Sendable {
  private let path: String
  private let frames = Atomic(0)
  /// As long as the log was when a checkpoint had carried all of it over.
  private let carried = Atomic(0)
  private let isAtWork = Atomic(false)

  private enum Connection {
    case notOpened
    case open(DatabaseQueue)
    case closed
  }

  /// Locked during a checkpoint.
  private let connection = Mutex(Connection.notOpened)

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
    do throws(ThreadFailure) {
      try SystemThread.start("reddot log") { [self] in carryOver() }
    } catch {
      // As SQLite itself would do it.
      carryOver()
    }
  }

  private func carryOver() {
    let done = try? connection.withLock { connection -> Int? in
      let queue: DatabaseQueue
      switch connection {
      case .closed: return nil
      case .open(let opened): queue = opened
      case .notOpened:
        queue = try DatabaseQueue(path: path)
        connection = .open(queue)
      }
      return try queue.writeWithoutTransaction { db in try db.checkpoint(.passive).checkpointedFrameCount }
    }
    if let done { carried.store(done, ordering: .relaxed) }
    isAtWork.store(false, ordering: .releasing)
  }

  /// Waits for the current work.
  func close() throws {
    try connection.withLock { connection in
      defer { connection = .closed }
      guard case .open(let queue) = connection else { return }
      try queue.close()
      KeptConnections.keep(queue)
    }
  }

  deinit {
    connection.withLock { connection in
      if case .open(let queue) = connection { KeptConnections.keep(queue) }
    }
  }
}
