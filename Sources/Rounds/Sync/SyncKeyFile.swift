import Files
import Foundation
import Limits
import Platform
import Settings
package import Sync
import Workspace

/// The key of the place, in a file beside the database that only its owner can read.
package struct SyncKeyFile {
  package let path: String

  /// - Parameter database: nil in memory.
  package init(besideDatabase database: String) {
    path = Workspace.syncKey(besides: database)
  }

  /// Nil where there is no file.
  package func read() throws(SyncFailure) -> SyncKey? {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT { return nil }
      throw .noKey(path: path, reason: "can't be read: \(String(cString: strerror(errno)))")
    }
    guard status.st_mode & 0o077 == 0 else { throw .openKey(path: path) }
    let bytes: Data
    do throws(BoundedFile.Failure) {
      bytes = try BoundedFile.read(path, limit: Limits.tokenOutputBytes, within: .seconds(10))
    } catch {
      throw .noKey(path: path, reason: error.reason)
    }
    guard let key = SyncKey(fileText: String(decoding: bytes, as: UTF8.self)) else {
      throw .noKey(path: path, reason: "doesn't hold 64 hex digits")
    }
    return key
  }

  /// Replaces what is there; on the disk when it returns.
  package func write(_ key: SyncKey) throws {
    try ReplacedFile(path: path).edit { _ in Data(key.fileText.utf8) }
    // A file that was there before may have been open to others.
    guard chmod(path, 0o600) == 0 else {
      throw SyncFailure.noKey(
        path: path, reason: "can't be closed to others: \(String(cString: strerror(errno)))")
    }
  }
}
