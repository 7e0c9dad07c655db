package import Foundation
import Platform
package import PostgreSQL

/// The database of a hub for commands, already checked and migrated. Each action uses a separate connection.
package final class PostgreSQLPool: HubAdministering {
  package let options: HubDatabaseOptions
  package let versionBefore: Int
  /// An alarm that never rings, since a command always waits for the database.
  private let alarm: Alarm

  /// - Parameter migrates: whether an older schema is updated. An empty database always is.
  package init(_ options: HubDatabaseOptions, migrates: Bool = false) throws(HubStoreFailure) {
    self.options = options
    do throws(POSIXError) { alarm = try Alarm() } catch {
      throw HubStoreFailure(.away, String(cString: strerror(error.code.rawValue)))
    }
    versionBefore = try Self.asking(options, alarm) { connection in
      try connection.transaction(Self.administrating) { connection in
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
    Date(stored: try reading { try $0.time() })
  }

  /// Returns the store for requests. Its threads run as long as it exists.
  package func hub() throws(HubStoreFailure) -> any HubStoring {
    let time = try reading { try $0.time() }
    do throws(POSIXError) {
      return try PostgreSQLHub.start(options, time: time)
    } catch {
      throw HubStoreFailure(.away, String(cString: strerror(error.code.rawValue)))
    }
  }

  package func version() throws(HubStoreFailure) -> Int {
    try reading { try Self.version($0) }
  }

  private static func version(_ connection: PostgreSQLConnection) throws(PostgreSQLFailure) -> Int {
    let isThere = try connection.ask("SELECT to_regclass('hub') IS NOT NULL").first?.flag(0) ?? false
    return isThere ? Int(try connection.ask("SELECT schema FROM hub").first?.number(0) ?? 0) : 0
  }

  // MARK: Asking

  /// The locks under which commands write: one at a time, and not while ids are assigned.
  static let administrating = "SELECT pg_advisory_xact_lock(1919174755); \(PostgreSQLConnection.lock)"

  package func reading<Value>(
    _ body: (PostgreSQLConnection) throws -> Value
  ) throws(HubStoreFailure) -> Value { try Self.asking(options, alarm, body) }

  /// Runs a transaction and notifies other hubs, which read its changes.
  package func writing<Value>(
    _ body: (PostgreSQLConnection) throws -> Value
  ) throws(HubStoreFailure) -> Value {
    try reading { connection in
      try connection.transaction("\(Self.administrating); NOTIFY \(PostgreSQLConnection.channel)", body)
    }
  }

  /// Runs statements on a new connection, and converts failures.
  private static func asking<Value>(
    _ options: HubDatabaseOptions, _ alarm: Alarm, _ body: (PostgreSQLConnection) throws -> Value
  ) throws(HubStoreFailure) -> Value {
    do {
      return try body(try options.connect(isPatient: true, closing: alarm))
    } catch let failure as HubStoreFailure {
      throw failure
    } catch {
      let failure = error as? PostgreSQLFailure ?? .closed
      let sentence = "\(options.address.text): \(failure.reason)"
      switch failure {
      // There is no such table or column: the database belongs to another program.
      case .refused("42P01", _), .refused("42703", _):
        throw HubStoreFailure(.notAHub, "\(sentence): it is not the store of a hub")
      case .refused where !failure.isPassing: throw HubStoreFailure(.refused, sentence)
      case _: throw HubStoreFailure(.away, sentence)
      }
    }
  }
}
