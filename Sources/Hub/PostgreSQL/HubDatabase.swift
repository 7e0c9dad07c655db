package import Foundation
import Platform
import PostgreSQL

/// The database of a hub as commands see it: judged and migrated. Each thing they do has a connection of its own.
package final class HubDatabase: HubAdministering {
  package let options: HubDatabaseOptions
  package let versionBefore: Int
  /// Never rings: a command waits.
  private let alarm: Alarm

  /// - Parameter migrates: whether an older schema is brought up to date. An empty database always is.
  package init(_ options: HubDatabaseOptions, migrates: Bool = false) throws(HubStoreFailure) {
    self.options = options
    do throws(POSIXError) { alarm = try Alarm() } catch {
      throw HubStoreFailure(.away, String(cString: strerror(error.code.rawValue)))
    }
    versionBefore = try Self.asking(options, alarm) { connection throws(PostgreSQLFailure) in
      try connection.transaction(Self.administrating) { connection throws(PostgreSQLFailure) in
        let before = try Self.version(connection)
        if before < HubDatabaseSchema.version, before == 0 || migrates {
          try HubDatabaseSchema.migrate(connection, from: before)
        }
        return before
      }
    }
    if versionBefore > HubDatabaseSchema.version {
      throw .newer(name, schema: versionBefore, known: HubDatabaseSchema.version)
    }
    if versionBefore < HubDatabaseSchema.version, versionBefore > 0, !migrates {
      throw .older(name, schema: versionBefore, needed: HubDatabaseSchema.version)
    }
  }

  package var name: String { options.address.text }

  package func now() throws(HubStoreFailure) -> Date {
    Date(stored: try asking { connection throws(PostgreSQLFailure) in try connection.time() })
  }

  /// Its threads run as long as the hub is there.
  package func hub() throws(HubStoreFailure) -> any HubStoring {
    let time = try asking { connection throws(PostgreSQLFailure) in try connection.time() }
    do throws(POSIXError) {
      return try PostgreSQLHub.start(options, time: time)
    } catch {
      throw HubStoreFailure(.away, String(cString: strerror(error.code.rawValue)))
    }
  }

  package func version() throws(HubStoreFailure) -> Int {
    try asking { connection throws(PostgreSQLFailure) in try Self.version(connection) }
  }

  private static func version(_ connection: PostgreSQLConnection) throws(PostgreSQLFailure) -> Int {
    let isThere = try connection.ask("SELECT to_regclass('hub') IS NOT NULL").first?.flag(0) ?? false
    return isThere ? Int(try connection.ask("SELECT schema FROM hub").first?.number(0) ?? 0) : 0
  }

  // MARK: Asking

  /// Under it commands write: one at a time, and not while ids are given.
  static let administrating = "SELECT pg_advisory_xact_lock(1919174755); \(HubDatabaseTransaction.lock)"

  func asking<Value>(
    _ body: (PostgreSQLConnection) throws(PostgreSQLFailure) -> Value
  ) throws(HubStoreFailure) -> Value { try Self.asking(options, alarm, body) }

  /// One transaction. Other hubs look at what it changed.
  func writing<Value>(
    _ body: (PostgreSQLConnection) throws(PostgreSQLFailure) -> Result<Value, HubStoreFailure>
  ) throws(HubStoreFailure) -> Value {
    let result = try asking { connection throws(PostgreSQLFailure) in
      try connection.transaction("\(Self.administrating); NOTIFY \(HubDatabaseTransaction.channel)", body)
    }
    return try result.get()
  }

  private static func asking<Value>(
    _ options: HubDatabaseOptions, _ alarm: Alarm,
    _ body: (PostgreSQLConnection) throws(PostgreSQLFailure) -> Value
  ) throws(HubStoreFailure) -> Value {
    do throws(PostgreSQLFailure) {
      return try body(try options.connect(isPatient: true, closing: alarm))
    } catch {
      let sentence = "\(options.address.text): \(error.reason)"
      switch error {
      // No such table or column: another program's.
      case .refused("42P01", _), .refused("42703", _):
        throw HubStoreFailure(.notAHub, "\(sentence): it isn't the store of a hub")
      case .refused where !error.isPassing: throw HubStoreFailure(.refused, sentence)
      case _: throw HubStoreFailure(.away, sentence)
      }
    }
  }
}

extension PostgreSQLConnection {
  /// Commits what `body` did, or rolls it back if that fails.
  ///
  /// - Parameter first: statements at its beginning.
  func transaction<Value>(
    _ first: String = "", _ body: (PostgreSQLConnection) throws(PostgreSQLFailure) -> Value
  ) throws(PostgreSQLFailure) -> Value {
    do throws(PostgreSQLFailure) {
      try run("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; \(first)")
      let value = try body(self)
      try run("COMMIT")
      return value
    } catch {
      if error.keepsConnection { try run("ROLLBACK") }
      throw error
    }
  }
}
