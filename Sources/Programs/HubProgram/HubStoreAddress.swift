import Foundation
import Hub
import Platform

/// The location of a hub's store: a file or a database server.
enum HubStoreAddress: Sendable {
  /// The path of an SQLite file.
  case file(String)
  case database(HubDatabaseOptions)

  /// Parses a location.
  ///
  /// - Parameter text: `sqlite:/PATH` or `postgres://…`.
  init(_ text: String) throws(HubDatabaseOptions.Mistake) {
    if text.hasPrefix("sqlite:/") {
      // A link uses the lock of its target.
      self = .file(WholePath.resolved(String(text.dropFirst("sqlite:".count))))
    } else {
      self = .database(try HubDatabaseOptions(text))
    }
  }

  /// Opens the store. An empty one gets its tables.
  ///
  /// - Parameters:
  ///   - migrates: whether an older schema is updated.
  ///   - serves: whether this process serves the feeds, which only one may do with a file.
  func open(
    _ settings: HubSettings, migrates: Bool = false, serves: Bool = false
  ) throws(HubStoreFailure) -> any HubAdministering {
    switch self {
    case .file(let path): return try SQLiteFile(path: path, migrates: migrates, serves: serves)
    case .database(let options): return try Self.database(options, settings, migrates: migrates)
    }
  }

  static func database(
    _ options: HubDatabaseOptions, _ settings: HubSettings, migrates: Bool = false
  ) throws(HubStoreFailure) -> PostgreSQLPool {
    var options = options
    options.connections = settings.connections
    if !settings.passwordCommand.isEmpty {
      options.passwordCommand = PasswordCommand(
        settings.passwordCommand, environment: ProcessInfo.processInfo.environment)
    }
    return try PostgreSQLPool(options, migrates: migrates)
  }
}
