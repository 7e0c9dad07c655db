import Foundation
import Messages
import TestBasics
import Testing

@testable import Storage

/// Every order of a list, page by page and in both directions, compared with the list that is sorted as a whole.
@Suite struct OrderTests {
  let store: Store
  let sources: [SourceID]

  init() throws {
    store = try Store.fresh()
    let ids = try store.follow(
      configured("news"), configured("empty"), configured("team"), configured("log"))
    // The order of the settings may differ from the order in which the sources were added.
    sources = try store.follow(
      configured("team"), configured("news"), configured("empty"), configured("log"))
    #expect(Set(ids) == Set(sources))
    var random = SeededRandom(seed: 7)
    for source in sources where source != sources[2] {
      try store.pollNothing(source)
      for number in 0..<40 {
        var one = message(
          "\(number)", "\(["Apple", "Pear", "Plum"][number % 3]) \(source.rawValue)-\(number)",
          at: noon - Double(Int.random(in: 0..<60, using: &random)) * 60)
        one.priority = Priority([3, 3, 5, 3, 1, 4, 3, 2][number % 8])
        if number % 13 == 0 { one.rank = number % 2 == 0 ? .downtime : .pinned }
        try store.poll(source, [one])
      }
    }
    let some = try store.lists.keys(InboxQuery(), limit: 1000).map(\.id).filter { $0.rawValue % 3 == 0 }
    try store.acts.perform(.read(some), at: noon)
    let others = try store.lists.keys(InboxQuery(), limit: 1000).map(\.id).filter { $0.rawValue % 5 != 0 }
    try store.acts.perform(.star(others), at: noon)
  }

  private static let queries: [InboxQuery] = ListOrder.allCases.flatMap { order in
    [false, true].flatMap { isUnreadOnly in
      [
        InboxQuery(isUnreadOnly: isUnreadOnly, order: order),
        InboxQuery(scope: .source(SourceID(1)), isUnreadOnly: isUnreadOnly, order: order),
        InboxQuery(scope: .starred, isUnreadOnly: isUnreadOnly, order: order),
        InboxQuery(isUnreadOnly: isUnreadOnly, search: "apple", order: order),
      ]
    }
  }

  /// Returns all rows of a query, sorted here.
  private func expected(_ query: InboxQuery) throws -> [MessageID] {
    var plain = query
    plain.order = .newest
    let rows = try store.lists.snapshot(plain, InboxWindow(after: 1000)).rows
    let isBySource = query.order == .source && query.scope == .all && query.search == nil
    return rows.map { row in
      var key = row.key
      if query.order == .priority, query.search == nil { key.group = -Int64(row.priority.rawValue) }
      if isBySource { key.group = Int64(sources.firstIndex(of: row.source) ?? 0) }
      return key
    }.sorted { a, b in
      if a.rank != b.rank { return a.rank.rawValue > b.rank.rawValue }
      if a.group != b.group { return a.group < b.group }
      let isNewer = (a.sortTime, a.id.rawValue) > (b.sortTime, b.id.rawValue)
      return query.order == .oldest ? !isNewer : isNewer
    }.map(\.id)
  }

  @Test(arguments: queries)
  func pagesMakeTheWholeListFromEitherEnd(query: InboxQuery) throws {
    let expected = try expected(query)
    #expect(expected.count > 10)
    for length in [1, 7, 50, 1000] {
      var down: [MessageID] = []
      var window = InboxWindow(after: length)
      while true {
        let page = try store.lists.snapshot(query, window)
        let keys = page.rows.map(\.key)
        #expect(keys == keys.sorted(by: query.isBefore))
        down += page.rows.map(\.id).filter { !down.contains($0) }
        guard page.hasMoreAfter, let last = page.rows.last else { break }
        window = InboxWindow(anchor: .key(last.key), before: 0, after: length + 1)
      }
      #expect(down == expected)
    }
    let end = try store.lists.snapshot(query, InboxWindow(anchor: .end, before: 8, after: 1))
    #expect(end.rows.map(\.id) == Array(expected.suffix(9)))
  }

  @Test(arguments: queries)
  func aWindowLiesAroundItsKey(query: InboxQuery) throws {
    let rows = try store.lists.snapshot(query, InboxWindow(after: 1000)).rows
    for place in stride(from: 0, to: rows.count, by: 5) {
      let window = InboxWindow(anchor: .key(rows[place].key), before: 6, after: 4)
      let page = try store.lists.snapshot(query, window)
      let found = Array(rows[max(0, place - 6)..<min(rows.count, place + 4)])
      #expect(page.rows == found)
      #expect(page.hasMoreBefore == (place > 6) && page.hasMoreAfter == (place + 4 < rows.count))
    }
  }

  @Test(arguments: ListOrder.allCases)
  func theNextUnreadOneIsTheNextOfTheOrder(order: ListOrder) throws {
    let query = InboxQuery(order: order)
    let rows = try store.lists.snapshot(query, InboxWindow(after: 1000)).rows
    for place in stride(from: 0, to: rows.count, by: 7) {
      let below = rows.dropFirst(place + 1).first(where: \.isUnread)?.id
      let above = rows.prefix(place).last(where: \.isUnread)?.id
      #expect(
        try store.lists.nextUnread(after: rows[place].key, query: query, forward: true).found?.id == below)
      #expect(
        try store.lists.nextUnread(after: rows[place].key, query: query, forward: false).found?.id == above)
    }
  }

  @Test(arguments: ListOrder.allCases)
  func aPartIsWhatLiesBetweenItsEndsInItsOrder(order: ListOrder) throws {
    let query = InboxQuery(order: order)
    let snapshot = try store.lists.snapshot(query, InboxWindow(after: 1000))
    let part = ListPart(
      query, first: snapshot.rows[20].key, last: snapshot.rows[60].key, newest: snapshot.newest)
    try store.acts.perform(.unstar(snapshot.rows.map(\.id)), at: noon)
    let count = try store.acts.perform(UserAct(.star, MessageSelection([], parts: [part])), at: noon)
    #expect(count == 41)
    let starred = try store.lists.snapshot(query, InboxWindow(after: 1000)).rows.enumerated().filter(
      \.element.isStarred)
    #expect(starred.map(\.offset) == Array(20...60))
  }

  @Test func aChangeOfTheSettingsMovesWholeSources() throws {
    let before = try store.lists.snapshot(InboxQuery(order: .source), InboxWindow(after: 1000)).rows
    let selected = try #require(before.last)
    _ = try store.follow(configured("log"), configured("team"), configured("news"))
    let window = InboxWindow(anchor: .key(selected.key), before: 5, after: 5)
    #expect(
      try store.lists.snapshot(InboxQuery(order: .source), window).rows.contains { $0.id == selected.id })
  }
}
