import Foundation

/// The presence of an open inbox: a shared lock in the folder of the locks, which any number of inboxes can hold.
package final class InboxPresence: Sendable {
  private let descriptor: Int32

  /// - Parameter folder: the folder of the database's locks, or `nil` if the database is in memory.
  /// - Returns: `nil` if there is no folder, or if the system has no descriptor left.
  package init?(folder: String?) {
    guard let folder else { return nil }
    descriptor = Self.open(folder)
    // A process that runs `isThere` holds the lock for an instant.
    guard descriptor >= 0 else { return nil }
    while flock(descriptor, LOCK_SH) != 0, errno == EINTR {}
  }

  deinit { close(descriptor) }

  /// Whether an inbox is open on the database of these locks.
  package static func isThere(folder: String?) -> Bool {
    guard let folder else { return false }
    let descriptor = open(folder)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  private static func open(_ folder: String) -> Int32 {
    Foundation.open("\(folder)/inbox", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
  }
}
