import Synchronization

/// The cookies of one poll, each with its host and path (RFC 6265). All requests of the poll share the jar.
package final class CookieJar: Sendable {
  /// The cookies in the format of libcurl's cookie lists.
  private let lines = Mutex<[String]>([])

  package init() {}

  var cookies: [String] {
    get { lines.withLock { $0 } }
    set { lines.withLock { $0 = newValue } }
  }
}

extension CookieJar: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "<\(cookies.count) cookies>" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
