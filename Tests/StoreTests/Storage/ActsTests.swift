import Foundation
import Messages
import TestBasics
import Testing

@testable import Storage

@Suite struct ActsTests {
  let store: Store
  let source: SourceID

  init() throws { (store, source) = try Store.following(messages(1...10)) }

  private func ids(_ numbers: Int...) throws -> [MessageID] {
    try numbers.map { try store.id("\($0)", of: source) }
  }

  private var unread: Set<String> {
    get throws { try Set(store.titles(InboxQuery(isUnreadOnly: true)).map { String($0.dropFirst(6)) }) }
  }

  @Test func actsChangeListsAndCounts() throws {
    #expect(try store.acts.perform(.read(try ids(1, 2, 3)), at: noon) == 3)
    #expect(try store.acts.perform(.star(try ids(2, 4)), at: noon) == 2)
    #expect(try store.acts.perform(.dismiss(try ids(4, 5)), at: noon) == 2)
    let snapshot = try store.snapshot()
    #expect(snapshot.total == 8 && snapshot.unread == 5 && snapshot.starred == 1)
    #expect(try store.titles(InboxQuery(scope: .starred)) == ["Title 2"])
    #expect(try store.titles(InboxQuery(scope: .starred, isUnreadOnly: true)) == [])
    try store.expectConsistent()
  }

  @Test func undoTakesBackAnyNumberOfStepsExactly() throws {
    var stages = [try store.snapshot()]
    let acts: [UserAct] = [
      .read(try ids(1, 2)), .read(try ids(2, 3)), .star(try ids(1)), .unread(try ids(2)),
      .dismiss(try ids(1, 9)),
      .readAll(InboxQuery()), .unstar(try ids(1)), .star(try ids(7, 8)),
    ]
    for act in acts {
      try store.acts.perform(act, at: noon)
      stages.append(try store.snapshot())
    }
    for (act, stage) in zip(acts, stages).reversed() {
      #expect(try store.acts.undo(at: noon)?.kind == act.kind)
      #expect(try store.snapshot().rows == stage.rows)
      #expect(try store.snapshot().unread == stage.unread)
      #expect(try store.snapshot().canUndo == stage.canUndo)
      try store.expectConsistent()
    }
    #expect(try store.acts.undo(at: noon) == nil)
  }

  @Test func actsThatJoinAreOneStep() throws {
    try store.acts.perform(.star(try ids(9)), at: noon)
    let before = try store.snapshot()
    let read = try store.acts.perform(.read(try ids(1, 2)), joining: nil, at: noon)
    let star = try store.acts.perform(.star(try ids(2)), joining: read.step, at: noon)
    // One that changes nothing is no part of it, and ends nothing.
    let nothing = try store.acts.perform(.star(try ids(2)), joining: star.step, at: noon)
    let dismiss = try store.acts.perform(.dismiss(try ids(2, 3)), joining: star.step, at: noon)
    #expect([read, star, nothing, dismiss].map(\.changed) == [2, 1, 0, 2])
    #expect(star.step == read.step && dismiss.step == read.step && nothing.step == read.step)
    let after = try store.snapshot()
    let undone = try #require(try store.acts.undo(at: noon + 1))
    #expect(undone.kind == .read && undone.count == 3 && undone.left == 0)
    #expect(try store.snapshot().rows == before.rows)
    #expect(try store.acts.redo(at: noon + 2) != nil)
    #expect(try store.snapshot().rows == after.rows)
    try store.expectConsistent()
    #expect(try store.acts.undo(at: noon + 3) != nil)
    // The star that was set before is a separate step.
    #expect(try store.acts.undo(at: noon + 4)?.kind == .star)
    #expect(try store.acts.undo(at: noon + 5) == nil)
  }

  @Test func nothingJoinsAStepThatIsNotTheLast() throws {
    let read = try store.acts.perform(.read(try ids(1)), joining: nil, at: noon)
    // From another window.
    try store.acts.perform(.star(try ids(5)), at: noon)
    let dismiss = try store.acts.perform(.dismiss(try ids(1)), joining: read.step, at: noon)
    #expect(dismiss.step != read.step)
    #expect(try store.acts.undo(at: noon)?.kind == .dismiss)
    #expect(try store.acts.undo(at: noon)?.kind == .star)
    #expect(try store.acts.undo(at: noon)?.kind == .read)
  }

