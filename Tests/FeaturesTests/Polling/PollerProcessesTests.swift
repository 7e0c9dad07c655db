import Basics
import Foundation
import Messages
import TestBasics
import Testing

@testable import Polling

/// Several pollers on one store, like several processes on one database.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct PollerProcessesTests {
  let world = World()
  let store = MemoryStore()

  @Test func aRefreshJoinsThePollOfAnotherProcess() async {
    let gate = Gate()
    let theirs = world.poller([source(1)], ScriptedFetch([one: [.gate(gate)]]), store)
    let ours = world.poller([source(1)], ScriptedFetch(), store)
    async let first = theirs.refresh(one, .soft)
    while await store.leases == 0, !Task.isCancelled { await Task.yield() }
    async let second = ours.refresh(one, .forced)
    while await store.waiters == 0, !Task.isCancelled { await Task.yield() }
    gate.open(content("a", "b"))
    #expect(await [first, second] == [.new(count: 2), .new(count: 2)])
    #expect(await store.reports.count == 1)
    #expect(await store.notes.map(\.result) == [.joined])
    // This process also knows the state that the other one recorded.
    #expect(await ours.refresh(one, .soft) == .heldBack(until: morning + 180, rule: .grace))
  }

  @Test func graceCountsFromAnAttemptOfAnotherProcess() async {
    let theirs = world.poller([source(1)], ScriptedFetch([one: [.answer(content("a"))]]), store)
    let ours = world.poller([source(1)], ScriptedFetch(), store)
    await ours.start()
    #expect(await theirs.refresh(one, .soft) == .new(count: 1))
    #expect(await ours.refresh(one, .soft) == .heldBack(until: morning + 180, rule: .grace))
    #expect(await ours.activity(of: one)?.next == NextPoll(date: morning + 600, rule: .interval))
  }

  @Test func aPollOfAnotherProcessTakesThePlaceOfOurPeriodicOne() async {
    let theirs = world.poller([source(1)], ScriptedFetch([one: [.answer(content("a"))]]), store)
    let ours = world.poller([source(1)], ScriptedFetch(), store)
    let running = Task { await ours.run() }
    await world.clock.sleeper(until: .seconds(1))
    _ = await theirs.refresh(one, .soft)
    // There is no notification: the initial poll notices it under the lock.
    world.clock.advance(to: .seconds(1))
    await world.clock.sleeper(until: .seconds(600))
    running.cancel()
    await running.value
    #expect(await store.reports.count == 1)
  }

  @Test func aHoldLearnedByAnotherProcessHoldsHereToo() async {
    let held = PollOutcome.failed(.heldBack(status: 503), hints { $0.retryAfter = morning + 90 })
    let sources = [source(1, host: "a.example"), source(2, host: "a.example")]
    let theirs = world.poller(sources, ScriptedFetch([one: [.answer(held)]]), store)
    let ours = world.poller(sources, ScriptedFetch(), store)
    await ours.start()
    _ = await theirs.refresh(one, .forced)
    await ours.storeChanged()
    #expect(
      await ours.activity(of: two)?.next
        == NextPoll(date: morning + 90, rule: .retryAfter(host: "a.example")))
    #expect(
      await ours.refresh(two, .forced)
        == .heldBack(until: morning + 90, rule: .retryAfter(host: "a.example")))
  }

  @Test func aProcessThatDiesWithTheLockLeavesThePollToUs() async throws {
    let fetch = ScriptedFetch([one: [.answer(content("a"))]])
    let ours = world.poller([source(1)], fetch, store)
    let lease = try #require(await store.acquire(one))
    async let result = ours.refresh(one, .forced)
    while await store.waiters == 0, !Task.isCancelled { await Task.yield() }
    await lease.release()
    #expect(await result == .new(count: 1))
  }

  @Test func aProcessThatIsStoppedWithTheLockDoesNotStopUs() async throws {
    let fetch = ScriptedFetch([two: [.answer(content("a"))]])
    let ours = world.poller([source(1), source(2)], fetch, store, limits: .init(total: 1, perHost: 1))
    let lease = try #require(await store.acquire(one))
    async let stuck = ours.refresh(one, .forced)
    await world.clock.sleeper(until: .seconds(180))
    async let other = ours.refresh(two, .forced)
    world.clock.advance(to: .seconds(180))
    #expect(await stuck == .failed(.timedOut(.poll, seconds: 180)))
    #expect(await other == .new(count: 1))
    #expect(await store.memory.states[one] == nil)
    await lease.release()
  }

  @Test func waitingForAnotherProcessCanBeStopped() async throws {
    let ours = world.poller([source(1)], ScriptedFetch(), store)
    let lease = try #require(await store.acquire(one))
    async let result = ours.refresh(one, .forced)
    while await store.waiters == 0, !Task.isCancelled { await Task.yield() }
    await ours.stop()
    #expect(await result == .failed(.cancelled))
    await lease.release()
  }

  @Test func stoppingEndsTheWaitForTheLock() async throws {
    let ours = world.poller([source(1)], ScriptedFetch(), store)
    let lease = try #require(await store.acquire(one))
    let door = await store.close(.acquire)
    async let result = ours.refresh(one, .forced)
    for await _ in door.arrived {}
    var events = await EventReader(ours)
    async let stopped: Void = ours.stop()
    while await !ours.isStopping, !Task.isCancelled { await Task.yield() }
    door.open()
    await stopped
    #expect(await result == .failed(.cancelled))
    while await events.next() != nil {}
    await lease.release()
  }

  @Test func aStreamOfMessagesIsStoredAndItsProblemsAreTold() async {
    let fetch = ScriptedFetch([one: [.answer(streamed(ListedStream(["a", "b"])))]])
    let ours = world.poller([source(1)], fetch, store)
    var events = await EventReader(ours)
    #expect(await ours.refresh(one, .forced) == .new(count: 2))
    #expect(await events.attempt()?.problems == [FormatProblem(at: "7", message: "of a part")])
  }

  @Test func stoppingEndsAStreamThatIsBeingStored() async throws {
    let stream = ListedStream(["a"])
    let ours = world.poller([source(1)], ScriptedFetch([one: [.answer(streamed(stream))]]), store)
    let door = await store.close(.record)
    async let result = ours.refresh(one, .forced)
    for await _ in door.arrived {}
    async let stopped: Void = ours.stop()
    while await !ours.isStopping, !Task.isCancelled { await Task.yield() }
    door.open()
    await stopped
    #expect(await result == .failed(.cancelled))
    #expect(await store.reports.isEmpty)
  }

  private func streamed(_ stream: ListedStream) -> PollOutcome {
    var content = PollContent(messages: [])
    content.stream = stream
    return .content(content, PollHints())
  }

  @Test func aStateReadBeforeAPollEndedIsNotUsedAfterIt() async {
    let fetch = ScriptedFetch([one: [.answer(content("a"))]])
    let poller = world.poller([source(1)], fetch, store)
    await poller.start()
    let door = await store.close(.read)
    async let late = poller.refresh(one, .soft)
    for await _ in door.arrived {}
    #expect(await poller.refresh(one, .forced) == .new(count: 1))
    door.open()
    #expect(await late == .heldBack(until: morning + 180, rule: .grace))
  }

  @Test func aStoreThatRoundsItsInstantsIsNotAnotherProcess() async {
    let fetch = ScriptedFetch([one: [.answer(content("a")), .answer(content("b"))]])
    let poller = world.poller([source(1)], fetch, store)
    var events = await EventReader(poller)
    let running = Task { await poller.run() }
    await world.clock.sleeper(until: .seconds(1))
    // 2^-11 of a second, which is exact in binary and in a store with milliseconds.
    world.clock.advance(to: .nanoseconds(1_000_488_281))
    _ = await events.attempt()
    await world.clock.sleeper(until: .nanoseconds(601_000_488_281))
    world.clock.advance(to: .nanoseconds(601_000_488_281))
    #expect(await events.attempt()?.result == .new(count: 1, updated: 0))
    #expect(await store.leases == 2)
    running.cancel()
    await running.value
  }
}
