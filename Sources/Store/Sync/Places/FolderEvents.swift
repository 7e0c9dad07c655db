import Foundation
import Glibc
import Platform
import Synchronization

/// Events in the folders of a sync location, from inotify(7). Other systems have none.
final class FolderEvents: Sendable {
  /// The most important kind of the events that have happened.
  enum News: Int, Comparable {
    /// Nothing, or nothing that concerns an object.
    case nothing
    /// The list may have changed.
    case names
    /// A file with the name of an object was written, as by programs that copy files.
    case object

    static func < (left: News, right: News) -> Bool { left.rawValue < right.rawValue }
  }

  private let events: SystemFileEvents
  /// The events that were read from the system, but not returned by `read` yet.
  private let news = Mutex(News.nothing)

  /// Returns `nil` if the system has no file events, or the limit of their number is reached.
  init?() {
    guard let events = SystemFileEvents() else { return nil }
    self.events = events
  }

  /// The descriptor, which is readable when there are events.
  var descriptor: Int32 {
    events.descriptor
  }

  /// Watches a folder from now on. Repeated calls have no effect. A folder that can't be watched has no events.
  func watch(_ folder: String) {
    let mask =
      IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CLOSE_WRITE | IN_DELETE_SELF | IN_MOVE_SELF
    events.watch(folder, UInt32(mask))
  }

  /// Returns the events since the last call.
  func read() -> News {
    let read = peek()
    news.withLock { $0 = .nothing }
    return read
  }

  /// Returns the events and keeps them for `read`.
  func peek() -> News {
    let arrived = arrived()
    return news.withLock { news in
      news = max(news, arrived)
      return news
    }
  }

  private func arrived() -> News {
    var news = News.nothing
    events.read { event, name in news = max(news, Self.meaning(of: event, name)) }
    return news
  }

  private static func meaning(of event: inotify_event, _ name: Slice<UnsafeMutableRawBufferPointer>) -> News {
    // Without a name, the event is of the folder itself, or the system's queue has overflowed.
    if name.first == UInt8(ascii: ".") { return .nothing }
    guard event.mask & UInt32(IN_CLOSE_WRITE) != 0 else { return .names }
    return name.suffix(4).elementsEqual(".ops".utf8) ? .object : .nothing
  }
}