  @Test func anActThatChangesNothingIsNotAStepOfUndo() throws {
    try store.acts.perform(.read(try ids(1)), at: noon)
    #expect(try store.acts.perform(.read(try ids(1)), at: noon) == 0)
    #expect(try store.acts.perform(.unstar(try ids(1)), at: noon) == 0)
    #expect(try store.acts.perform(.read([MessageID(99_999)]), at: noon) == 0)
    #expect(try store.acts.undo(at: noon)?.count == 1)
    #expect(try store.acts.undo(at: noon) == nil)
  }

  @Test func undoOfReadAllRestoresThoseThatWereUnreadAndNoOthers() throws {
    try store.acts.perform(.read(try ids(2, 4, 6)), at: noon)
    try store.acts.perform(.readAll(InboxQuery()), at: noon)
    #expect(try unread == [])
    try store.poll(source, [message("later")])
    let undone = try #require(try store.acts.undo(at: noon + 1))
    #expect(undone.kind == .readAll && undone.count == 7 && undone.messages.count == 7 && undone.at == noon)
    #expect(try unread == ["1", "3", "5", "7", "8", "9", "10", "later"])
    try store.expectConsistent()
  }

  @Test func undoHoldsAfterLaterPollsChangedTheMessages() throws {
    try store.acts.perform(.read(try ids(1)), at: noon)
    try store.acts.perform(.dismiss(try ids(2)), at: noon)
    try store.poll(source, [message("1", "Changed 1", at: noon), message("2", "Changed 2", at: noon)])
    _ = try store.acts.undo(at: noon)
    _ = try store.acts.undo(at: noon)
    let rows = try store.snapshot().rows
    #expect(rows.contains { $0.title == "Changed 1" && $0.isUnread })
    #expect(rows.contains { $0.title == "Changed 2" && $0.isUnread })
    try store.expectConsistent()
  }

  @Test func whatCannotBeDismissedStays() throws {
    var pinned = message("pinned")
    pinned.isDismissable = false
    try store.poll(source, [pinned])
    #expect(try store.acts.perform(.dismiss(try ids(1) + [store.id("pinned", of: source)]), at: noon) == 1)
    #expect(try store.titles().contains("Title pinned"))
  }

