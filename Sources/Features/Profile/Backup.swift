import Basics
import Foundation
import Messages
package import Platform
import Settings
import Storage

/// `reddot backup` and `reddot restore`: settings, messages, reminders and the files that the settings name, in one
/// file.
package struct Backup {
  private let environment: Environment
  private let settingsFile: SettingsFile
  private let database: String

  /// The names of reddot's own files in the archive.
  private static let settingsName = "config.toml"
  private static let remindersName = "reminders.json"
  private static let keyName = "sync.key"
  /// The beginning of the names in the archive of files that are below the home folder.
  private static let homePrefix = "home/"

  /// - Parameters:
  ///   - config, database: paths that override the XDG paths.
  package init(config: String?, database: String?, environment: Environment) {
    self.environment = environment
    settingsFile = SettingsFile(
      path: config ?? environment.directories.settingsFile, home: environment.home)
    self.database = database ?? environment.directories.databaseFile
  }

  // MARK: Writing

  /// Writes a backup to a file.
  ///
  /// - Parameter replacing: whether an existing file is replaced.
  package func write(to file: String, replacing: Bool) throws -> BackupContents {
    guard replacing || access(file, F_OK) != 0 else {
      throw GivenMistake(
        sentence: "\(file) already exists; give another name, or replace the file with --force")
    }
    guard !own.contains(URL(fileURLWithPath: file).standardizedFileURL.path) else {
      throw GivenMistake(sentence: "\(file) is a file that the backup contains; give another name")
    }
    _ = try settingsFile.load()
    let now = environment.now()
    let store = try existingStore(at: now)
    let (files, left) = try files()
    try store.backups.write(to: file, files, at: now)
    var contents = try contents(files, store)
    contents.leftOut = left
    return contents
  }

  private func contents(_ files: [BackupFile], _ store: Store) throws -> BackupContents {
    func has(_ name: String) -> Bool { files.contains { $0.name == name } }
    return BackupContents(
      messages: try store.check.holdings().first?.count ?? 0, hasSettings: has(Self.settingsName),
      hasReminders: has(Self.remindersName), hasSyncKey: has(Self.keyName),
      otherFiles: files.count { $0.name.hasPrefix(Self.homePrefix) })
  }

  /// Returns the files for the backup, and sentences about omitted ones.
  private func files() throws -> (files: [BackupFile], left: [String]) {
    var files: [BackupFile] = []
    var left: [String] = []
    var named: [String] = []
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

  /// Returns the name in the archive for a file of this machine. Returns `nil` for a file outside the home
  /// folder, which is not part of a backup: such files are programs, which each machine has itself.
  private func name(of path: String) -> String? {
    path.hasPrefix(environment.home + "/")
      ? Self.homePrefix + path.dropFirst(environment.home.count + 1) : nil
  }

  /// The names in the archive and the paths of reddot's own files, except the database.
  private var ownFiles: [(name: String, path: String)] {
    zip([Self.settingsName, "sources.toml"], settingsFile.paths).map { ($0, $1) }
      + [
        (Self.remindersName, Profile.reminders(besides: database)),
        (Self.keyName, Profile.syncKey(besides: database)),
      ]
  }

  /// The standardized paths of reddot's own files; the last one is the database.
  private var own: [String] {
    (ownFiles.map(\.path) + [database]).map { URL(fileURLWithPath: $0).standardizedFileURL.path }
  }

  /// Opens the database, or an empty one in memory if there is none yet.
  private func existingStore(at now: Date) throws(StoreFailure) -> Store {
    guard let store = try Store(toRead: database, now: now) else { return try .inMemory(now: now) }
    return store
  }

  // MARK: Restoring

  /// Plans a restore, and changes nothing.
  ///
  /// - Parameters:
  ///   - replacing: whether existing settings and messages are replaced, after they were saved.
  ///   - withFiles: whether files that aren't reddot's own are also written.
  package func restoration(
    from source: String, replacing: Bool, withFiles: Bool
  ) throws -> Restoration {
    let files = try StoreBackups.files(of: source)
    let texts = try settings(in: files, of: source)
    let others = files.compactMap { file in other(file).map(\.path) }
    let named = settingsFile.named(others, in: texts)
    let restored = try files.map { file -> Restoration.File in
      if let known = ownFiles.first(where: { $0.name == file.name }) {
        let isThere = access(known.path, F_OK) == 0
        return Restoration.File(content: file, path: known.path, fate: isThere ? .replaces : .new)
      }
      guard let target = other(file), !isOwn(target.path) else {
        throw StoreFailure.badBackup(path: source, reason: "reddot puts no file \"\(file.name)\" into one")
      }
      return Restoration.File(
        content: file, path: target.path,
        fate: fate(of: target, isNamed: named.contains(target.path), withFiles), target: target)
    }
    let isDatabaseThere = access(database, F_OK) == 0
    let replaces = restored.contains { if case .replaces = $0.fate { true } else { false } }
    return Restoration(
      source: source, database: database, files: restored,
      saved: replacing && (isDatabaseThere || replaces) ? savedName() : nil,
      isDatabaseThere: isDatabaseThere, isReplacing: replacing)
  }

  /// Returns the contents of the settings files in an archive, which must be valid.
  private func settings(in files: [BackupFile], of source: String) throws -> [String] {
    var defaults = Settings().sourceDefaults
    return try ownFiles.prefix(settingsFile.paths.count).compactMap { name, _ in
      guard let file = files.first(where: { $0.name == name }) else { return nil }
      let text = String(decoding: file.bytes, as: UTF8.self)
      // The written files are readable only by the user.
      let reader = SettingsReader(
        file: "\(name) in \(source)", home: environment.home, isReadableByOthers: false)
      if name == Self.settingsName {
        defaults = try reader.read(text).sourceDefaults
      } else {
        _ = try reader.readFollowed(text, defaults: defaults)
      }
      return text
    }
  }

  /// Returns the path to which a file of the archive is restored in the home folder, or `nil` if the file was
  /// not in a home folder.
  private func other(_ file: BackupFile) -> NewFile? {
    guard file.name.hasPrefix(Self.homePrefix) else { return nil }
    return NewFile(below: environment.home, String(file.name.dropFirst(Self.homePrefix.count)))
  }

  /// Whether reddot itself, or SQLite, writes the file with this path.
  private func isOwn(_ path: String) -> Bool { own.contains(path) || path.hasPrefix(own.last ?? database) }

  /// Returns what is done with a file that is not one of reddot's own: it is restored, or left out for a
  /// reason.
  ///
  /// - Parameter isNamed: whether the settings in the backup name the file.
  private func fate(of target: NewFile, isNamed: Bool, _ withFiles: Bool) -> Restoration.File.Fate {
    guard isNamed else { return .left("the settings in the backup do not name it") }
    if let obstacle = target.obstacle() { return .left(obstacle.words) }
    return withFiles ? .new : .left("it needs --with-files")
  }

  /// Carries out a restore.
  ///
  /// - Returns: lines about what was restored.
  package func restore(_ restoration: Restoration) throws -> [String] {
    if let refusal = restoration.refusal { throw GivenMistake(sentence: refusal) }
    // The user may have taken a while to answer.
    if let path = restoration.unsavedPaths.first(where: { access($0, F_OK) == 0 }) {
      throw GivenMistake(
        sentence: "another program created \(path) meanwhile; run the command again; nothing was changed")
    }
    try makeFolder()
    let content = try StoreBackups.content(of: restoration.source, for: database, at: environment.now())
    defer { content.discard() }
    if let saved = restoration.saved { try save(in: saved) }
    do {
      let store = try Store(path: database, now: environment.now())
      // A poll that began before would assign its messages to other sources.
      var locks: [StoreLock] = []
      for source in try store.sources.registered().listed {
        guard let lock = try store.tryLock(.poll(source.id)) else {
          throw GivenMistake(
            sentence: "\"\(source.name)\" is being polled; try again when that is done; nothing was changed")
        }
        locks.append(lock)
      }
      try store.backups.replace(by: content)
      var written: [BackupFile] = []
      var left: [String] = []
      // The settings come last: a running inbox reads its sources again when they change.
      for file in restoration.files.reversed() where file.isWritten {
        if let target = file.target {
          do throws(NewFile.Obstacle) {
            try target.write(file.content.bytes, isProgram: file.content.mode & 0o111 != 0)
          } catch {
            if case .failure(let reason) = error { throw GivenMistake(sentence: "\(file.path) \(reason)") }
            left.append("\(file.path): left: \(error.words)")
            continue
          }
        } else {
          try replace(file.path, by: file.content)
        }
        written.append(file.content)
      }
      let text = "restored \(try contents(written, store).sentence)"
      for lock in locks { lock.release() }
      try store.close()
      let before = restoration.saved.map {
        "the previous state is in \($0); run `reddot restore --force` with that file to return to it"
      }
      return left + [text] + [before].compactMap(\.self)
    } catch {
      guard let saved = restoration.saved, let failure = error as? any UserFacingError else { throw error }
      throw GivenMistake(sentence: "\(failure.sentence) (the previous state is in \(saved))")
    }
  }

  /// Returns the path of a new file for the data that the restore replaces.
  private func savedName() -> String {
    var name = "\(database).before-restore-\(Int(environment.now().timeIntervalSince1970))"
    // Two within a second: the backup that is to be restored may be the first of them.
    while access(name, F_OK) == 0 { name += "-again" }
    return name
  }

  /// Creates the database's folder: there may be settings without a database.
  private func makeFolder() throws {
    let folder = ReplacedFile.folder(of: database)
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw GivenMistake(sentence: "\(folder) cannot be created: \(SystemReason.words(error))")
    }
  }

  /// Writes the present data into a backup, before it is replaced.
  private func save(in name: String) throws {
    let now = environment.now()
    let files = try files().files
    do throws(StoreFailure) {
      let store = try existingStore(at: now)
      try store.backups.write(to: name, files, at: now)
      try store.close()
    } catch {
      switch error {
      // A database that cannot be read is replaced by one that can.
      case .corrupt, .newerVersion, .olderVersion:
        try Store.inMemory(now: now).backups.write(to: name, files, at: now)
        for suffix in ["", "-wal", "-shm"] { rename(database + suffix, "\(name).unreadable\(suffix)") }
      case _: throw error
      }
    }
  }

  /// Replaces one of reddot's own files. If it is a link, the link stays.
  private func replace(_ path: String, by file: BackupFile) throws {
    do {
      try ReplacedFile(path: path).edit { _ in file.bytes }
    } catch let failure as ReplacedFile.Failure {
      throw GivenMistake(sentence: "\(path) \(failure.reason)")
    }
    guard chmod(path, 0o600) == 0 else {
      throw GivenMistake(sentence: "\(path) cannot be written: \(SystemReason.words(errno: errno))")
    }
  }
}

