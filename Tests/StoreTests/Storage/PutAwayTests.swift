import Foundation
import Messages
import Testing

@testable import Storage

/// The lists of snoozed and of dismissed messages.
@Suite struct PutAwayTests {
  let store: Store
  let source: SourceID

  init() throws {
    store = try Store.fresh()
    source = try store.follow(configured("a"), configured("b"))[0]
    try store.pollNothing(source)
    try store.poll(source, messages(1...9))
  }

  private func id(_ number: Int) throws -> MessageID { try store.id("\(number)", of: source) }

  @Test func snoozedMessagesAreListedTheNextToReturnFirst() throws {
    for (number, hours) in [(1, 3.0), (2, 1), (3, 2)] {
      try store.acts.perform(.snooze([try id(number)], until: noon + hours * 3600), at: noon)
    }
    let snapshot = try store.snapshot(InboxQuery(scope: .snoozed))
    #expect(snapshot.rows.map(\.title) == ["Title 2", "Title 3", "Title 1"])
    #expect(snapshot.rows.map(\.time) == [1, 2, 3].map { noon + $0 * 3600 })
    #expect(snapshot.snoozed == 3 && snapshot.total == 6)
    // Page by page, and around a key.
    let first = try store.lists.keys(InboxQuery(scope: .snoozed), limit: 1)
    #expect(
      try store.lists.keys(InboxQuery(scope: .snoozed), after: first.last, limit: 9)
        == snapshot.rows.dropFirst().map(\.key))
    let around = try store.lists.snapshot(
      InboxQuery(scope: .snoozed), InboxWindow(anchor: .key(snapshot.rows[1].key), before: 1, after: 1))
    #expect(
      around.rows.map(\.title) == ["Title 2", "Title 3"] && around.hasMoreAfter && !around.hasMoreBefore)
    // Snoozing again changes the time.
    #expect(try store.acts.perform(.snooze([try id(2)], until: noon + 4 * 3600), at: noon) == 1)
    #expect(try store.titles(InboxQuery(scope: .snoozed)) == ["Title 3", "Title 1", "Title 2"])
    try store.time.advance(to: noon + 2 * 3600)
    #expect(try store.titles(InboxQuery(scope: .snoozed)) == ["Title 1", "Title 2"])
    #expect(try store.titles().first == "Title 3")
    // The snooze has ended immediately.
    try store.acts.perform(.snooze([try id(1)], until: noon + 2 * 3600), at: noon + 2 * 3600)
    try store.time.advance(to: noon + 2 * 3600)
    #expect(try store.titles(InboxQuery(scope: .snoozed)) == ["Title 2"])
    try store.expectConsistent()
  }

  @Test func dismissedMessagesAreListedTheLastOneFirstAndComeBack() throws {
    #expect(try !store.snapshot().hasDismissed)
    for (number, minute) in [(5, 1.0), (1, 2), (9, 3)] {
      try store.acts.perform(.dismiss([try id(number)]), at: noon + minute * 60)
    }
    let snapshot = try store.snapshot(InboxQuery(scope: .dismissed))
    #expect(snapshot.rows.map(\.title) == ["Title 9", "Title 1", "Title 5"] && snapshot.hasDismissed)
    #expect(snapshot.rows.map(\.time) == [3, 2, 1].map { noon + $0 * 60 })
    #expect(try store.titles(search: "5", .dismissed) == ["Title 5"])
    #expect(try store.titles(search: "title", .dismissed).count == 3)
    #expect(try store.acts.perform(.undismiss([try id(1), try id(2)]), at: noon + 240) == 1)
    #expect(try store.titles(InboxQuery(scope: .dismissed)) == ["Title 9", "Title 5"])
    #expect(try store.snapshot().total == 7)
    #expect(try store.acts.undo(at: noon + 300)?.kind == .undismiss)
    #expect(try store.titles(InboxQuery(scope: .dismissed)) == ["Title 9", "Title 1", "Title 5"])
    #expect(try store.acts.perform(.readAll(InboxQuery(scope: .dismissed)), at: noon) == 3)
    #expect(try store.titles(InboxQuery(scope: .dismissed, isUnreadOnly: true)) == [])
    #expect(try store.snapshot().unread == 6)
    try store.expectConsistent()
    // Messages of a removed source are not listed.
    try store.sources.register([configured("b")], at: noon)
    #expect(try store.titles(InboxQuery(scope: .dismissed)) == [])
  }

  /// Each of the three lists with two sources, of which one is removed and added again.
  @Test func nothingIsCountedThatItsListDoesNotShow() throws {
    let other = try store.follow(configured("a"), configured("b"))[1]
    try store.pollNothing(other)
    try store.poll(other, messages(1...9))
    let ids = try (1...3).map { try store.id("\($0)", of: other) }
    let kept = try (1...3).map { try id($0) }
    try store.acts.perform(.snooze([kept[1], ids[1]], until: noon + 3600), at: noon)
    try store.acts.perform(.dismiss([ids[0]]), at: noon)
    _ = try store.write(.system) { db in
      try MarkWriter(db, by: .rule, at: noon.milliseconds).set(
        .hidden(Mark.Hiding(rule: "quiet", at: noon.milliseconds)),
        on: IDRanges([kept[2], ids[2]].map(\.rawValue)))
    }
    func shown() throws -> [Int] {
      let snapshot = try store.snapshot()
      let counts = [
        snapshot.snoozed, snapshot.hasDismissed ? 1 : 0, snapshot.hidden.reduce(0) { $0 + $1.count },
      ]
      let lists = try [InboxQuery.Scope.snoozed, .dismissed, .hidden].map {
        try store.titles(InboxQuery(scope: $0)).count
      }
      #expect(counts == lists)
      try store.expectConsistent()
      return counts
    }
    #expect(try shown() == [2, 1, 2])
    // A message that is dismissed too is only in that list.
    try store.acts.perform(.dismiss([kept[2]]), at: noon)
    #expect(try store.titles(InboxQuery(scope: .hidden)).count == 1)
    #expect(try store.snapshot().hidden == [HiddenCount(rule: "quiet", count: 1)])
    _ = try store.acts.undo(at: noon)
    #expect(try shown() == [2, 1, 2])
    try store.sources.register([configured("a")], at: noon)
    #expect(try shown() == [1, 0, 1])
    try store.sources.register([configured("a"), configured("b")], at: noon)
    #expect(try shown() == [2, 1, 2])
  }

  @Test func pagesOfManyAreReadByTheirIndexes() throws {
    for (scope, index) in [(InboxQuery.Scope.snoozed, "snoozed"), (.dismissed, "dismissed")] {
      for direction in [ListPages.Direction.older, .newer] {
        let range = try store.read { db in
          try #require(try ListRange(db, scope, isUnreadOnly: false)?.putAway?.sql(direction))
        }
        let plan = try store.plan(range).joined(separator: "; ")
        #expect(plan.contains(index) && !plan.contains("TEMP B-TREE FOR ORDER BY"), "\(plan)")
      }
    }
  }
}
