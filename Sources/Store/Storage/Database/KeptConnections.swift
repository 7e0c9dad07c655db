import GRDB
import Synchronization

/// Keeps connections that are no longer used.
///
/// When a GRDB connection is destroyed, its queue starts Dispatch's pool. That pool then wakes up once a second, and a
/// process that gets no further thread waits for it forever. So connections are closed, which frees nearly all their
/// memory, and the rest stays until the process ends.
enum KeptConnections {
  private static let kept = Mutex<[DatabaseQueue]>([])

  static func keep(_ connection: DatabaseQueue) {
    // A connection can't be closed while a statement is in use. It can only be dropped, and SQLite closes it with that
    // statement.
    guard (try? connection.close()) != nil else { return }
    kept.withLock { $0.append(connection) }
  }
}
