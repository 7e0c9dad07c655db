import Foundation
import Limits
import Messages
import Transport

/// The requests of one poll, and what they brought.
struct MinifluxIntake {
  private(set) var cursor: MinifluxCursor
  private(set) var problems: [PollProblem] = []
  private(set) var marks: [UpstreamState.Mark] = []
  private let isFirst: Bool
  /// Parts of pages, as they came.
  private var parts: [[MinifluxPage.Entry]] = []
  /// Where the entries are that become messages, by their ids: of two answers with the same entry the later one counts.
  private var places: [Int: (part: Int, index: Int)] = [:]
  /// How many entries and bytes this poll may still fetch.
  private var left: Int
  private var bytesLeft = Limits.responseBytes

  init(_ stored: Cursor?) {
    let known = stored.flatMap(MinifluxCursor.init)
    cursor = known ?? MinifluxCursor()
    isFirst = known == nil
    left = isFirst ? Limits.firstBacklogEntries : Limits.backlogEntries
  }

  /// The messages, oldest first. They are taken out of the entries: to copy one is expensive.
  mutating func takeMessages() -> [IncomingMessage] {
    var messages: [IncomingMessage] = []
    messages.reserveCapacity(places.count)
    let ids = parts.lazy.joined().map(\.id)
    // Usually all of them become messages, and come in one direction.
    if places.count == parts.reduce(0, { $0 + $1.count }), zip(ids, ids.dropFirst()).allSatisfy({ $0 > $1 }) {
      for part in parts.indices.reversed() {
        for index in parts[part].indices.reversed() { messages.append(takeMessage(part, index)) }
      }
    } else {
      for place in places.sorted(by: { $0.key < $1.key }) {
        messages.append(takeMessage(place.value.part, place.value.index))
      }
    }
    return messages
  }

  private mutating func takeMessage(_ part: Int, _ index: Int) -> IncomingMessage {
    var message = Self.nothing
    swap(&message, &parts[part][index].message)
    return message
  }

  private static let nothing = IncomingMessage(remoteID: RemoteID(""), kind: .service, title: "")

  /// The limits of a poll were reached: the next one continues.
  var hasMore: Bool { cursor.backlog != nil || cursor.changes != nil }

  private var isFull: Bool { left <= 0 || bytesLeft <= 0 }

  mutating func run(_ server: MinifluxServer) async throws(ServiceFailure) {
    if isFirst {
      try await begin(server)
    } else if cursor.since != nil {
      let known = cursor.newest
      try await readChanges(server)
      if places.keys.contains(where: { $0 > known }) { try await readNews(server) }
    } else {
      try await readNews(server)
    }
    try await readBacklog(server)
  }

  /// What is new from now on, before what is unread already: nothing can come between the two.
  private mutating func begin(_ server: MinifluxServer) async throws(ServiceFailure) {
    let (page, date) = try await server.entries([], ascending: false, limit: 1)
    cursor.newest = page.first?.id ?? 0
    cursor.since = (date ?? page.first?.changed).map { Int($0.timeIntervalSince1970) }
    // The largest number that there is may be an id.
    cursor.backlog = min(cursor.newest, .max - 1) + 1
  }

  /// Entries that are new, or that were read, starred or removed since the last poll.
  private mutating func readChanges(_ server: MinifluxServer) async throws(ServiceFailure) {
    guard let since = cursor.since else { return }
    var after = cursor.changes?.after ?? 0
    var until = cursor.changes?.until
    var isLater = cursor.changes != nil
    while !isFull {
      var query = [("changed_after", String(since - Self.overlap))]
      if isLater { query.append(("after_entry_id", String(after))) }
      let limit = isLater ? Limits.backlogPage : Self.usualPage
      let (page, date) = try await server.entries(query, ascending: true, limit: limit)
      if Self.isUnaware(page, of: since - Self.overlap) {
        cursor.since = nil
        cursor.changes = nil
        return try await readNews(server)
      }
      if !isLater {
        until = (date ?? page.changes.max()).map { Int($0.timeIntervalSince1970) }
      }
      take(page, onlyUnread: true)
      guard page.count >= limit, let last = page.last?.id else {
        cursor.since = until.map { max($0, since) } ?? since
        cursor.changes = nil
        return
      }
      guard !isLater || last > after else { throw ServiceFailure(failure: .cursorStuck(page: 1)) }
      after = last
      isLater = true
      cursor.changes = (after, until)
    }
  }

  /// Versions before 2.0.49 do not know `changed_after` and list everything.
  private static func isUnaware(_ page: MinifluxPage, of time: Int) -> Bool {
    let changes = page.changes
    return changes.contains { $0.timeIntervalSince1970 <= Double(time) }
      || changes.isEmpty && page.first != nil
  }

  /// All entries after the newest known one.
  private mutating func readNews(_ server: MinifluxServer) async throws(ServiceFailure) {
    var limit = Self.usualPage
    while !isFull {
      let (page, date) = try await server.entries(
        [("after_entry_id", String(cursor.newest))], ascending: true, limit: limit)
      guard let last = page.last?.id else { return take(page, onlyUnread: false) }
      guard last > cursor.newest else { throw ServiceFailure(failure: .cursorStuck(page: 1)) }
      take(page, onlyUnread: false)
      cursor.newest = last
      // The server has learnt to tell of changes.
      if cursor.since == nil, !page.changes.isEmpty {
        cursor.since = date.map { Int($0.timeIntervalSince1970) }
      }
      if page.count < limit { return }
      limit = Limits.backlogPage
    }
  }

  /// While the messages of one page are made, the next one is on its way; it is read after that, since the messages of
  /// earlier parts are being stored meanwhile, which takes longer and must not wait for a processor.
  private mutating func readBacklog(_ server: MinifluxServer) async throws(ServiceFailure) {
    guard let before = cursor.backlog, !isFull else { return }
    var limit = isFirst ? Self.usualPage : Limits.backlogPage
    var draft = try await MinifluxDraft.read(server.unread(before: before, limit: limit).get().response.body)
    while let before = cursor.backlog {
      let last = draft.count < limit ? nil : draft.last
      if let last, last >= before { throw ServiceFailure(failure: .cursorStuck(page: 1)) }
      let isFilled = left <= draft.count || bytesLeft <= draft.bytes
      let next = isFilled ? nil : last
      limit = Limits.backlogPage
      async let following = next == nil ? nil : server.unread(before: next ?? 0, limit: Limits.backlogPage)
      take(try await draft.finished(sparing: isFirst ? 0 : 1), onlyUnread: false)
      cursor.backlog = last
      guard let answer = await following else { return }
      draft = try await MinifluxDraft.read(answer.get().response.body)
    }
  }

  /// - Parameter onlyUnread: of entries that may be older than the first poll only the unread ones become messages.
  private mutating func take(_ page: MinifluxPage, onlyUnread: Bool) {
    left -= page.count
    bytesLeft -= page.bytes
    problems += page.problems.prefix(max(0, Limits.storedProblems - problems.count))
    for part in page.parts {
      for (index, entry) in part.enumerated() {
        marks.append(UpstreamState.Mark(entry.message.remoteID, entry.marks))
        if onlyUnread, entry.marks.isRead == true, entry.id <= cursor.newest { continue }
        if entry.marks.isDone != true { places[entry.id] = (parts.count, index) }
      }
      parts.append(part)
    }
  }

  /// Seconds: times of a server are whole ones, and an entry is seen a moment after it was changed.
  private static let overlap = 10
  /// Entries in the first page: usually the only one.
  private static let usualPage = 100
}
