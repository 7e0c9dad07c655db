package import Foundation
package import Messages
package import Platform
import Screen
package import Settings
package import Storage
import Words

/// The settings, the database and the sources, which every command opens once.
///
/// Opening a profile writes no sources: commands that poll them or change the settings do that with `reopened`.
package struct Profile: Sendable {
  package let environment: Environment
  package private(set) var settingsFile: SettingsFile
  package private(set) var settings: Settings
  package let store: Store
  /// The time at which the database was created: the times of some messages are relative to it.
  package let installed: Date
  /// The settings' sources in their order, then the local ones that scripts created. Sources that were never registered
  /// have the id `Source.unregistered`.
  package private(set) var sources: [Source]
  /// The path of the inbox's log of poll problems, or `nil` for the demo, which stores nothing.
  package var logFile: String?
  /// The program and arguments of the process that shows notifications for all others; empty if there is none, as in
  /// the demo.
  package var noticeHost: [String] = []
  /// The program and arguments that start reddot itself.
  package var ownProgram = ["reddot"]
  let secrets = KnownSecrets()

  /// Returns a copy of this profile that edits the settings only with a permit.
  package func permitted(by permit: WritePermit) -> Profile {
    var profile = self
    profile.settingsFile.permit = permit
    return profile
  }

  /// Opens a profile for a command that marks, pushes or changes the settings.
  ///
  /// - Parameters:
  ///   - config, database: paths that override the XDG paths.
  ///   - reporting: called before the update of a database of 0.2.0 waits or begins.
  package init(
    config: String?, database: String?, environment: Environment,
    reporting: (StoreUpdate) -> Void = { _ in }
  ) throws {
    try self.init(config: config, environment: environment) { path, now in
      try Store(path: database ?? path, now: now, reporting: reporting)
    }
  }

  /// Opens a profile for a command that only reads: creates no database, and can read one that is read-only.
  package static func toRead(
    config: String?, database: String?, environment: Environment,
    reporting: (StoreUpdate) -> Void = { _ in }
  ) throws -> Profile {
    try Profile(config: config, environment: environment) { path, now in
      try Store(toRead: database ?? path, now: now, reporting: reporting) ?? .inMemory(now: now)
    }
  }

  private init(
    config: String?, environment: Environment, store: (_ path: String, _ now: Date) throws -> Store
  ) throws {
    let directories = environment.directories
    settingsFile = SettingsFile(path: config ?? directories.settingsFile, home: environment.home)
    settings = try settingsFile.load()
    self.store = try store(directories.databaseFile, environment.now())
    installed = try self.store.time.installed()
    self.environment = environment
    sources = try Self.sources(settings, self.store.sources.registered())
    logFile = directories.logFile
    recordEdits()
    judgeArrivals()
  }

  /// Records edits of the settings as steps of the journal from now on.
  private mutating func recordEdits() {
    settingsFile.recorder = JournalRecorder(profile: self)
  }

  /// Returns a copy of this profile whose edits of the settings are one step of the journal.
  package func inOneStep() -> Profile {
    var profile = self
    profile.settingsFile = settingsFile.inOneStep()
    return profile
  }

  /// Returns the sources of settings with their ids, then the local ones that scripts created.
  private static func sources(_ settings: Settings, _ registered: RegisteredSources) -> [Source] {
    registered.sources(of: registered.sources(of: settings))
  }

  /// Makes the store judge arriving messages by these settings from now on.
  private func judgeArrivals() {
    store.judgeArrivals(with: ArrivalPolicy(settings, environment))
    store.searchTimes { [environment] in (environment.now(), environment.clock()) }
  }

  /// Reads the settings again, and registers changes in the database. May wait for another process that
  /// writes.
  ///
  /// The database is read first. If another process has registered sources since then, the settings are read once more,
  /// so that the newer settings are registered last.
  package func reopened() throws -> Profile {
    var fresh = self
    while true {
      let before = try store.sources.registered()
      fresh.settings = try settingsFile.load()
      let configured = before.sources(of: fresh.settings)
      if let sources = try store.sources.register(configured, since: before, at: environment.now()) {
        fresh.sources = sources
        fresh.judgeArrivals()
        return fresh
      }
    }
  }

  /// Returns this profile with the current settings of the file. Returns `nil` if the file is gone or cannot
  /// be read; the caller then continues with the settings that were read last.
  func settingsReadAgain() -> Profile? { settingsFile.exists ? try? withSettingsReadAgain() : nil }

  /// Returns this profile with the current settings of the file and the same sources.
  package func withSettingsReadAgain() throws -> Profile {
    var fresh = self
    fresh.settings = try settingsFile.load()
    fresh.judgeArrivals()
    return fresh
  }

  /// Returns this profile with the current sources of the database, since scripts create local ones.
  package func withSourcesReadAgain() throws(StoreFailure) -> Profile {
    var fresh = self
    fresh.sources = try Self.sources(settings, store.sources.registered())
    return fresh
  }

  /// Returns this profile with its sources registered in the database. May wait, as `reopened` may.
  package func registered() throws -> Profile {
    let registered = try store.sources.registered()
    guard let sources = registered.sources(ifTheyAre: registered.sources(of: settings)) else {
      return try reopened()
    }
    // If another process has registered them in the meantime, they have ids now.
    var fresh = self
    fresh.sources = sources
    return fresh
  }

  /// Runs `work` with this profile on the store's own thread, for callers that must not block.
  package func inBackground(
    _ work: @escaping @Sendable (Profile) throws -> Profile
  ) async throws -> Profile {
    let profile = self
    return try await store.inBackground { _ in Result { try work(profile) } }.get()
  }

  /// Opens a profile with the settings but without their sources, and with a database in memory.
  package static func empty(config: String?, environment: Environment) throws -> Profile {
    let file = SettingsFile(path: config ?? environment.directories.settingsFile, home: environment.home)
    var settings = try file.load()
    settings.sources = []
    return try Profile(
      settings: settings, file: file, store: try Store.inMemory(now: environment.now()),
      environment: environment)
  }

  /// Creates a profile with settings that do not come from a file, for the demo and tests; their sources are
  /// registered.
  package init(settings: Settings, file: SettingsFile, database: String, environment: Environment) throws {
    let store = try Store(path: database, now: environment.now())
    try self.init(settings: settings, file: file, store: store, environment: environment)
  }

  package init(settings: Settings, file: SettingsFile, store: Store, environment: Environment) throws {
    self.environment = environment
    settingsFile = file
    self.settings = settings
    self.store = store
    installed = try store.time.installed()
    sources = try store.sources.register(settings.sources.map(\.source), at: environment.now())
    recordEdits()
    judgeArrivals()
  }

  /// Runs `body` while this process does not write; see `Store.betweenWrites`.
  package func betweenWrites(_ body: () -> Void) { store.betweenWrites(body) }

  /// Returns a lookup of sources and folders by the names that users type.
  package func lookup() throws(StoreFailure) -> SourceLookup {
    SourceLookup(try statuses().map { ($0.source, words.title(of: $0).text) })
  }

  /// - Throws: `SourceLookup.Failure` or `StoreFailure`.
  package func source(named name: String) throws -> Source { try lookup().source(name) }

  /// Returns the source with a name, or `nil` if there is none.
  package func knownSource(named name: String) throws -> Source? { try lookup().known(name) }
}

extension RegisteredSources {
  /// Returns the sources of settings, and the registered sources in lines of `sources.toml` that cannot be read. The
  /// latter stay as they were registered, so that a damaged line unfollows nothing, here or on other machines.
  fileprivate func sources(of settings: Settings) -> [ConfiguredSource] {
    let configured = settings.sources.map(\.source)
    if settings.hiddenText.isEmpty, !settings.hidesSources { return configured }
    return configured
      + ofSettings(besides: configured).filter {
        settings.hidesSources || settings.hiddenText.contains(TOMLText.quoted($0.name))
          || settings.hiddenText.contains(TOMLText.quoted($0.address))
      }
  }
}