  @Test func readAllAffectsOnlyTheListShown() throws {
    let other = try store.follow(configured("news"), configured("other"))[1]
    try store.pollNothing(other)
    try store.poll(other, [message("a", "Alpha"), message("b", "Beta"), message("c", "Alpha too")])
    try store.acts.perform(.star([try store.id("b", of: other)]), at: noon)
    #expect(try store.acts.perform(.readAll(InboxQuery(scope: .starred)), at: noon) == 1)
    #expect(try store.acts.perform(.readAll(InboxQuery(search: "alpha")), at: noon) == 2)
    #expect(try store.snapshot().unread == 10)
    #expect(
      try store.acts.perform(.readAll(InboxQuery(scope: .source(source), isUnreadOnly: true)), at: noon) == 10
    )
    try store.expectConsistent()
    for _ in 0..<3 { _ = try store.acts.undo(at: noon) }
    #expect(try store.snapshot().unread == 13)
    try store.expectConsistent()
  }

  @Test func readAllLeavesRemovedSourcesAndHiddenMessagesAlone() throws {
    var later = message("later")
    later.visibleFrom = noon + 10
    try store.poll(source, [later])
    let other = try store.follow(configured("news"), configured("other"))[1]
    try store.pollNothing(other)
    try store.poll(other, messages(1...4))
    try store.sources.register([configured("news")], at: noon)
    #expect(try store.acts.perform(.readAll(InboxQuery()), at: noon) == 10)
    try store.expectConsistent()
    try store.sources.register([configured("news"), configured("other")], at: noon)
    try store.time.advance(to: noon + 10)
    #expect(try store.status(other).unread == 4)
    #expect(try store.status(source).unread == 1)
    try store.expectConsistent()
  }

  @Test func readingTheLastUnseenMessageTurnsTheDotOff() throws {
    try store.acts.markSeen(.all)
    try store.poll(source, [message("x")])
    #expect(try store.status(source).isUnseen)
    try store.acts.perform(.read([try store.id("x", of: source)]), at: noon)
    #expect(try !store.status(source).isUnseen)
    #expect(try store.status(source).unread == 10)
  }

  @Test func markingSeenLeavesUnreadAndOtherSourcesAlone() throws {
    let other = try store.follow(configured("news"), configured("other"))[1]
    try store.poll(other, messages(1...3))
    try store.acts.markSeen(.source(source))
    #expect(try !store.status(source).isUnseen)
    #expect(try store.status(other).isUnseen)
    #expect(try store.snapshot().unread == 13)
    try store.acts.markSeen(.all)
    #expect(try !store.snapshot().isUnseen)
    try store.expectConsistent()
  }

  @Test func undoReachesAcrossRestarts() throws {
    let directory = try Directory()
    let before: InboxSnapshot
    do {
      let store = try Store(path: directory.database, now: noon)
      let source = try store.follow(configured("news"))[0]
      try store.poll(source, messages(1...30))
      before = try store.snapshot()
      try store.acts.perform(.readAll(InboxQuery()), at: noon)
      try store.acts.perform(.star([try store.id("1", of: source)]), at: noon)
      try store.close()
    }
    let store = try Store(path: directory.database, now: noon + 1000)
    #expect(try store.acts.undo(at: noon)?.kind == .star)
    #expect(try store.acts.undo(at: noon)?.kind == .readAll)
    #expect(try store.snapshot().rows == before.rows)
    #expect(try store.acts.undo(at: noon) == nil)
    #expect(try store.time.installed() == noon)
  }

  @Test func aLargeActAndItsUndoKeepEverythingInStep() throws {
    // Above the size from which lists are rebuilt instead of changed.
    let count = 21_000
    try store.poll(source, messages(1001...1000 + count))
    try store.acts.perform(.star(try ids(1001, 1002)), at: noon)
    try store.acts.perform(.read(try ids(3, 1002, 1005)), at: noon)
    try store.acts.perform(.dismiss(try ids(1006)), at: noon)
    let before = try store.snapshot()
    #expect(try store.acts.perform(.readAll(InboxQuery()), at: noon) == before.unread)
    #expect(try store.snapshot().unread == 0)
    try store.expectConsistent()
    _ = try store.acts.undo(at: noon)
    #expect(try store.snapshot().rows == before.rows)
    #expect(try store.snapshot().unread == before.unread)
    try store.expectConsistent()
    #expect(try store.acts.perform(.readAll(InboxQuery(scope: .source(source))), at: noon) == before.unread)
    try store.expectConsistent()
  }

  @Test func idsAtTheEndsOfTheNumbersAreUnknownMessages() throws {
    for ids in [[Int64.min], [.max], [.min, .max], [.min, 0, .max]] {
      let ids = ids.map { MessageID($0) }
      for act in [UserAct.read(ids), .star(ids), .dismiss(ids), .snooze(ids, until: noon)] {
        #expect(try store.acts.perform(act, at: noon) == 0)
      }
    }
  }

  @Suite struct IDRangesTests {
    private static let sets: [[Int64]] = [
      [], [1], [1, 2, 3], [1, 3, 5], [5, 1, 1, 2], [1 << 40, 7, (1 << 40) + 1], Array(1...1000),
    ]
    private static let ends: [[Int64]] = [
      [Int64.min], [Int64.max], [Int64.min, Int64.max],
      [Int64.min, Int64.min + 1, -1, 0, 1, Int64.max - 1, Int64.max],
    ]

    @Test(arguments: sets + ends)
    func bytesBringTheSetBack(ids: [Int64]) throws {
      let ranges = IDRanges(ids)
      #expect(ranges.count == Set(ids).count)
      #expect(IDRanges(bytes: ranges.bytes) == ranges)
    }

    @Test func aMillionNeighboursAreAFewBytes() {
      #expect(IDRanges(Array(1...1_000_000)).bytes.count < 8)
    }

    @Test func brokenBytesAreRefusedOrReadButNeverATrap() {
      var generator = SeededRandom(seed: 1)
      for _ in 0..<2000 {
        let bytes = (0..<Int.random(in: 0...24, using: &generator)).map { _ in
          UInt8.random(in: 0...255, using: &generator)
        }
        guard let ranges = IDRanges(bytes: bytes) else { continue }
        #expect(IDRanges(bytes: ranges.bytes) == ranges)
      }
    }
  }
}
