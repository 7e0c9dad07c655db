import Foundation
import GRDB

/// The file of a store: made private on first start, judged by its header before SQLite touches it.
struct DatabaseFile {
  let path: String

  /// Opens the file for all of the process, migrating it if an older reddot wrote it.
  ///
  /// One process at a time: what makes the journal and the tables asks for locks that no busy timeout covers.
  func open(installed: Date, pageLimit: Int?) throws -> Connections {
    try makeDirectory(directory)
    try makeDirectory(lockDirectory)
    let turn = try LockFile(path: lockDirectory + "/opening")
    defer { turn.close() }
    try turn.lock()
    try makeFile()
    if try inspectHeader() == .empty { try stamp() }
    let connections = try Connections(file: path, pageLimit: pageLimit)
    try Self.bringUpToDate(connections, path: path, installed: installed)
    return connections
  }

  /// Holds a lock file for opening, and one for each source that was ever polled.
  var lockDirectory: String { path + ".locks" }

  // MARK: - Making

  private var directory: String { (path as NSString).deletingLastPathComponent }

  private func makeDirectory(_ directory: String) throws {
    guard !directory.isEmpty, access(directory, F_OK) != 0 else { return }
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw StoreFailure.readOnly(path: directory, reason: Self.reason(error))
    }
  }

  private func makeFile() throws {
    let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failureToOpen(path, errno: errno) }
    close(descriptor)
  }

  /// Marks an empty file as ours while it is not in WAL mode yet, so that the mark stands in the file itself
  /// whenever the process is killed.
  private func stamp() throws {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA application_id = \(Schema.applicationID)")
    }
    try queue.close()
  }

  // MARK: - Judging

  private enum Header { case empty, ours }

  private func inspectHeader() throws -> Header {
    guard let file = FileHandle(forReadingAtPath: path) else {
      throw Self.failureToOpen(path, errno: errno)
    }
    defer { try? file.close() }
    let header = try file.read(upToCount: 100) ?? Data()
    if header.isEmpty { return .empty }
    guard header.count == 100, header.starts(with: Data("SQLite format 3\0".utf8)) else {
      throw StoreFailure.corrupt(path: path, reason: "this is not an SQLite database")
    }
    func number(at offset: Int) -> Int { header[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
    guard number(at: 68) == Int(Schema.applicationID) else { throw StoreFailure.foreign(path: path) }
    try Self.refuseNewer(number(at: 60), path: path)
    return .ours
  }

  private static func refuseNewer(_ version: Int, path: String) throws {
    if version > Schema.version {
      throw StoreFailure.newerVersion(path: path, found: version, known: Schema.version)
    }
  }

  /// The header in the file may lag behind the write-ahead log: the version that counts is SQLite's.
  static func bringUpToDate(_ connections: Connections, path: String, installed: Date) throws {
    let version = try connections.write { try $0.integer("PRAGMA user_version") ?? 0 }
    if version == Schema.version { return }
    try refuseNewer(Int(version), path: path)
    try connections.migrate(Schema.migrator(installed: installed.milliseconds))
    _ = try connections.write { db in try db.checkpoint(.passive) }
  }

  // MARK: - Failures

  static func failureToOpen(_ path: String, errno code: Int32) -> StoreFailure {
    let reason = String(cString: strerror(code))
    switch code {
    case EACCES, EPERM, EROFS: return .readOnly(path: path, reason: reason)
    case ENOSPC, EDQUOT: return .diskFull(path: path)
    default: return .cannotOpen(path: path, reason: reason)
    }
  }

  /// SQLite cannot open a database whose log it may not create: then the directory is what to name.
  static func failureToOpen(_ path: String, reason: String) -> StoreFailure {
    let directory = (path as NSString).deletingLastPathComponent
    if !directory.isEmpty, access(directory, W_OK) != 0 {
      return failureToOpen(directory, errno: errno)
    }
    return .cannotOpen(path: path, reason: reason)
  }

  private static func reason(_ error: any Error) -> String {
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
    guard let underlying, underlying.domain == NSPOSIXErrorDomain else { return error.localizedDescription }
    return String(cString: strerror(Int32(underlying.code)))
  }
}
