import Foundation
import Messages
import Storage

/// Searches, polls without new messages, and marking everything as read.
struct StoreBenchmark {
  func run(_ database: String, size: Int, into table: inout ResultTable) async throws {
    let label = "\(size.formatted(.number.locale(Locale(identifier: "en_US")))) messages"
    let isLargest = size == 1_000_000
    let store = try Store(path: database, now: Date())
    for word in ["server", "needle", "会议"] {
      var times = Times()
      for _ in 0..<5 {
        let start = ContinuousClock.now
        let page = try store.snapshot(InboxQuery(search: word), InboxWindow(after: 50))
        times.add(ContinuousClock.now - start)
        if page.rows.isEmpty { note("nothing found for \(word)") }
      }
      table.add(
        "search's first page, “\(word)”, \(label)", text(times.median), goal: isLargest ? "≤ 50 ms" : "")
    }
    guard let status = try store.statuses().first else { return }
    var empty = Times()
    for _ in 0..<200 {
      let start = ContinuousClock.now
      let now = Date()
      try store.record(
        .content(PollContent(messages: []), PollHints()), for: status.source.id, attempt: .periodic,
        start: now,
        end: now, state: status.state)
      empty.add(ContinuousClock.now - start)
    }
    table.add(
      "an empty increment, \(label)", text(empty.median), goal: isLargest ? "as with 1,000, within 10 %" : "")

    // A read during the act: the list must not freeze.
    let act = Task.detached {
      let start = ContinuousClock.now
      try store.perform(.readAll(InboxQuery()), at: Date())
      return ContinuousClock.now - start
    }
    var slowest = Times()
    let isDone = Task { try await act.value }
    for _ in 0..<200 {
      let start = ContinuousClock.now
      _ = try store.snapshot(InboxQuery(), InboxWindow(after: 50))
      slowest.add(ContinuousClock.now - start)
      try await Task.sleep(for: .milliseconds(5))
    }
    let took = try await isDone.value
    table.add(
      "marking all read, \(label)",
      "\(text(took.milliseconds)); the slowest list beside it \(text(slowest.percentile(1)))",
      goal: isLargest ? "≤ 2 s, list not frozen" : "")
    let start = ContinuousClock.now
    _ = try store.undo(at: Date())
    table.add("taking that back, \(label)", text((ContinuousClock.now - start).milliseconds))
  }
}