/// The data in a backup, by kind.
package struct BackupContents: Sendable {
  package var messages: Int
  package var hasSettings: Bool
  package var hasReminders: Bool
  package var hasSyncKey: Bool
  /// The number of files in the backup that are not reddot's own; the settings name them.
  package var otherFiles: Int
  /// Sentences about the files that are not in the backup.
  package var leftOut: [String] = []

  /// A summary, for example `6 messages, the settings, reminders`.
  package var sentence: String {
    let others = "\(otherFiles) \(otherFiles == 1 ? "file" : "files") that the settings name"
    let parts = [
      "\(messages) \(messages == 1 ? "message" : "messages")", hasSettings ? "the settings" : nil,
      hasReminders ? "reminders" : nil, hasSyncKey ? "the key of the synchronisation" : nil,
      otherFiles > 0 ? others : nil,
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }
}

extension Profile {
  /// Returns the path of the file of the recurring reminders.
  ///
  /// - Parameter database: the path of the database; the file is in its folder.
  package static func reminders(besides database: String) -> String {
    file("reminders.json", besides: database)
  }

  /// Returns the path of the file of the encryption key of `[sync]`.
  package static func syncKey(besides database: String) -> String { file("sync.key", besides: database) }

  private static func file(_ name: String, besides database: String) -> String {
    URL(fileURLWithPath: database).deletingLastPathComponent().appending(path: name).path
  }
}
