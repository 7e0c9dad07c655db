import Basics
import Foundation
import Messages
import Storage

/// Measures searches, polls without new messages, and marking everything as read.
struct StoreBenchmark {
  func run(_ database: FilledDatabase, into table: inout ResultTable) async throws {
    let (label, isLargest) = (database.label, database.isLargest)
    let store = try Self.open(database)
    for query in Self.rare { try search(query, isRare: true, store, database, into: &table) }
    for query in Self.common { try search(query, isRare: false, store, database, into: &table) }
    guard let status = try store.sources.statuses().first else { return }
    var empty = Times()
    for _ in 0..<200 {
      let start = ContinuousClock.now
      let now = Date()
      try store.polls.record(
        .content(PollContent(messages: []), PollHints()), for: status.source.id, attempt: .periodic,
        start: now,
        end: now, state: status.state)
      empty.add(ContinuousClock.now - start)
    }
    table.add(
      "an empty increment, \(label)", text(empty.median), goal: isLargest ? "as with 1,000, within 10 %" : "")

    // A read runs during the act, since the list must not freeze.
    let act = Task.detached {
      let start = ContinuousClock.now
      try store.acts.perform(.readAll(InboxQuery()), at: Date())
      return ContinuousClock.now - start
    }
    var slowest = Times()
    let isDone = Task { try await act.value }
    for _ in 0..<200 {
      let start = ContinuousClock.now
      _ = try store.lists.snapshot(InboxQuery(), InboxWindow(after: 50))
      slowest.add(ContinuousClock.now - start)
      try await Task.sleep(for: .milliseconds(5))
    }
    let took = try await isDone.value
    table.add(
      "marking all read, \(label)",
      "\(text(took.milliseconds)); the slowest list beside it \(text(slowest.percentile(1)))",
      goal: isLargest ? "≤ 2.5 s, list not frozen" : "")
    let start = ContinuousClock.now
    _ = try store.acts.undo(at: Date())
    table.add("taking that back, \(label)", text((ContinuousClock.now - start).milliseconds))
  }

  /// Measures only one search.
  func runShortly(_ database: FilledDatabase, into table: inout ResultTable) throws {
    try search(Self.rare[0], isRare: true, Self.open(database), database, into: &table)
  }

  private static func open(_ database: FilledDatabase) throws -> Store {
    let store = try Store(path: database.path, now: Date())
    // This is the time of the newest message, so that there is something new.
    let newest = Workshop.message(database.messages - 1).published ?? Date()
    store.searchTimes { (newest, .gmt) }
    return store
  }

  /// Queries with at least one condition that only few messages meet.
  private static let rare = ["needle", "needle -server", "tag:rare", "newer:1d priority>=4"]
  /// Queries in which every condition is met by many messages.
  private static let common = ["server", "会议", "s*", "-server", "is:unread tag:often", "/need[l]e$/"]

  /// Measures the time until a search has its first page. For queries that are not rare, it also measures the
  /// slices of work in which the search is done, since a slice blocks other work.
  private func search(
    _ text: String, isRare: Bool, _ store: Store, _ database: FilledDatabase, into table: inout ResultTable
  ) throws {
    // After a space the last word isn't a prefix.
    let query = InboxQuery(search: text + " ")
    var (pages, slices) = (Times(), Times())
    for round in 0..<5 {
      // Another search drops the results of this one.
      _ = try store.lists.snapshot(
        InboxQuery(search: "/[r]ound\(round)/"), InboxWindow(after: 50), inSlices: true)
      let start = ContinuousClock.now
      var page: InboxSnapshot
      repeat {
        let slice = ContinuousClock.now
        page = try store.lists.snapshot(query, InboxWindow(after: 50), inSlices: true)
        slices.add(ContinuousClock.now - slice)
      } while page.lookedTo != nil
      pages.add(ContinuousClock.now - start)
      if page.rows.isEmpty { note("nothing found for \(text)") }
    }
    let first = "search's first page, “\(text)”, \(database.label)"
    if isRare {
      table.add(first, Benchmarks.text(pages.median), goal: database.isLargest ? "≤ 50 ms" : "")
    } else {
      table.add(
        first,
        "\(Benchmarks.text(pages.median)), slices p99 \(Benchmarks.text(slices.percentile(0.99))), the longest \(Benchmarks.text(slices.percentile(1)))",
        goal: database.isLargest ? "slices ≤ 16 ms" : "")
    }
  }
}
