import Basics
import Foundation
import Platform
import Settings
package import Sync

/// The encryption key of the location, in a file next to the database that only its owner can read.
package struct SyncKeyFile {
  package let path: String

  /// - Parameter database: the path of the database.
  package init(besideDatabase database: String) {
    path = Profile.syncKey(besides: database)
  }

  /// The path of a second file, for the key of a location that the settings don't name yet. Its second line is that
  /// location. Until the settings name it, the former key stays valid, even if the process is ended.
  private var nextPath: String { path + ".next" }

  /// Returns the key of the location that the settings name, or `nil` if there is none.
  package func read(for place: PlaceAddress) throws(SyncFailure) -> SyncKey? {
    try takeNext(for: place)
    return try read()
  }

  /// Returns the key, or `nil` if there is no file.
  package func read() throws(SyncFailure) -> SyncKey? {
    guard let text = try Self.text(path) else { return nil }
    guard let key = SyncKey(fileText: text) else {
      throw .noKey(path: path, reason: "does not contain 64 hex digits")
    }
    return key
  }

  /// Returns the key that is stored for a future location, or `nil` if there is none.
  func next(for place: PlaceAddress) throws(SyncFailure) -> SyncKey? {
    guard let lines = try Self.text(nextPath)?.split(onBytes: "\n"), lines.count == 2, lines[1] == "\(place)"
    else { return nil }
    return SyncKey(fileText: lines[0] + "\n")
  }

  /// Stores the key of a location that the settings do not name yet. The key is on the disk when this returns.
  func keep(_ key: SyncKey, for place: PlaceAddress) throws(SyncFailure) {
    if try read() == key { return try dropNext() }
    try write("\(key.fileText)\(place)\n", to: nextPath)
  }

  /// Replaces the former key with the key of the location that the settings now name. Does nothing if no key is stored
  /// for it.
  func takeNext(for place: PlaceAddress) throws(SyncFailure) {
    guard let key = try next(for: place) else { return }
    try write(key.fileText, to: path)
    try dropNext()
  }

  /// Deletes the key that is stored for a future location.
  func dropNext() throws(SyncFailure) {
    guard unlink(nextPath) == 0 || errno == ENOENT else {
      throw .noKey(path: nextPath, reason: "cannot be deleted: \(String(cString: strerror(errno)))")
    }
  }

  /// Returns the content of a file that only its owner can read, or `nil` if there is no file.
  private static func text(_ path: String) throws(SyncFailure) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT { return nil }
      throw .noKey(path: path, reason: "cannot be read: \(String(cString: strerror(errno)))")
    }
    guard status.st_mode & 0o077 == 0 else { throw .openKey(path: path) }
    do throws(BoundedFile.Failure) {
      return String(
        decoding: try BoundedFile.read(path, limit: Limits.tokenOutputBytes, within: .seconds(10)),
        as: UTF8.self)
    } catch {
      throw .noKey(path: path, reason: error.reason)
    }
  }

  private func write(_ text: String, to path: String) throws(SyncFailure) {
    do {
      try ReplacedFile(path: path).edit { _ in Data(text.utf8) }
    } catch {
      throw .noKey(
        path: path, reason: (error as? ReplacedFile.Failure)?.reason ?? "cannot be written: \(error)")
    }
    // An existing file may have been readable by others.
    guard chmod(path, 0o600) == 0 else {
      throw .noKey(path: path, reason: "cannot be closed to other users: \(String(cString: strerror(errno)))")
    }
  }
}
