import Foundation
package import Messages
package import Storage

/// Settings, database and sources, opened once by every command.
package struct Workspace: Sendable {
  package let surroundings: Surroundings
  package let settingsFile: SettingsFile
  package let settings: Settings
  package let store: Store
  /// The configured sources, in the settings' order.
  package let sources: [Source]
  /// Where the inbox logs what polls ran into; nil for the demo, which leaves nothing behind.
  package var logFile: String?

  /// - Parameters:
  ///   - config, database: override the XDG paths.
  package init(config: String?, database: String?, surroundings: Surroundings) throws {
    let directories = surroundings.directories
    let file = SettingsFile(path: config ?? directories.settingsFile, home: surroundings.home)
    try self.init(
      settings: try file.load(), file: file, database: database ?? directories.databaseFile,
      surroundings: surroundings)
    logFile = directories.logFile
  }

  /// The settings without their sources, over a database that ends with the process.
  package static func empty(config: String?, surroundings: Surroundings) throws -> Workspace {
    let file = SettingsFile(path: config ?? surroundings.directories.settingsFile, home: surroundings.home)
    var settings = try file.load()
    settings.sources = []
    return try Workspace(
      settings: settings, file: file, store: try Store.inMemory(now: surroundings.now()),
      surroundings: surroundings)
  }

  /// With settings that are no file, for the demo and tests.
  package init(settings: Settings, file: SettingsFile, database: String, surroundings: Surroundings) throws {
    let store = try Store(path: database, now: surroundings.now())
    try self.init(settings: settings, file: file, store: store, surroundings: surroundings)
  }

  package init(settings: Settings, file: SettingsFile, store: Store, surroundings: Surroundings) throws {
    self.surroundings = surroundings
    settingsFile = file
    self.settings = settings
    self.store = store
    sources = try store.register(
      try Self.configured(settings, store), at: surroundings.now())
  }

  /// The settings' sources, and the implicit one of pushed messages once something was pushed.
  private static func configured(_ settings: Settings, _ store: Store) throws -> [ConfiguredSource] {
    var sources = settings.sources.map(\.source)
    let known = try store.statuses().map(\.source)
    for local in known where local.kind == .local && !sources.contains(where: { $0.name == local.name }) {
      sources.append(ConfiguredSource(local))
    }
    return sources
  }

  /// Runs something while no write of this process is under way; see `Store.betweenWrites`.
  package func betweenWrites(_ body: () -> Void) { store.betweenWrites(body) }

  /// - Throws: `UnknownSource`.
  package func source(named name: String) throws(UnknownSource) -> Source {
    guard let source = sources.first(where: { $0.name == name }) else {
      throw UnknownSource(name: name, known: sources.map(\.name))
    }
    return source
  }

  /// A name that no source has, and the names that there are.
  package struct UnknownSource: Error, Sendable {
    package var name: String
    package var known: [String]

    package var sentence: String {
      let names = known.isEmpty ? "none is configured yet" : "there are \(known.joined(separator: ", "))"
      return "no source is called \"\(name)\"; \(names)"
    }
  }
}
