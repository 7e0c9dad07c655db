import Foundation
import Messages
import TestBasics
import Testing

@testable import Storage

@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct ObservationTests {
  let store: Store
  let source: SourceID

  init() throws {
    store = try Store.fresh()
    source = try store.follow(configured("news"))[0]
  }

  @Test func anObserverIsNotifiedAtOnceAndAfterEveryStoredTransaction() async throws {
    var changes = store.changes().makeAsyncIterator()
    #expect(await changes.next() == .current)
    try store.poll(source, messages(1...3))
    #expect(await changes.next() == .here)
    #expect(try store.snapshot().total == 3)
  }

  @Test func unreadChangesAreCombined() async throws {
    var changes = store.changes().makeAsyncIterator()
    for number in 1...50 { try store.poll(source, [message("\(number)")]) }
    #expect(await changes.next() == .here)
    try store.acts.markSeen(.all)
    #expect(await changes.next() == .here)
  }

  @Test func failuresAndEmptyChangesAreNotReported() async throws {
    try store.poll(source, messages(1...3))
    var changes = store.changes().makeAsyncIterator()
    #expect(await changes.next() == .current)
    #expect(throws: StoreFailure.self) { try store.poll(SourceID(99), messages(1...3)) }
    #expect(try store.acts.perform(.unstar([MessageID(1)]), at: noon) == 0)
    #expect(try store.acts.undo(at: noon) == nil)
    try store.time.advance(to: noon + 60)
    let told = Task { await firstChange(store) }
    _ = await told.value
    try store.acts.perform(.star([MessageID(1)]), at: noon)
    #expect(await changes.next() == .here)
    #expect(try store.snapshot().starred == 1)
  }

  private func firstChange(_ store: Store) async -> StoreChange? {
    for await change in store.changes() { return change }
    return nil
  }

  @Test func anObserverMayLeaveDuringANotification() async throws {
    let left = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<20 {
        group.addTask { [store] in
          for await change in store.changes() where change == .here { return 1 }
          return 0
        }
        group.addTask { [store] in
          var count = 0
          for await _ in store.changes() {
            count += 1
            if count == 2 { return 1 }
          }
          return 0
        }
      }
      group.addTask { [store, source] in
        // This runs until all observers have left: the dot changes in every round.
        for number in 0..<400 {
          try store.poll(source, [message("\(number)")])
          try store.acts.markSeen(.all)
          await Task.yield()
        }
        return 0
      }
      return try await group.reduce(0, +)
    }
    #expect(left == 40)
  }

  @Test func aDotIsOnWhileSomethingOfItsSourceIsUnseen() throws {
    let other = try store.follow(configured("news"), configured("other"))[1]
    #expect(try store.dots() == [])
    try store.poll(source, messages(1...3))
    #expect(try store.dots() == [source])
    try store.poll(source, messages(4...5))
    try store.poll(source, [])
    try store.acts.perform(.read([MessageID(1)]), at: noon)
    #expect(try store.dots() == [source])
    try store.poll(other, messages(1...2))
    #expect(try store.dots() == [source, other])
    try store.acts.markSeen(.source(source))
    try store.acts.markSeen(.source(source))
    #expect(try store.dots() == [other])
    try store.sources.register([configured("news")], at: noon)
    #expect(try store.dots() == [])
  }

  @Test func workInTheBackgroundComesBackWithItsValueOrItsFailure() async throws {
    let pushed = try await store.inBackground { store throws(StoreFailure) in
      try store.pushes.add(message("a"), at: noon)
    }
    #expect(pushed.isUnread)
    await #expect(throws: StoreFailure.unknownSource(SourceID(9))) {
      try await store.inBackground { store throws(StoreFailure) in try store.polls.state(of: SourceID(9)) }
    }
  }
}
