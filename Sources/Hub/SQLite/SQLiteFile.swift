import Foundation
import GRDB

/// The SQLite file of a hub, already opened, checked and migrated.
package final class SQLiteFile: Sendable {
  package let path: String
  let pool: DatabasePool
  /// The version of the schema that the file had before it was opened, or 0 if the file is new.
  package let versionBefore: Int
  /// The descriptor that holds the lock of `serve`, or `nil` for a command.
  private let lock: Int32?

  /// Opens the file, which is created if there is none.
  ///
  /// - Parameters:
  ///   - migrates: whether an older schema is updated.
  ///   - serves: whether this process serves the feeds, which only one may do.
  package init(path: String, migrates: Bool = false, serves: Bool = false) throws(HubStoreFailure) {
    self.path = path
    let lock = serves ? try Self.lock(path) : nil
    self.lock = lock
    do {
      try Self.makePrivate(path)
      var configuration = Configuration()
      configuration.label = "reddot-hub"
      configuration.busyMode = .timeout(10)
      configuration.maximumReaderCount = 4
      configuration.prepareDatabase { db in
        let found = try Int64.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        let tables = try Int64.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") ?? 0
        guard found == HubSchema.applicationID || found == 0 && tables == 0 else {
          throw HubStoreFailure(.notAHub, "\(path) is not the store of a hub: another program made it")
        }
      }
      let pool = try DatabasePool(path: path, configuration: configuration)
      self.pool = pool
      versionBefore = try pool.writeWithoutTransaction { db in
        // The pool has set NORMAL, with which acknowledged writes would be lost in a power failure.
        try db.execute(sql: "PRAGMA synchronous = FULL")
        return try Self.begin(db, path, migrates: migrates)
      }
    } catch {
      if let lock { close(lock) }
      throw Self.failure(error, path)
    }
  }

  deinit { if let lock { Foundation.close(lock) } }

  /// Returns the version of the file's schema.
  package func version() throws(HubStoreFailure) -> Int {
    try reading { try Self.version($0.db) }
  }

  package func reading<Value>(_ body: (SQLiteSession) throws -> Value) throws(HubStoreFailure) -> Value {
    do { return try pool.read { try body(SQLiteSession(db: $0)) } } catch { throw Self.failure(error, path) }
  }

  package func writing<Value>(_ body: (SQLiteSession) throws -> Value) throws(HubStoreFailure) -> Value {
    do {
      return try pool.writeWithoutTransaction { try $0.changing(body) }
    } catch { throw Self.failure(error, path) }
  }

  // MARK: Opening

  private static func version(_ db: Database) throws -> Int {
    Int(try Int64.fetchOne(db, sql: "PRAGMA user_version") ?? 0)
  }

  /// Creates the tables of a new file; an older one is updated only if allowed.
  ///
  /// - Returns: the version of the schema that the file had, or 0 if it was new.
  private static func begin(_ db: Database, _ path: String, migrates: Bool) throws -> Int {
    var before = 0
    try db.inTransaction(.immediate) {
      before = try version(db)
      guard before <= HubSchema.version else {
        throw HubStoreFailure.newer(path, schema: before, known: HubSchema.version)
      }
      if before == HubSchema.version { return .rollback }
      guard before == 0 || migrates else {
        throw HubStoreFailure.older(path, schema: before, needed: HubSchema.version)
      }
      try HubSchema.migrate(db, from: before)
      try db.execute(
        sql: "PRAGMA application_id = \(HubSchema.applicationID); PRAGMA user_version = \(HubSchema.version)")
      return .commit
    }
    return before
  }

  /// Makes the file private, since SQLite would make it readable for others.
  private static func makePrivate(_ path: String) throws {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw HubStoreFailure(.away, "\(path) cannot be opened: \(String(cString: strerror(errno)))")
    }
    close(descriptor)
  }

  /// Takes the lock of the process that serves the file, and returns its descriptor. Throws `isServed` if another
  /// process holds it.
  static func lock(_ path: String) throws(HubStoreFailure) -> Int32 {
    let file = path + ".serve"
    let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw HubStoreFailure(.away, "\(file) cannot be opened: \(String(cString: strerror(errno)))")
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      close(descriptor)
      guard code == EWOULDBLOCK else {
        throw HubStoreFailure(.away, "\(file) cannot be locked: \(String(cString: strerror(code)))")
      }
      throw HubStoreFailure(.isServed, "\(path) is already served by another reddot-hub; stop that one first")
    }
    return descriptor
  }

  static func failure(_ error: any Error, _ path: String) -> HubStoreFailure {
    switch error {
    case let failure as HubStoreFailure: failure
    case let error as DatabaseError where error.resultCode == .SQLITE_NOTADB:
      HubStoreFailure(.notAHub, "\(path) is not a database, or is damaged")
    case let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT:
      HubStoreFailure(.notAHub, "\(path) is damaged; restore a backup")
    case let error as DatabaseError:
      HubStoreFailure(.away, "\(path): \(error.message ?? "SQLite's error \(error.resultCode.rawValue)")")
    default: HubStoreFailure(.away, "\(path): \(error.localizedDescription)")
    }
  }
}

extension Database {
  /// Runs one transaction, under the lock of all writers.
  func changing<Value>(_ body: (SQLiteSession) throws -> Value) throws -> Value {
    var value: Value?
    try inTransaction(.immediate) {
      value = try body(SQLiteSession(db: self))
      return .commit
    }
    guard let value else { throw HubStoreFailure(.away, "nothing was stored") }
    return value
  }
}
