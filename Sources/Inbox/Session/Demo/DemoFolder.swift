import Foundation
import Platform
import Storage
import Synchronization

/// The folder of a demo: it contains everything that the demo stores, and is deleted when the demo ends.
package final class DemoFolder: Sendable {
  private let made = Mutex<String?>(nil)

  package init() {}

  /// The path; empty before `make`.
  package var path: String { made.withLock { $0 ?? "" } }

  /// Creates the folder. If a signal calls `remove` meanwhile, that call waits until the folder's name is known.
  package func make() throws {
    try made.withLock { path in
      if path == nil { path = try TemporaryFolder("reddot-demo").path }
    }
  }

  /// Deletes the folder, even while this process still writes into it. A second call only waits for the first one,
  /// since the process must not end during the deletion.
  ///
  /// The folder is renamed first. Everything in it is opened by its path, so from then on no new files are added, and
  /// the deletion does not fail because a folder has content again. Meanwhile an empty file has the folder's name,
  /// since a database creates missing folders.
  ///
  /// - Returns: a sentence for the user if the folder is left, or `nil`.
  package func remove() -> String? {
    made.withLock { made in
      guard let path = made else { return nil }
      made = nil
      let ended = path + ".ended"
      if rename(path, ended) != 0 {
        return errno == ENOENT ? nil : Self.remains(path, String(cString: strerror(errno)))
      }
      do {
        while !Self.makeFile(path) {
          guard errno == EEXIST else { break }
          try FileManager.default.removeItem(atPath: path)
        }
        try FileManager.default.removeItem(atPath: ended)
        unlink(path)
        return nil
      } catch {
        return Self.remains(ended, SystemReason.words(error))
      }
    }
  }

  private static func makeFile(_ path: String) -> Bool {
    let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    if descriptor >= 0 { close(descriptor) }
    return descriptor >= 0
  }

  private static func remains(_ path: String, _ reason: String) -> String {
    "the demo's folder \(path) could not be deleted (\(reason)); delete it"
  }
}
