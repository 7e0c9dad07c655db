import Basics
import Foundation
import Messages
import TestBasics
import Testing

@testable import Polling

/// Polls that leave a part of the list, and continue.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct ContinuedPollTests {
  let world = World()
  let store = MemoryStore()
  private let more = hints { $0.leaveMore(until: morning + 1) }

  @Test func aPollGoesOnUntilNothingIsLeft() async {
    let fetch = ScriptedFetch([
      one: [
        .answer(content("a", "b", hints: more)), .answer(content("c", hints: more)),
        .answer(content("d", "e")),
      ]
    ])
    let poller = world.poller([source(1)], fetch, store)
    var events = await EventReader(poller)
    #expect(await poller.refresh(one, .forced) == .new(count: 5))
    #expect(await fetch.unused == 0)
    // Each part continues where the one before it ended.
    #expect(await fetch.positions.map(\.cursor) == [nil, Cursor("b"), Cursor("c")])
    // One turn, and one line of the timeline for all parts.
    #expect(await store.leases == 1)
    #expect(await store.lockedCount == 0)
    #expect(await store.memory.states[one]?.nextPoll == nil)
    #expect(await events.attempt()?.result == .new(count: 5, updated: 0))
    #expect(await store.reports.map { $0.earlier?.new } == [nil, 2, 3])
  }

  @Test func thePartAfterAnotherIsFetchedWhileThatOneIsStored() async {
    let fetch = ScriptedFetch([one: [.answer(content("a", hints: more)), .answer(content("b"))]])
    let poller = world.poller([source(1)], fetch, store)
    let (arrived, open) = await store.close(.record)
    async let result = poller.refresh(one, .forced)
    for await _ in arrived {}
    await fetch.called(times: 2)
    #expect(await store.reports.isEmpty)
    open()
    #expect(await result == .new(count: 2))
  }

  @Test func aPartThatFailsLeavesTheOnesBeforeIt() async {
    let fetch = ScriptedFetch([
      one: [.answer(content("a", hints: more)), .answer(.failed(serverError, PollHints()))]
    ])
    let poller = world.poller([source(1)], fetch, store)
    #expect(await poller.refresh(one, .soft) == .failed(serverError))
    #expect(await store.positions[one]?.cursor == Cursor("a"))
    #expect(await store.memory.states[one]?.failures == 1)
  }

  /// A server that always reports more must not cause endless requests; the user learns that a part is left.
  @Test(arguments: [nil, 3]) func theMostPartsEndAPollAndTheNextOneGoesOn(_ most: Int?) async throws {
    let more = hints { $0.leaveMore(partsAtMost: most) }
    let fetch = ScriptedFetch(repeats: { [more] _, count in .answer(content("\(count)", hints: more)) })
    let poller = world.poller([source(1)], fetch, store)
    let parts = most ?? Limits.pollParts
    #expect(await poller.refresh(one, .forced) == .new(count: parts))
    let last = try #require(await store.reports.last)
    guard case .content(let content, _) = last.outcome else {
      Issue.record("the last part brought something")
      return
    }
    #expect(
      content.problems.map(\.message) == [
        "\(parts) pages were read, and there are more: the next poll continues there"
      ])
    #expect(await store.positions[one]?.cursor == content.position.cursor)
  }

  @Test func whatCannotBeStoredIsNotContinued() async {
    let fetch = ScriptedFetch([one: [.answer(content("a", hints: more)), .answer(content("b"))]])
    let full = FetchFailure.storage(reason: "the disk is full")
    await store.failRecords([full])
    let poller = world.poller([source(1)], fetch, store)
    #expect(await poller.refresh(one, .forced) == .failed(full))
    // Part two began at a position that was never stored.
    #expect(await store.reports.isEmpty)
    #expect(await store.positions[one] == nil)
    #expect(await store.lockedCount == 0)
  }

  @Test func anEndMeanwhileKeepsWhatIsStoredAndDropsTheRest() async {
    let fetch = ScriptedFetch([one: [.answer(content("a", hints: more)), .gate(Gate())]])
    let poller = world.poller([source(1)], fetch, store)
    let running = Task { await poller.run() }
    await world.clock.sleeper(until: .seconds(1))
    world.clock.advance(to: .seconds(1))
    await fetch.called(times: 2)
    running.cancel()
    await running.value
    #expect(await store.positions[one]?.cursor == Cursor("a"))
    #expect(await store.reports.count == 1)
    #expect(await store.lockedCount == 0)
  }

  @Test func theDeadlineOfAPollIsThatOfAllItsParts() async {
    let gate = Gate()
    let fetch = ScriptedFetch([one: [.gate(gate), .gate(Gate())]])
    let poller = world.poller([source(1)], fetch, store)
    async let result = poller.refresh(one, .forced)
    await world.clock.sleeper(until: .seconds(150))
    world.clock.advance(to: .seconds(100))
    gate.open(content("a", hints: more))
    await fetch.called(times: 2)
    // There are 50 seconds left; then the stored part is kept, and the next poll continues. Nothing has failed.
    await world.clock.sleeper(until: .seconds(150))
    while await store.reports.isEmpty, !Task.isCancelled { await Task.yield() }
    world.clock.advance(to: .seconds(150))
    #expect(await result == .new(count: 1))
    #expect(await store.reports.count == 1)
    #expect(await store.memory.states[one]?.failures == 0)
    #expect(await store.memory.states[one]?.nextPoll == morning + 1)
  }

  @Test func aServerThatAlwaysHasMoreDoesNotKeepThePoll() async {
    let fetch = ScriptedFetch(repeats: { [world, more] _, count in
      world.setWall(by: 20)
      return .answer(content("\(count)", hints: more))
    })
    let poller = world.poller([source(1)], fetch, store)
    let result = await poller.refresh(one, .forced)
    #expect(result == .new(count: 8))
    #expect(await store.memory.states[one]?.nextPoll == morning + 1)
  }

  @Test func aServerThatAsksToWaitIsNotAskedForMore() async {
    let wait = hints {
      $0.leaveMore(until: morning + 1)
      $0.retryAfter = morning + 90
    }
    let fetch = ScriptedFetch([one: [.answer(content("a", hints: wait))]])
    let poller = world.poller([source(1)], fetch, store)
    #expect(await poller.refresh(one, .forced) == .new(count: 1))
    #expect(await store.memory.holds == ["host1.example": morning + 90])
  }
}
