import Basics
import Foundation
import HTTP
import Messages

/// Sends the requests of one part of a poll, and collects their results.
struct MinifluxIntake {
  private(set) var cursor: MinifluxCursor
  /// The messages, oldest first.
  private(set) var messages: [IncomingMessage] = []
  private(set) var problems: [FormatProblem] = []
  /// The state of messages at the server.
  private(set) var marks: [UpstreamState.Mark] = []

  init(_ cursor: MinifluxCursor) { self.cursor = cursor }

  /// Whether the next part has something to read.
  var hasMore: Bool { cursor.backlog != nil || cursor.after != nil || cursor.hasNews == true }

  /// Sends the requests that are due next.
  ///
  /// - Parameter isContinued: whether an earlier part of this poll has read the changes.
  mutating func run(_ server: MinifluxServer, isContinued: Bool) async throws(ServiceFailure) {
    if cursor.newest == nil {
      try await begin(server)
      try await readBacklog(server, limit: Self.usualPage)
    } else if cursor.since != nil, cursor.after != nil || !isContinued {
      try await readChanges(server)
    } else if cursor.hasNews == true || cursor.since == nil && !isContinued {
      try await readNews(server)
    } else {
      try await readBacklog(server, limit: Limits.backlogPage)
    }
  }

  /// Records the server's newest entry, after which entries count as new. It is called before the unread entries are
  /// read, so that no entry that arrives meanwhile is missed.
  private mutating func begin(_ server: MinifluxServer) async throws(ServiceFailure) {
    let (page, date) = try await server.entries([], ascending: false, limit: 1)
    let newest = page.first?.id ?? 0
    cursor.newest = newest
    cursor.since = (date ?? page.first?.changed).map { Int($0.timeIntervalSince1970) }
    // The greatest possible number may be an id.
    cursor.backlog = min(newest, .max - 1) + 1
  }

  /// Reads entries that are new, or that were read, starred or removed since the last poll.
  private mutating func readChanges(_ server: MinifluxServer) async throws(ServiceFailure) {
    guard let since = cursor.since, let newest = cursor.newest else { return }
    let time = since &- Self.overlap
    let after = cursor.after
    let limit = after == nil ? Self.usualPage : Limits.backlogPage
    let (page, date) = try await server.entries(
      [("changed_after", String(time))] + (after.map { [("after_entry_id", String($0))] } ?? []),
      ascending: true, limit: limit)
    if Self.isUnaware(page, of: time) {
      (cursor.since, cursor.after, cursor.until) = (nil, nil, nil)
      return try await readNews(server)
    }
    if after == nil { cursor.until = (date ?? page.changes.max()).map { Int($0.timeIntervalSince1970) } }
    // New entries are read by `readNews`, together with those whose times are wrong.
    let known = page.entries.filter { $0.id <= newest }
    if known.count < page.entries.count { cursor.hasNews = true }
    add(known, page.problems, onlyUnread: true)
    if page.count >= limit, let last = page.last?.id {
      guard after.map({ last > $0 }) ?? true else { throw ServiceFailure(failure: .cursorStuck(page: 1)) }
      cursor.after = last
    } else {
      cursor.since = cursor.until.map { max($0, since) } ?? since
      (cursor.after, cursor.until) = (nil, nil)
    }
  }

  /// Whether the server ignores `changed_after`: versions before 2.0.49 don't know it and list everything.
  private static func isUnaware(_ page: MinifluxPage, of time: Int) -> Bool {
    let changes = page.changes
    return changes.contains { $0.timeIntervalSince1970 <= Double(time) }
      || changes.isEmpty && page.first != nil
  }

  /// Reads the entries after the newest known one.
  private mutating func readNews(_ server: MinifluxServer) async throws(ServiceFailure) {
    let newest = cursor.newest ?? 0
    let limit = cursor.isCatchingUp == true ? Limits.backlogPage : Self.usualPage
    let (page, date) = try await server.entries(
      [("after_entry_id", String(newest))], ascending: true, limit: limit)
    add(page.entries, page.problems, onlyUnread: false)
    guard let last = page.last?.id else {
      (cursor.hasNews, cursor.isCatchingUp) = (nil, nil)
      if cursor.since == nil { try await beginAgainIfRestored(server, newest) }
      return
    }
    guard last > newest else { throw ServiceFailure(failure: .cursorStuck(page: 1)) }
    cursor.newest = last
    // The server was updated and now reports changes.
    if cursor.since == nil, !page.changes.isEmpty {
      cursor.since = date.map { Int($0.timeIntervalSince1970) }
    }
    cursor.hasNews = page.count < limit ? nil : true
    cursor.isCatchingUp = cursor.hasNews
  }

  /// Starts again if a server was restored from a backup: it continues with a smaller id, and a server that doesn't
  /// report changes would never list those entries as new. Each message is recognised by its title and date.
  private mutating func beginAgainIfRestored(
    _ server: MinifluxServer, _ newest: Int
  ) async throws(ServiceFailure) {
    let (page, _) = try await server.entries([], ascending: false, limit: 1)
    guard let greatest = page.first?.id, greatest < newest else { return }
    cursor.newest = greatest
    cursor.backlog = greatest + 1
  }

  /// Reads the next page of the unread entries that existed at the first poll, newest first.
  private mutating func readBacklog(_ server: MinifluxServer, limit: Int) async throws(ServiceFailure) {
    guard let before = cursor.backlog else { return }
    let (page, _) = try await server.entries(
      [("status", "unread"), ("before_entry_id", String(before))], ascending: false, limit: limit)
    let last = page.count < limit ? nil : page.last?.id
    if let last, last >= before { throw ServiceFailure(failure: .cursorStuck(page: 1)) }
    add(page.entries, page.problems, onlyUnread: false)
    // The server lists the newest entry first.
    messages.reverse()
    cursor.backlog = last
  }

  /// Adds the messages and states of entries.
  ///
  /// - Parameter onlyUnread: whether entries that were read add only their state, but no message, because they may be
  ///   older than the first poll.
  private mutating func add(
    _ entries: [MinifluxPage.Entry], _ problems: [FormatProblem], onlyUnread: Bool
  ) {
    self.problems += problems
    for entry in entries {
      marks.append(UpstreamState.Mark(entry.message.remoteID, entry.marks))
      if onlyUnread, entry.marks.isRead == true { continue }
      if entry.marks.isDone != true { messages.append(entry.message) }
    }
  }

  /// The number of seconds by which changes are read again: a server's times are whole seconds, and an entry becomes
  /// visible a moment after its change.
  private static let overlap = 10
  /// The number of entries of the first page, which is usually also the last one.
  private static let usualPage = 100
}
