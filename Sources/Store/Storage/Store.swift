import Basics
package import Foundation
import GRDB
import Messages
import Platform
import Synchronization

/// All stored data of reddot: one SQLite file, shared with other processes.
///
/// Every write is one transaction; observers are notified after it is stored. Reads see one instant of the store and
/// never wait for writers. All calls block the thread. A snapshot takes less than a millisecond with a million
/// messages. A large poll or act takes up to a second and should use `inBackground`.
package struct Store: Sendable {
  /// The path of the file, or `nil` in memory.
  package let path: String?
  let connections: Connections
  /// The lock on the use of the file, or `nil` in memory and if nothing can be written.
  private let use: UseLock?
  let hub = ChangeHub()
  let locks: StoreLocks
  let columns = Columns()
  let arrivals = ArrivalJudges()
  let searches = Searches()
  let ruleChanges = RuleChanges()
  private let faults = Faults()
  private let turns = Turns()
  private let background = WorkQueue("reddot store")

  /// Opens the database at `path`, or creates it: the file with mode 0600, missing directories with 0700.
  ///
  /// - Parameters:
  ///   - now: the installation time if the database is new.
  ///   - pageLimit: the maximum number of pages of 4096 bytes, to test a full disk.
  ///   - reporting: called before the update of a database of 0.2.0 waits or begins.
  package init(
    path: String, now: Date, pageLimit: Int? = nil, reporting: (StoreUpdate) -> Void = { _ in }
  ) throws(StoreFailure) {
    do {
      let file = DatabaseFile(path: path)
      (connections, use) = try file.open(
        installed: now, pageLimit: pageLimit, reporting: reporting)
      locks = StoreLocks(directory: file.lockDirectory)
      self.path = path
      try rememberDataVersion()
    } catch {
      throw StoreFailure(error, path: path)
    }
  }

  /// Opens the database at `path` for a command that only reads. If nothing may be written, it can still be read, and
  /// every write fails. Returns `nil` if there is no file yet.
  package init?(
    toRead path: String, now: Date, reporting: (StoreUpdate) -> Void = { _ in }
  ) throws(StoreFailure) {
    guard access(path, F_OK) == 0 else {
      if errno == ENOENT { return nil }
      throw .cannotOpen(path: path, reason: String(cString: strerror(errno)))
    }
    if access(path, W_OK) == 0 {
      do throws(StoreFailure) {
        try self.init(path: path, now: now, reporting: reporting)
        return
      } catch {
        switch error {
        case .readOnly, .diskFull: break
        case .newerVersion, .olderVersion, .corrupt, .foreign, .badBackup, .opening, .repairing, .inUse,
          .usedByEarlier, .noRoomToUpdate,
          .locked, .cannotOpen,
          .inputOutput,
          .nameTaken,
          .notLocal,
          .unknownSource, .poll, .unexpected:
          throw error
        }
      }
    }
    try self.init(readOnly: path, now: now)
  }

  /// Opens a database that may not be written, as `init(toRead:now:)` does.
  init(readOnly path: String, now: Date) throws(StoreFailure) {
    do {
      connections = try ReadOnlyFile(path: path).open(now: now)
      use = nil
      locks = StoreLocks(directory: nil)
      self.path = path
    } catch {
      throw StoreFailure(error, path: path)
    }
  }

  /// Returns a store that ends with the process, for the demo and tests.
  package static func inMemory(now: Date) throws(StoreFailure) -> Store { try Store(inMemory: now) }

  private init(inMemory now: Date) throws(StoreFailure) {
    do {
      connections = try Connections(inMemory: ())
      use = nil
      locks = StoreLocks(directory: nil)
      path = nil
      try DatabaseFile.bringUpToDate(connections, path: ":memory:", installed: now)
      try rememberDataVersion()
    } catch {
      throw StoreFailure(error, path: ":memory:")
    }
  }

  /// Runs code while no write of this process is under way. A process that is suspended during a write would
  /// prevent all others from writing until it continues.
  package func betweenWrites(_ body: () -> Void) { connections.betweenWrites(body) }

  /// Runs work on the store's own thread, one piece after the other.
  package func inBackground<Value: Sendable>(
    _ work: @escaping @Sendable (Store) throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    let result: Result<Value, StoreFailure> = await withCheckedContinuation { continuation in
      later { store in
        do throws(StoreFailure) {
          continuation.resume(returning: .success(try work(store)))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }

  /// Runs work like `inBackground`, but does not return its result.
  package func later(_ work: @escaping @Sendable (Store) -> Void) {
    background.add { work(self) }
  }

  /// Closes the file after copying the log into it, so that a later start has nothing to recover. All later calls fail.
  package func close() throws(StoreFailure) {
    do {
      try connections.close()
      use?.release()
    } catch {
      throw StoreFailure(error, path: path ?? ":memory:")
    }
  }

  /// Sets the function that receives a sentence about each automatic repair of the store from now on, for a
  /// log.
  package func reportFaults(to report: @escaping @Sendable (String) -> Void) {
    faults.report.withLock { $0 = report }
  }

  // MARK: - Transactions

  func read<Value>(_ body: (Database) throws -> Value) throws(StoreFailure) -> Value {
    do {
      return try connections.read(body)
    } catch {
      throw StoreFailure(error, path: path ?? ":memory:")
    }
  }

  /// The failures that a write survives. A kill of the process never loses a write.
  enum Durability {
    /// A crash of the system may lose the last writes: the next poll returns the same messages.
    case process
    /// The write is on the disk, since an act of the user or a message of a script arrives only once.
    case system

    var pragma: String {
      switch self {
      case .process: "NORMAL"
      case .system: "FULL"
      }
    }
  }

  /// Runs one immediate transaction; observers are notified if it changed a row.
  func write<Value>(
    _ durability: Durability = .process, _ body: (Database) throws -> Value
  ) throws(StoreFailure) -> Value {
    do {
      var wrong: [SourceID] = []
      let (value, didChange) = try connections.write { db in
        try connections.setSynchronous(durability.pragma, db)
        let before = db.totalChangesCount
        let value = try db.inTransaction("BEGIN IMMEDIATE") { db in
          let value = try body(db)
          try Duplicates(db).findFirsts()
          wrong = try Tallies(db).deriveWhereWrong()
          try SavedLists(db).judgePending(searching())
          return value
        }
        return (value, db.totalChangesCount != before)
      }
      if didChange {
        searches.slices.storeChanged()
        hub.send(.here)
        announce()
      }
      for source in wrong {
        let report = faults.report.withLock(\.self)
        report?(
          "the counts of source \(source.rawValue) were wrong and are derived again; reddot check looks at the rest"
        )
      }
      return value
    } catch {
      throw StoreFailure(error, path: path ?? ":memory:")
    }
  }

  /// Causes a file event after the transaction. The event that the transaction's last write causes comes too
  /// early: other processes cannot read the transaction yet. A process that reads then finds nothing, and
  /// there may be no other event while this process keeps the file open.
  private func announce() {
    guard let path else { return }
    // SQLite has its locks on other files: closing this one ends none of them.
    let log = Foundation.open(path + "-wal", O_WRONLY | O_CLOEXEC)
    if log >= 0 { _ = Foundation.close(log) }
  }

  /// Runs one of the many transactions of a long work, after a pause in which other processes can write.
  func maintain<Value>(
    _ durability: Durability = .process, _ body: (Database) throws -> Value
  ) throws(StoreFailure) -> Value {
    // No other process can write to a store that isn't a file.
    if path != nil { turns.pause() }
    let start = ContinuousClock.now
    defer { turns.end(from: start) }
    return try write(durability, body)
  }

  /// Waits between two parts of an import, so that other processes can write.
  ///
  /// - Parameter start: the start of the last part.
  package func giveTurn(since start: ContinuousClock.Instant) {
    guard path != nil else { return }
    turns.end(from: start)
    turns.pause()
  }

  /// Runs statements that are not allowed in a transaction.
  func outsideTransactions<Value>(_ body: (Database) throws -> Value) throws(StoreFailure) -> Value {
    do {
      return try connections.write(body)
    } catch {
      throw StoreFailure(error, path: path ?? ":memory:")
    }
  }

  // MARK: - Observing

  /// Returns a stream that sends `current` immediately, then a change after every transaction of this process
  /// and, through `checkForExternalChanges`, of others. Changes that the observer hasn't read yet become one.
  package func changes() -> AsyncStream<StoreChange> { hub.changes() }

  /// Checks whether another process has written, and if so notifies the observers. Call it when the file system reports
  /// that the database or its log has changed; it takes a few microseconds. A cancelled task finds nothing.
  @discardableResult
  package func checkForExternalChanges() async throws(StoreFailure) -> Bool {
    do {
      let isNew = try await connections.write(inTurn: { [hub] db in
        hub.isNew(dataVersion: try Self.dataVersion(db))
      })
      if isNew {
        searches.slices.storeChanged()
        hub.send(.elsewhere)
      }
      return isNew
    } catch is CancellationError {
      return false
    } catch {
      throw StoreFailure(error, path: path ?? ":memory:")
    }
  }

  /// Returns SQLite's data version of the writing connection, which commits of this process do not change.
  private static func dataVersion(_ db: Database) throws -> Int64 {
    try db.integer("PRAGMA data_version") ?? 0
  }

  private func rememberDataVersion() throws {
    let version = try connections.write { try Self.dataVersion($0) }
    _ = hub.isNew(dataVersion: version)
  }
}

/// The JSON columns, each with a cache of its decoded values.
final class Columns: Sendable {
  let failure = JSONColumn<FetchFailure>(isQuoting: true)
  let strings = JSONColumn<[String]>()
  let typeNames = JSONColumn<[Int: String]>()
  let options = JSONColumn<SourceOptions>()
  let flags = JSONColumn<[String: Bool]>(capacity: 0)
  let extras = JSONColumn<MessageExtras>(capacity: 0)
  let quota = JSONColumn<RequestQuota>()
  let result = JSONColumn<PollAttempt.Result>(capacity: 0, isQuoting: true)
  let problems = JSONColumn<[FormatProblem]>(capacity: 0, isQuoting: true)
  let identity = JSONColumn<IdentityReport>(capacity: 0, isQuoting: true)
}

/// The receiver of reports about automatic repairs of the store.
private final class Faults: Sendable {
  let report = Mutex<(@Sendable (String) -> Void)?>(nil)
}
