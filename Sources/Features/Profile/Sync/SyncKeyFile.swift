import Basics
import Foundation
import Platform
import Settings
package import Sync

/// The key of the place, in a file beside the database that only its owner can read.
package struct SyncKeyFile {
  package let path: String

  /// - Parameter database: nil in memory.
  package init(besideDatabase database: String) {
    path = Profile.syncKey(besides: database)
  }

  /// The key of a place that the settings don't name yet, and in its second line that place: until they do, the former key
  /// stays, whenever the process ends.
  private var nextPath: String { path + ".next" }

  /// The key of the place that the settings name; nil if there is none.
  package func read(for place: PlaceAddress) throws(SyncFailure) -> SyncKey? {
    try takeNext(for: place)
    return try read()
  }

  /// Nil if there is no file.
  package func read() throws(SyncFailure) -> SyncKey? {
    guard let text = try Self.text(path) else { return nil }
    guard let key = SyncKey(fileText: text) else {
      throw .noKey(path: path, reason: "doesn't hold 64 hex digits")
    }
    return key
  }

  /// The key that is kept for a place; nil if there is none.
  func next(for place: PlaceAddress) throws(SyncFailure) -> SyncKey? {
    guard let lines = try Self.text(nextPath)?.split(exactly: "\n"), lines.count == 2, lines[1] == "\(place)"
    else { return nil }
    return SyncKey(fileText: lines[0] + "\n")
  }

  /// Keeps the key of a place until the settings name it; on the disk when it returns.
  func keep(_ key: SyncKey, for place: PlaceAddress) throws(SyncFailure) {
    if try read() == key { return try dropNext() }
    try write("\(key.fileText)\(place)\n", to: nextPath)
  }

  /// The settings name the place: its key replaces the former one. Does nothing if none is kept.
  func takeNext(for place: PlaceAddress) throws(SyncFailure) {
    guard let key = try next(for: place) else { return }
    try write(key.fileText, to: path)
    try dropNext()
  }

  func dropNext() throws(SyncFailure) {
    guard unlink(nextPath) == 0 || errno == ENOENT else {
      throw .noKey(path: nextPath, reason: "can't be deleted: \(String(cString: strerror(errno)))")
    }
  }

  private static func text(_ path: String) throws(SyncFailure) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT { return nil }
      throw .noKey(path: path, reason: "can't be read: \(String(cString: strerror(errno)))")
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
        path: path, reason: (error as? ReplacedFile.Failure)?.reason ?? "can't be written: \(error)")
    }
    // A file that was there before may have been open to others.
    guard chmod(path, 0o600) == 0 else {
      throw .noKey(path: path, reason: "can't be closed to others: \(String(cString: strerror(errno)))")
    }
  }
}
