import CSQLite
import Foundation
import GRDB
import Synchronization

/// One writing connection, and as many read-only ones as are needed at the same time. They are opened on first use.
///
/// GRDB's pool would write to the database each time it is opened. These connections only read it, which makes a start
/// cheap and does not disturb other processes.
final class Connections: Sendable {
  private let writer: DatabaseQueue
  /// Opens a reading connection. `nil` if the only connection also reads: in memory, and if nothing can be
  /// written.
  private let makeReader: (@Sendable () throws -> DatabaseQueue)?
  private let idleReaders = Mutex<[DatabaseQueue]>([])
  /// The write-ahead log, or `nil` if there is none that we may write.
  private let log: WriteAheadLog?

  /// Whether `close` was called. It is set in the writing connection's queue; work that follows there must not use the
  /// connection.
  private let isClosed = Mutex(false)

  /// The last value set for the pragma `synchronous`. Setting it again would compile the statement for each
  /// transaction.
  private let synchronous = Mutex("")

  /// The connections were used after `close`.
  struct Closed: Error {}

  init(file path: String, pageLimit: Int?) throws {
    writer = try DatabaseQueue(
      path: path, configuration: Self.configuration(pageLimit: pageLimit, file: path))
    let log = WriteAheadLog(path: path)
    writer.writeWithoutTransaction { db in log.watch(db) }
    self.log = log
    let configuration = Self.readingConfiguration()
    makeReader = { [configuration] in try DatabaseQueue(path: path, configuration: configuration) }
  }

  init(inMemory: Void) throws {
    writer = try DatabaseQueue(configuration: Self.configuration(pageLimit: nil, file: nil))
    makeReader = nil
    log = nil
  }

  /// Creates one connection that reads, and rejects writes.
  ///
  /// - Parameter location: a path, or a `file:` URL with SQLite's parameters.
  init(reading location: String) throws {
    writer = try DatabaseQueue(path: location, configuration: Self.readingConfiguration())
    makeReader = nil
    log = nil
  }

  /// Creates one connection that reads a file from an untrusted source. Expressions in its schema call only functions
  /// without side effects (`trusted_schema`), and each page is checked when it is read.
  ///
  /// - Parameter path: an absolute path.
  init(outside path: String) throws {
    var configuration = Self.readingConfiguration()
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
    }
    writer = try DatabaseQueue(path: path, configuration: configuration)
    makeReader = nil
    log = nil
  }

  /// Creates a copy of the content of `other`, which ends with the process. It is among SQLite's temporary files.
  init(copying other: Connections) throws {
    writer = try DatabaseQueue(path: "", configuration: Self.configuration(pageLimit: nil, file: nil))
    try other.writer.backup(to: writer)
    makeReader = nil
    log = nil
  }

  /// Copies all pages of one snapshot, several at a time; no other connection waits for it.
  ///
  /// - Parameter file: an empty file; the copy is on the disk when this returns.
  func copyPages(into file: String) throws {
    let copy = try DatabaseQueue(path: file)
    defer { KeptConnections.keep(copy) }
    // A copy that a crash interrupts is useless anyway.
    try copy.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
    }
    try read { db in
      // The instant is that of the first read in the transaction.
      _ = try db.integer("PRAGMA user_version")
      try copy.writeWithoutTransaction { copy in try db.backup(to: copy, pagesPerStep: 256) }
    }
    try copy.close()
    let descriptor = open(file, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw DatabaseFile.failureToOpen(file, errno: errno) }
    defer { Foundation.close(descriptor) }
    guard fsync(descriptor) == 0 else { throw DatabaseFile.failureToOpen(file, errno: errno) }
  }

  /// Replaces the whole content of the database by that of `other`, in one transaction.
  func replaceContent(by other: Connections) throws { try other.writer.backup(to: writer) }

  /// Calls `body` in a read transaction, which reads one snapshot of the store and never waits for a writer.
  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    guard let makeReader else { return try writer.unsafeRead { db in try db.inTransaction("BEGIN", body) } }
    let reader = try idleReaders.withLock { $0.popLast() } ?? makeReader()
    defer { idleReaders.withLock { $0.append(reader) } }
    return try reader.unsafeRead { db in try db.inTransaction("BEGIN", body) }
  }

  /// Calls `body` in the writing connection's queue, outside any transaction.
  func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
    let value = try writer.writeWithoutTransaction { db in
      try checkOpen()
      return try body(db)
    }
    log?.carryOverIfLong()
    return value
  }

  /// Sets the pragma `synchronous` on the writing connection. Call it in that connection's queue and outside any
  /// transaction.
  func setSynchronous(_ value: String, _ db: Database) throws {
    guard synchronous.withLock({ $0 != value }) else { return }
    try db.execute(sql: "PRAGMA synchronous = \(value)")
    synchronous.withLock { $0 = value }
  }

  /// Calls `body` in the writing connection's queue, without blocking the caller until its turn.
  func write<Value: Sendable>(
    inTurn body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    return try await writer.writeWithoutTransaction { db in
      try self.checkOpen()
      return try body(db)
    }
  }

  deinit {
    KeptConnections.keep(writer)
    for reader in idleReaders.withLock({ $0 }) { KeptConnections.keep(reader) }
  }

  /// Calls `body` in the writing connection's queue, so that this process writes nothing meanwhile. It may be
  /// called within a write.
  func betweenWrites(_ body: () -> Void) {
    writer.unsafeReentrantWrite { _ in body() }
  }

  private func checkOpen() throws {
    if isClosed.withLock({ $0 }) { throw Closed() }
  }

  func close() throws {
    let readers = idleReaders.withLock { readers in
      defer { readers = [] }
      return readers
    }
    writer.writeWithoutTransaction { _ in isClosed.withLock { $0 = true } }
    for reader in readers { try reader.close() }
    try log?.close()
    try writer.close()
  }

  /// Turns off SQLite's memory statistics, which take a lock around every allocation, although nothing here uses them:
  /// a tenth of the cost of a large poll. If a connection was opened before, SQLite continues counting, which is
  /// harmless.
  private static let memoryIsUncounted: Void = { _ = cs_stop_counting_memory() }()

  private static func configuration() -> Configuration {
    _ = memoryIsUncounted
    var configuration = Configuration()
    configuration.label = "reddot"
    // A minute is longer than any write of a store takes, however slow the disk is. SQLite's own waiting only retries
    // ten times a second in the end, and would miss most pauses between the transactions of maintenance.
    configuration.busyMode = .callback { tries in
      usleep(10_000)
      return tries < 6000
    }
    return configuration
  }

  private static func readingConfiguration() -> Configuration {
    var configuration = configuration()
    configuration.readonly = true
    configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA cache_size = -2000") }
    return configuration
  }

  /// - Parameter file: the file, or `nil` for a database that ends with the process.
  private static func configuration(pageLimit: Int?, file: String?) -> Configuration {
    var configuration = configuration()
    configuration.prepareDatabase { db in
      if let file {
        try DatabaseFile.claim(db, path: file)
        try db.execute(sql: "PRAGMA journal_mode = WAL")
        // A log that a large act made long is truncated after the next checkpoint.
        try db.execute(sql: "PRAGMA journal_size_limit = 2097152")
      }
      try db.setCache(forLargeWrites: false)
      if let pageLimit { try db.execute(sql: "PRAGMA max_page_count = \(pageLimit)") }
    }
    return configuration
  }
}
