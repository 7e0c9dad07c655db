import GRDB
import Synchronization

/// Connections that are not used any more.
///
/// When a GRDB connection is destroyed, its queue starts Dispatch's pool. That pool wakes up once a second from then on, and a
/// process that gets no further thread waits for it for ever. So they are closed, which frees nearly all of their memory, and
/// the rest stays until the process ends.
enum KeptConnections {
  private static let kept = Mutex<[DatabaseQueue]>([])

  static func keep(_ connection: DatabaseQueue) {
    // While a statement is in use it can't be closed, but only be dropped: SQLite closes it with that statement.
    guard (try? connection.close()) != nil else { return }
    kept.withLock { $0.append(connection) }
  }
}
