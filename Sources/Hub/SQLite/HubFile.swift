import Foundation
import GRDB

/// The file of a hub in SQLite: opened, judged and migrated.
package final class HubFile: Sendable {
  package let path: String
  let pool: DatabasePool
  /// The schema that the file had before it was opened; 0: none.
  package let versionBefore: Int
  /// The descriptor that holds the lock of `serve`; nil for a command.
  private let lock: Int32?

  /// Opens the file, which is made where there is none.
  ///
  /// - Parameters:
  ///   - migrates: whether an older schema is brought up to date.
  ///   - serves: whether this process gives the feeds out: only one may.
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
          throw HubStoreFailure(.notAHub, "\(path) isn't the store of a hub: another program made it")
        }
      }
      let pool = try DatabasePool(path: path, configuration: configuration)
      self.pool = pool
      versionBefore = try pool.writeWithoutTransaction { db in
        // The pool has set NORMAL: what is acknowledged would be lost when the power fails.
        try db.execute(sql: "PRAGMA synchronous = FULL")
        return try Self.begin(db, path, migrates: migrates)
      }
    } catch {
      if let lock { close(lock) }
      throw Self.failure(error, path)
    }
  }

  deinit { if let lock { Foundation.close(lock) } }

  /// The number of the file's schema.
  package func version() throws(HubStoreFailure) -> Int {
    try reading { db in try Self.version(db) }
  }

  func reading<Value>(_ body: (Database) throws -> Value) throws(HubStoreFailure) -> Value {
    do { return try pool.read(body) } catch { throw Self.failure(error, path) }
  }

  /// One transaction, under the lock of all writers.
  func writing<Value>(_ body: (Database) throws -> Value) throws(HubStoreFailure) -> Value {
    do {
      return try pool.writeWithoutTransaction { db in
        var value: Value?
        try db.inTransaction(.immediate) {
          value = try body(db)
          return .commit
        }
        guard let value else { throw HubStoreFailure(.away, "\(self.path) stored nothing") }
        return value
      }
    } catch { throw Self.failure(error, path) }
  }

  // MARK: Opening

  private static func version(_ db: Database) throws -> Int {
    Int(try Int64.fetchOne(db, sql: "PRAGMA user_version") ?? 0)
  }

  /// A new file gets its tables; an older one only if it may.
  ///
  /// - Returns: the schema that it had.
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

  /// SQLite would make it readable for others.
  private static func makePrivate(_ path: String) throws {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw HubStoreFailure(.away, "\(path) can't be opened: \(String(cString: strerror(errno)))")
    }
    close(descriptor)
  }

  static func lock(_ path: String) throws(HubStoreFailure) -> Int32 {
    let file = path + ".serve"
    let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw HubStoreFailure(.away, "\(file) can't be opened: \(String(cString: strerror(errno)))")
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      close(descriptor)
      guard code == EWOULDBLOCK else {
        throw HubStoreFailure(.away, "\(file) can't be locked: \(String(cString: strerror(code)))")
      }
      throw HubStoreFailure(.isServed, "\(path) is served by another reddot-hub already: stop that one first")
    }
    return descriptor
  }

  static func failure(_ error: any Error, _ path: String) -> HubStoreFailure {
    switch error {
    case let failure as HubStoreFailure: failure
    case let error as DatabaseError where error.resultCode == .SQLITE_NOTADB:
      HubStoreFailure(.notAHub, "\(path) isn't a database, or is damaged")
    case let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT:
      HubStoreFailure(.notAHub, "\(path) is damaged: restore a backup")
    case let error as DatabaseError:
      HubStoreFailure(.away, "\(path): \(error.message ?? "SQLite's error \(error.resultCode.rawValue)")")
    default: HubStoreFailure(.away, "\(path): \(error.localizedDescription)")
    }
  }
}
