import Foundation
import Messages
import Testing

@testable import Storage

@Suite struct SnapshotTests {
  let store: Store
  let source: SourceID

  init() throws { (store, source) = try Store.following(messages(1...20)) }

  private func window(_ window: InboxWindow, _ query: InboxQuery = InboxQuery()) throws -> InboxSnapshot {
    try store.lists.snapshot(query, window)
  }

  private func numbers(_ snapshot: InboxSnapshot) -> [Int] {
    snapshot.rows.compactMap { Int($0.title.dropFirst(6)) }
  }

  @Test func countsAreThoseOfTheStatuses() throws {
    try store.pushes.add(
      IncomingMessage(remoteID: RemoteID("1"), kind: .local, title: "Pushed"),
      into: ConfiguredSource(name: "scripts", kind: .local, address: ""), at: noon)
    let statuses = try store.sources.statuses()
    let counts = try store.sources.unreadCounts()
    #expect(counts.count == 2 && statuses.count == 2)
    for status in statuses {
      #expect(counts[status.source.id] == status.counts)
    }
    // A source that isn't followed any more is counted nowhere.
    try store.sources.register([], at: noon)
    #expect(try store.sources.unreadCounts()[source] == nil)
  }

  @Test func theStartShowsTheNewestAndSaysThereIsMore() throws {
    let snapshot = try window(InboxWindow(anchor: .start, after: 3))
    #expect(numbers(snapshot) == [20, 19, 18])
    #expect(!snapshot.hasMoreBefore && snapshot.hasMoreAfter)
    #expect(try !window(InboxWindow(after: 20)).hasMoreAfter)
  }

  @Test func theEndShowsTheOldest() throws {
    let snapshot = try window(InboxWindow(anchor: .end, before: 2, after: 1))
    #expect(numbers(snapshot) == [3, 2, 1])
    #expect(snapshot.hasMoreBefore && !snapshot.hasMoreAfter)
  }

  @Test func aKeyIsTheFirstRowAfterTheOnesBefore() throws {
    let key = try window(InboxWindow()).rows[10].key
    let snapshot = try window(InboxWindow(anchor: .key(key), before: 2, after: 3))
    #expect(numbers(snapshot) == [12, 11, 10, 9, 8])
    #expect(snapshot.hasMoreBefore && snapshot.hasMoreAfter)
    let top = try window(InboxWindow(anchor: .key(key), before: 10, after: 0))
    #expect(numbers(top) == Array(11...20).reversed())
    #expect(!top.hasMoreBefore && top.hasMoreAfter)
  }

  @Test func aMissingKeyIsReplacedByTheNextOne() throws {
    let key = try window(InboxWindow()).rows[10].key
    try store.acts.perform(.dismiss([key.id]), at: noon)
    let snapshot = try window(InboxWindow(anchor: .key(key), before: 1, after: 2))
    #expect(numbers(snapshot) == [11, 9, 8])
  }

  @Test func emptyAndHugeWindowsAreFine() throws {
    let empty = try window(InboxWindow(after: 0))
    #expect(empty.rows.isEmpty && empty.hasMoreAfter)
    #expect(try window(InboxWindow(anchor: .start, before: -5, after: -5)).rows.isEmpty)
    #expect(try window(InboxWindow(anchor: .end, before: 500, after: 500)).rows.count == 20)
    #expect(try Store.fresh().snapshot().rows.isEmpty)
  }

