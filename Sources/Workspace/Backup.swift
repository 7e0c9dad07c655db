import Files
import Foundation
import Limits
import Messages
package import Platform
import Settings
import Storage

/// `reddot backup` and `reddot restore`: settings, messages, reminders and the files that the settings name, in one file.
package struct Backup {
  private let environment: Environment
  private let settingsFile: SettingsFile
  private let database: String

  /// Names in the archive.
  private static let settingsName = "config.toml"
  private static let remindersName = "reminders.json"
  private static let keyName = "sync.key"
  /// What files below the home folder begin with there.
  private static let homePrefix = "home/"

  /// - Parameters:
  ///   - config, database: override the XDG paths.
  package init(config: String?, database: String?, environment: Environment) {
    self.environment = environment
    settingsFile = SettingsFile(
      path: config ?? environment.directories.settingsFile, home: environment.home)
    self.database = database ?? environment.directories.databaseFile
  }

  // MARK: Writing

  /// - Parameter replacing: whether a file that is there already is replaced.
  /// - Returns: lines about what is in it, and what is not.
  package func write(to file: String, replacing: Bool) throws -> [String] {
    guard replacing || access(file, F_OK) != 0 else {
      throw GivenMistake(
        sentence: "\(file) is there already; give another name, or replace that file with --force")
    }
    guard !own.contains(URL(fileURLWithPath: file).standardizedFileURL.path) else {
      throw GivenMistake(sentence: "\(file) is what a backup is made of; give another name")
    }
    _ = try settingsFile.load()
    let now = environment.now()
    let store = try existingStore(at: now)
    let (files, left) = try files(besides: [])
    try store.backups.write(to: file, files, at: now)
    return [
      "\(file): \(try contents(files, store))",
      "The settings with their passwords and tokens are in it: only you can read it, so keep it private.",
    ] + left.map { "not in it: \($0)" }
  }

  private func contents(_ files: [BackupFile], _ store: Store) throws -> String {
    let messages = try store.check.holdings().first.map { "\($2) \($2 == 1 ? $0 : $1)" } ?? ""
    let others = files.count { $0.name.hasPrefix(Self.homePrefix) }
    var parts = [messages]
    if files.contains(where: { $0.name == Self.settingsName }) { parts.append("the settings") }
    if files.contains(where: { $0.name == Self.remindersName }) { parts.append("reminders") }
    if files.contains(where: { $0.name == Self.keyName }) { parts.append("the key of the synchronisation") }
    if others > 0 { parts.append("\(others) \(others == 1 ? "file" : "files") that the settings name") }
    return parts.joined(separator: ", ")
  }

  /// - Parameter others: paths of files that are in it too, if they exist.
  /// - Returns: the files, and sentences about those that are left out.
  private func files(besides others: [String]) throws -> (files: [BackupFile], left: [String]) {
    var files: [BackupFile] = []
    var left: [String] = []
    var named = others
    for (name, path) in ownFiles {
      guard let bytes = try read(path) else { continue }
      files.append(BackupFile(name: name, mode: mode(path), bytes: bytes))
      if settingsFile.paths.contains(path) {
        named += settingsFile.namedFiles(in: String(decoding: bytes, as: UTF8.self))
      }
    }
    var size = files.reduce(0) { $0 + $1.bytes.count }
    for path in named where !own.contains(path) {
      guard let name = name(of: path), !files.contains(where: { $0.name == name }) else { continue }
      do throws(BoundedFile.Failure) {
        let bytes = try BoundedFile.read(path, limit: Limits.editedFileBytes)
        guard size + bytes.count <= Limits.backupBytes, files.count < Limits.backupFiles else {
          left.append("\(path), since there are too many or too large files")
          continue
        }
        size += bytes.count
        files.append(BackupFile(name: name, mode: mode(path), bytes: bytes))
      } catch .missing {
      } catch {
        left.append("\(path) \(error.reason)")
      }
    }
    return (files, left)
  }

  private func read(_ path: String) throws -> Data? {
    do throws(ReplacedFile.Failure) {
      return try ReplacedFile(path: path).bytes()
    } catch {
      throw GivenMistake(sentence: "\(path) \(error.reason)")
    }
  }

  private func mode(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_mode & 0o777) : 0o600
  }

  /// nil outside the home folder: other machines have their own programs there.
  private func name(of path: String) -> String? {
    path.hasPrefix(environment.home + "/")
      ? Self.homePrefix + path.dropFirst(environment.home.count + 1) : nil
  }

  /// What is in it under names of its own, but the database.
  private var ownFiles: [(name: String, path: String)] {
    zip([Self.settingsName, "sources.toml"], settingsFile.paths).map { ($0, $1) }
      + [
        (Self.remindersName, Workspace.reminders(besides: database)),
        (Self.keyName, Workspace.syncKey(besides: database)),
      ]
  }

  private var own: [String] {
    (ownFiles.map(\.path) + [database]).map { URL(fileURLWithPath: $0).standardizedFileURL.path }
  }

  /// An empty one where there is none yet.
  private func existingStore(at now: Date) throws(StoreFailure) -> Store {
    guard let store = try Store(toRead: database, now: now) else { return try .inMemory(now: now) }
    return store
  }

  // MARK: Restoring

  /// - Parameter replacing: whether settings and messages that are there are replaced, after they were saved.
  /// - Returns: lines about what was restored.
  package func restore(from file: String, replacing: Bool) throws -> [String] {
    let files = try StoreBackups.files(of: file)
    let targets = try files.map { ($0, path: try path(of: $0, in: file)) }
    if let settings = files.first(where: { $0.name == Self.settingsName }) {
      _ = try SettingsReader(
        file: "\(settings.name) in \(file)", home: environment.home,
        isReadableByOthers: settings.mode & 0o077 != 0
      ).read(String(decoding: settings.bytes, as: UTF8.self))
    }
    let present = ([database] + targets.map(\.path)).filter { access($0, F_OK) == 0 }
    guard present.isEmpty || replacing else {
      throw GivenMistake(
        sentence:
          "this would replace \(present.joined(separator: ", ")); with --force it does, after it saved them")
    }
    let saved = present.isEmpty ? nil : try save(targets.map(\.path))
    do {
      let store = try Store(path: database, now: environment.now())
      // What a poll brings that began before would be entered for other sources.
      var locks: [StoreLock] = []
      for source in try store.sources.registered().listed {
        guard let lock = try store.tryLock(.poll(source.id)) else {
          throw GivenMistake(
            sentence: "\"\(source.name)\" is being polled; try again when that is done. Nothing was changed")
        }
        locks.append(lock)
      }
      try store.backups.restore(from: file, at: environment.now())
      // The settings come last: a running inbox reads its sources again when they change.
      for target in targets.reversed() { try replace(target.path, by: target.0) }
      let text = "restored \(try contents(files, store))"
      for lock in locks { lock.release() }
      try store.close()
      return [text]
        + (saved.map { ["what was there before: \($0) (reddot restore --force brings it back)"] } ?? [])
    } catch {
      guard let saved, let failure = error as? any UserFacingError else { throw error }
      throw GivenMistake(sentence: "\(failure.sentence) (what was there before is in \(saved))")
    }
  }

  private func path(of file: BackupFile, in archive: String) throws -> String {
    if let known = ownFiles.first(where: { $0.name == file.name }) { return known.path }
    switch file.name {
    case _ where file.name.hasPrefix(Self.homePrefix):
      let path = environment.home + "/" + file.name.dropFirst(Self.homePrefix.count)
      if own.contains(path) { fallthrough }
      return path
    case _:
      throw StoreFailure.badBackup(path: archive, reason: "reddot puts no file \"\(file.name)\" into one")
    }
  }

  /// - Returns: the file that holds what is there now.
  private func save(_ paths: [String]) throws -> String {
    let now = environment.now()
    var name = "\(database).before-restore-\(Int(now.timeIntervalSince1970))"
    // Two within a second: the backup that is to be restored may be the first of them.
    while access(name, F_OK) == 0 { name += "-again" }
    let files = try files(besides: paths).files
    do throws(StoreFailure) {
      let store = try existingStore(at: now)
      try store.backups.write(to: name, files, at: now)
      try store.close()
    } catch {
      switch error {
      // A database that cannot be read makes room for one that can.
      case .corrupt, .newerVersion, .olderVersion:
        try Store.inMemory(now: now).backups.write(to: name, files, at: now)
        for suffix in ["", "-wal", "-shm"] { rename(database + suffix, "\(name).unreadable\(suffix)") }
      case _: throw error
      }
    }
    return name
  }

  private func replace(_ path: String, by file: BackupFile) throws {
    do {
      try ReplacedFile(path: path).edit { _ in file.bytes }
    } catch let failure as ReplacedFile.Failure {
      throw GivenMistake(sentence: "\(path) \(failure.reason)")
    }
    guard chmod(path, mode_t(file.mode)) == 0 else {
      throw GivenMistake(sentence: "\(path) cannot be written: \(SystemReason.words(errno: errno))")
    }
  }
}

extension Workspace {
  /// The file of the reminders that come again and again.
  ///
  /// - Parameter database: it is in the database's folder.
  package static func reminders(besides database: String) -> String {
    file("reminders.json", besides: database)
  }

  /// The file of the key of `[sync]`.
  package static func syncKey(besides database: String) -> String { file("sync.key", besides: database) }

  private static func file(_ name: String, besides database: String) -> String {
    URL(fileURLWithPath: database).deletingLastPathComponent().appending(path: name).path
  }
}
