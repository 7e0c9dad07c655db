import Foundation
import Glibc
import Platform
import Synchronization

/// What happened in the folders of a place, by inotify(7). Other systems have none.
final class FolderEvents: Sendable {
  enum News: Int, Comparable {
    /// Nothing, or nothing of an object.
    case nothing
    /// The list may be another one.
    case names
    /// A file was written that has the name of an object already, as programs do that copy files.
    case object

    static func < (left: News, right: News) -> Bool { left.rawValue < right.rawValue }
  }

  private let events: SystemFileEvents
  /// Read, but not given by `read` yet.
  private let news = Mutex(News.nothing)

  /// Nil where the system has no events, or no more of them.
  init?() {
    guard let events = SystemFileEvents() else { return nil }
    self.events = events
  }

  /// Readable when there are news.
  var descriptor: Int32 {
    events.descriptor
  }

  /// Watches a folder from now on; once for each folder, however often it is called. One that can't be watched has no
  /// events.
  func watch(_ folder: String) {
    let mask =
      IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CLOSE_WRITE | IN_DELETE_SELF | IN_MOVE_SELF
    events.watch(folder, UInt32(mask))
  }

  /// The news since the last call.
  func read() -> News {
    let read = peek()
    news.withLock { $0 = .nothing }
    return read
  }

  /// The same; they stay for `read`.
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
    // Without a name it is of the folder itself, or the system's queue has overflowed.
    if name.first == UInt8(ascii: ".") { return .nothing }
    guard event.mask & UInt32(IN_CLOSE_WRITE) != 0 else { return .names }
    return name.suffix(4).elementsEqual(".ops".utf8) ? .object : .nothing
  }
}