  @Test func nextUnreadSkipsWhatIsReadInBothDirections() throws {
    let rows = try window(InboxWindow()).rows
    try store.acts.perform(.read(rows[3...7].map(\.id)), at: noon)
    let all = InboxQuery()
    #expect(try store.lists.nextUnread(after: rows[2].key, query: all, forward: true).found == rows[8].key)
    #expect(try store.lists.nextUnread(after: rows[8].key, query: all, forward: false).found == rows[2].key)
    #expect(try store.lists.nextUnread(after: rows[5].key, query: all, forward: true).found == rows[8].key)
    #expect(try store.lists.nextUnread(after: nil, query: all, forward: true).found == rows[0].key)
    #expect(try store.lists.nextUnread(after: nil, query: all, forward: false).found == rows[19].key)
    #expect(try store.lists.nextUnread(after: rows[19].key, query: all, forward: true).found == nil)
    #expect(
      try store.lists.nextUnread(after: rows[0].key, query: InboxQuery(scope: .starred), forward: true).found
        == nil
    )
    let search = InboxQuery(search: "title")
    #expect(try store.lists.nextUnread(after: rows[2].key, query: search, forward: true).found == rows[8].key)
  }

  @Test(arguments: [
    InboxQuery(), InboxQuery(isUnreadOnly: true), InboxQuery(scope: .starred),
    InboxQuery(scope: .starred, isUnreadOnly: true), InboxQuery(scope: .source(SourceID(1))),
    InboxQuery(scope: .source(SourceID(1)), isUnreadOnly: true), InboxQuery(search: "title"),
    InboxQuery(scope: .source(SourceID(1)), isUnreadOnly: true, search: "title"),
  ])
  func pagingDownMeetsEveryMessageOnceInOrder(query: InboxQuery) throws {
    try #require(source == SourceID(1))
    let other = try store.follow(configured("news"), configured("other"))[1]
    try store.pollNothing(other)
    // Many messages have the same time, so that they differ only in their ids.
    try store.poll(other, (1...25).map { message("\($0)", "Title \($0 + 100)", at: noon + -60) })
    let rows = try window(InboxWindow(after: 100)).rows
    try store.acts.perform(.star(rows.indices.filter { $0 % 3 == 0 }.map { rows[$0].id }), at: noon)
    try store.acts.perform(.read(rows.indices.filter { $0 % 2 == 0 }.map { rows[$0].id }), at: noon)
    let whole = try window(InboxWindow(after: 1000), query)
    #expect(whole.rows.map(\.key) == whole.rows.map(\.key).sorted(by: >))
    #expect(!whole.rows.isEmpty)
    var paged: [ListKey] = []
    while true {
      let page = try store.lists.messages(query, after: paged.last, limit: 7)
      if page.isEmpty { break }
      paged += page.map(\.key)
      #expect(page.map(\.message.id) == page.map(\.key.id))
    }
    #expect(paged == whole.rows.map(\.key))
    #expect(try store.lists.keys(query, limit: 1000) == paged)
  }

  @Test func countsAreOfConfiguredSourcesTogether() throws {
    let ids = try store.follow(configured("news"), configured("b"))
    try store.poll(ids[1], messages(1...30))
    let snapshot = try store.snapshot()
    #expect(snapshot.total == 50 && snapshot.unread == 40)
    #expect(snapshot.sources.map(\.total) == [20, 30])
    #expect(snapshot.sources.map(\.unread) == [20, 20])
  }

  @Test(arguments: List.allCases)
  func everyListIsReadThroughItsIndexInOrder(list: List) throws {
    for direction in [ListPages.Direction.older, .newer] {
      let plan = try store.plan(ListRange.sql(list, direction, hasPriority: list.isByPriority))
      #expect(plan.count == 1 && plan[0].hasPrefix("SEARCH"), "\(plan)")
      #expect(!plan.contains { $0.contains("TEMP B-TREE") || $0.contains("SCAN") }, "\(plan)")
    }
  }

  @Test func whatIsDueIsFoundThroughIndexes() throws {
    for (column, index) in [("visible_from", "appearing"), ("expires", "expiring")] {
      let due = try store.plan("SELECT message_id FROM status WHERE \(column) > ?1 AND \(column) <= ?2")
      #expect(due.allSatisfy { $0.contains("USING COVERING INDEX \(index)") }, "\(due)")
      let next = try store.plan("SELECT min(\(column)) FROM status WHERE \(column) > ?")
      #expect(next.allSatisfy { $0.contains("INDEX \(index)") }, "\(next)")
    }
  }
}

extension Store {
  func plan(_ sql: String) throws -> [String] {
    try read { db in
      let query = try db.prepared("EXPLAIN QUERY PLAN " + sql)
      var plan: [String] = []
      try query.forEach { plan.append(query.text(3)) }
      return plan
    }
  }
}
