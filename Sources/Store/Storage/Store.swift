import Basics
package import Foundation
import GRDB
import Messages
import Platform
import Synchronization

/// Everything that reddot keeps: one SQLite file, shared with other processes.
///
/// Every write is one transaction; observers are notified after it is stored. Reads see one instant of the store and
/// never wait for writers. All calls block the thread for as long as they take; a snapshot takes less than a
/// millisecond at a million messages, a large poll or act up to a second: `inBackground` is for those.
package struct Store: Sendable {
  /// The file; nil in memory.
  package let path: String?
  let connections: Connections
  /// Nil in memory, and where nothing can be written.
  private let use: UseLock?
  let hub = ChangeHub()
  let locks: StoreLocks
  let columns = Columns()
  let arrivals = ArrivalJudges()
  let searches = Searches()
  private let faults = Faults()
  private let turns = Turns()
  private let background = WorkQueue("reddot store")

  /// Opens the database at `path`, or makes it: the file with mode 0600, missing directories with 0700.
  ///
  /// - Parameters:
  ///   - now: becomes the installation moment if the database is new.
  ///   - pageLimit: the file may not grow beyond this many pages of 4096 bytes; for tests of a full disk.
  package init(path: String, now: Date, pageLimit: Int? = nil) throws(StoreFailure) {
    do {
      let file = DatabaseFile(path: path)
      (connections, use) = try file.open(installed: now, pageLimit: pageLimit)
      locks = StoreLocks(directory: file.lockDirectory)
      self.path = path
      try rememberDataVersion()
    } catch {
      throw StoreFailure(error, path: path)
    }
  }

  /// Opens the database at `path` for a command that only looks: where nothing may be written, it is read all the
  /// same, and every write fails. Nil where there is no file yet.
  package init?(toRead path: String, now: Date) throws(StoreFailure) {
    guard access(path, F_OK) == 0 else {
      if errno == ENOENT { return nil }
      throw .cannotOpen(path: path, reason: String(cString: strerror(errno)))
    }
    if access(path, W_OK) == 0 {
      do throws(StoreFailure) {
        try self.init(path: path, now: now)
        return
      } catch {
        switch error {
        case .readOnly, .diskFull: break
        case .newerVersion, .olderVersion, .corrupt, .foreign, .badBackup, .opening, .repairing, .inUse,
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

  /// As `init(toRead:now:)` where nothing may be written.
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

  /// A store that ends with the process, for the demo and tests.
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

  /// Runs something while no write of this process is under way: a process that stops in the middle of one would keep
  /// all others from writing until it goes on.
  package func betweenWrites(_ body: () -> Void) { connections.betweenWrites(body) }

  /// Runs work on a thread of the store's own, one piece after the other.
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

  /// As `inBackground`, for work that says itself how it ended.
  package func later(_ work: @escaping @Sendable (Store) -> Void) {
    background.add { work(self) }
  }

  /// Closes the file, which carries the log over into it: a later start then has nothing to recover. Every call
  /// after this one fails.
  package func close() throws(StoreFailure) {
    do {
      try connections.close()
      use?.release()
    } catch {
      throw StoreFailure(error, path: path ?? ":memory:")
    }
  }

  /// From now on, what the store had to mend by itself is said to `report`, for a log.
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

  /// What must happen to a write before the call returns. A kill of the process never loses it.
  enum Durability {
    /// A crash of the system may lose the last of it: what polls bring, a next poll brings again.
    case process
    /// On the disk: an act of the user or a message of a script comes only once.
    case system

    var pragma: String {
      switch self {
      case .process: "NORMAL"
      case .system: "FULL"
      }
    }
  }

  /// One immediate transaction; observers are notified if it changed a row.
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
          try Copies(db).findFirsts()
          wrong = try Tallies(db).deriveWhereWrong()
          try SavedLists(db).judgePending(searching())
          return value
        }
        return (value, db.totalChangesCount != before)
      }
      if didChange {
        searches.slices.storeChanged()
        hub.send(.here)
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

  /// One transaction of work that needs many, after a pause in which others can write.
  func maintain<Value>(
    _ durability: Durability = .process, _ body: (Database) throws -> Value
  ) throws(StoreFailure) -> Value {
    // Nobody else can write to a store that isn't a file.
    if path != nil { turns.pause() }
    let start = ContinuousClock.now
    defer { turns.end(from: start) }
    return try write(durability, body)
  }

  /// Waits between two parts of an import, so that other processes can write.
  ///
  /// - Parameter start: when the last part began.
  package func giveTurn(since start: ContinuousClock.Instant) {
    guard path != nil else { return }
    turns.end(from: start)
    turns.pause()
  }

  /// For statements that no transaction may hold.
  func outsideTransactions<Value>(_ body: (Database) throws -> Value) throws(StoreFailure) -> Value {
    do {
      return try connections.write(body)
    } catch {
      throw StoreFailure(error, path: path ?? ":memory:")
    }
  }

  // MARK: - Observing

  /// Sends `current` at once, then a change after every transaction of this process and, through
  /// `checkForExternalChanges`, of others. Changes that the observer hasn't read yet become one.
  package func changes() -> AsyncStream<StoreChange> { hub.changes() }

  /// Checks whether another process has written, and if so notifies the observers. To be called when the file
  /// system says that the database or its log has changed; costs a few microseconds. A cancelled task finds nothing.
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

  /// SQLite's data version of the writing connection: commits of this process leave it alone.
  private static func dataVersion(_ db: Database) throws -> Int64 {
    try db.integer("PRAGMA data_version") ?? 0
  }

  private func rememberDataVersion() throws {
    let version = try connections.write { try Self.dataVersion($0) }
    _ = hub.isNew(dataVersion: version)
  }
}

/// The JSON columns, each with what it has decoded.
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

/// Who gets the sentences about what a store had to mend by itself.
private final class Faults: Sendable {
  let report = Mutex<(@Sendable (String) -> Void)?>(nil)
}
