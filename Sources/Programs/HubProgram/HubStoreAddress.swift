import Foundation
import Hub
import Platform

/// Where a hub's store is.
enum HubStoreAddress: Sendable {
  /// The path of a file of SQLite.
  case file(String)
  case database(HubDatabaseOptions)

  /// - Parameter text: `sqlite:/PATH` or `postgres://…`.
  init(_ text: String) throws(HubDatabaseOptions.Mistake) {
    if text.hasPrefix("sqlite:/") {
      // A link shares the lock of its file.
      self = .file(WholePath.resolved(String(text.dropFirst("sqlite:".count))))
    } else {
      self = .database(try HubDatabaseOptions(text))
    }
  }

  /// Opened. An empty one gets its tables.
  ///
  /// - Parameters:
  ///   - migrates: whether an older schema is brought up to date.
  ///   - serves: whether this process gives the feeds out: only one may of a file.
  func open(
    _ settings: HubSettings, migrates: Bool = false, serves: Bool = false
  ) throws(HubStoreFailure) -> any HubAdministering {
    switch self {
    case .file(let path): return try HubFile(path: path, migrates: migrates, serves: serves)
    case .database(let options): return try Self.database(options, settings, migrates: migrates)
    }
  }

  static func database(
    _ options: HubDatabaseOptions, _ settings: HubSettings, migrates: Bool = false
  ) throws(HubStoreFailure) -> HubDatabase {
    var options = options
    options.connections = settings.connections
    if !settings.passwordCommand.isEmpty {
      options.passwordCommand = PasswordCommand(
        settings.passwordCommand, environment: ProcessInfo.processInfo.environment)
    }
    return try HubDatabase(options, migrates: migrates)
  }
}
