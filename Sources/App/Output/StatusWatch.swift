import Foundation
import Interface
import Messages
import Screen
import Storage

extension Workspace {
  /// The line of `reddot status`; nil where there is nothing to tell.
  package func statusLine(_ format: StatusFormat) throws -> (line: String?, status: InboxStatus) {
    let status = try status()
    var newest: [(title: String, source: String)] = []
    if format.needsMessages, status.unread > 0 {
      var query = InboxQuery()
      query.isUnreadOnly = true
      let titles = try Dictionary(
        sourceStatuses().map { ($0.source.id, words.title(of: $0).text) },
        uniquingKeysWith: { first, _ in first })
      try eachMessage(query, limit: 5) {
        newest.append(($0.content.title, titles[$0.source] ?? $0.sourceName))
      }
    }
    return (format.line(status, newest: newest, isUTF8: environment.isUTF8), status)
  }

  /// Calls `body` with the line at once and after each change of it, until it throws or the task is cancelled. Nothing
  /// ticks: it waits for changes of the database, and for the moment at which a message appears or goes.
  package func watchStatus(_ format: StatusFormat, _ body: (String) throws -> Void) async throws {
    let (looks, look) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let database = store.path.map { [$0, $0 + "-wal"] } ?? []
    let events = FileEvents(watching: database, open: database)
    let forwarding = Task {
      guard let events else { return }
      for await _ in events.changes { look.yield() }
    }
    defer {
      forwarding.cancel()
      events?.cancel()
    }
    var last: String?
    var timer: Task<Void, Never>?
    defer { timer?.cancel() }
    look.yield()
    for await _ in looks {
      timer?.cancel()
      let line = try statusLine(format).line ?? ""
      if line != last { try body(line) }
      last = line
      let next = try store.advance(to: environment.now()).map {
        max(0.01, $0.timeIntervalSince(environment.now()))
      }
      // Where the system reports no changes of files, it looks every two seconds.
      let wait = min(next ?? 86_400, events == nil ? 2 : 86_400)
      timer = Task {
        guard (try? await Task.sleep(for: .seconds(wait), clock: .continuous)) != nil else { return }
        look.yield()
      }
    }
  }
}
