import GRDB
import GRDBSQLite
import Platform
import Synchronization

/// Checkpoints SQLite's write-ahead log, on its own thread and connection.
///
/// SQLite would do it within the transaction that makes the log long, and wait for the disk: a key that marks a message
/// as read must not wait for that.
final class WriteAheadLog: Sendable {
  private let path: String
  /// The length of the log after the last commit, in frames.
  private let frames = Atomic(0)
  /// The length of the log, in frames, when a checkpoint had last copied all of it into the database.
  private let carried = Atomic(0)
  private let isAtWork = Atomic(false)

  private enum Connection {
    case notOpened
    case open(DatabaseQueue)
    case closed
  }

  /// The connection, locked during a checkpoint.
  private let connection = Mutex(Connection.notOpened)

  /// The length from which the log is copied into the database, in frames of a page each. It is short, since the log is
  /// read at the next start after a kill.
  private static let long = 500
  /// The length, in frames, from which there is a checkpoint after each write, until SQLite continues at the
  /// log's beginning. Consecutive writes leave it no moment to do so otherwise.
  private static let tooLong = 8 * long

  init(path: String) { self.path = path }

  /// Records the length of the log after each commit of this connection. The connection must be closed before
  /// this object is deallocated.
  func watch(_ db: Database) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_wal_hook(
      db.sqliteConnection,
      { context, _, _, frames in
        guard let context else { return SQLITE_OK }
        let log = Unmanaged<WriteAheadLog>.fromOpaque(context).takeUnretainedValue()
        log.frames.store(Int(frames), ordering: .relaxed)
        // SQLite has started the log again.
        if frames < log.carried.load(ordering: .relaxed) { log.carried.store(0, ordering: .relaxed) }
        return SQLITE_OK
      }, context)
  }

  /// Starts a checkpoint if the log is long. If it fails, because of a reader or the disk, it is retried after the next
  /// transaction.
  func carryOverIfLong() {
    let frames = frames.load(ordering: .relaxed)
    let least = frames >= Self.tooLong ? 1 : Self.long
    guard frames - carried.load(ordering: .relaxed) >= least,
      !isAtWork.exchange(true, ordering: .acquiring)
    else { return }
    do throws(ThreadFailure) {
      try SystemThread.start("reddot log") { [self] in carryOver() }
    } catch {
      // SQLite itself would also copy it here.
      carryOver()
    }
  }

  /// Runs a checkpoint, which copies the log into the database.
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

  /// Waits for the current checkpoint, and closes the connection.
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
