import Foundation
import Messages
import TestBasics
import Testing

@testable import Polling

@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct PollerTests {
  let world = World()
  let store = MemoryStore()

  // MARK: Refreshes

  @Test func aRefreshReportsTheNewMessages() async {
    let fetch = ScriptedFetch([
      one: [
        .answer(content("a", "b")), .answer(content("a", "b")), .answer(notModified),
        .answer(.failed(serverError, PollHints())),
      ]
    ])
    let poller = world.poller([source(1)], fetch, store)
    #expect(await poller.refresh(one, .forced) == .new(count: 2))
    #expect(await poller.refresh(one, .forced) == .nothingNew)
    #expect(await poller.refresh(one, .forced) == .nothingNew)
    #expect(await poller.refresh(one, .forced) == .failed(serverError))
    #expect(await fetch.unused == 0)
    #expect(await fetch.positions[1].cursor == Cursor("b"))
    #expect(await store.lockedCount == 0)
    #expect(await store.reports.map(\.trigger) == [.forced, .forced, .forced, .forced])
  }

  /// A server may report by mistake that nothing is new.
  @Test func aForcedRefreshAsksForTheWhole() async {
    var known = PollContent(messages: [])
    known.position = PollPosition(cursor: Cursor("7"), validators: Validators(etag: "\"1\""))
    let fetch = ScriptedFetch([
      one: [
        .answer(.content(known, PollHints())), .answer(.content(known, PollHints())), .answer(notModified),
      ]
    ])
    let poller = world.poller([source(1)], fetch, store)
    _ = await poller.refresh(one, .soft)
    _ = await poller.refresh(one, .forced)
    #expect(await fetch.positions[1] == PollPosition(cursor: Cursor("7")))
    world.clock.advance(to: .seconds(300))
    _ = await poller.refresh(one, .soft)
    #expect(await fetch.positions[2] == known.position)
  }

  @Test func aSoftRefreshWithinGraceDoesNothingAndSaysSoOnce() async {
    let fetch = ScriptedFetch([one: [.answer(content("a"))]])
    let poller = world.poller([source(1)], fetch, store)
    _ = await poller.refresh(one, .soft)
    for _ in 0..<3 {
      #expect(await poller.refresh(one, .soft) == .heldBack(until: morning + 180, rule: .grace))
    }
    #expect(await store.notes.map(\.result) == [.heldBack(until: morning + 180, rule: .grace)])
  }

  @Test func openingTheInboxWithinGraceWritesNothing() async {
    let fetch = ScriptedFetch(repeats: { _, _ in .answer(content("a")) })
    let poller = world.poller((1...20).map { source($0) }, fetch, store)
    let first = await poller.refreshAll(.soft)
    #expect(first.count == 20)
    #expect(first.values.allSatisfy { $0 == .new(count: 1) })
    let second = await poller.refreshAll(.soft)
    #expect(second.values.allSatisfy { $0 == .heldBack(until: morning + 180, rule: .grace) })
    #expect(await store.notes.isEmpty)
    #expect(await fetch.calls.count == 20)
    #expect(await fetch.mostInFlight <= 8)
  }

  @Test func aForcedRefreshNeverOverridesRetryAfter() async {
    let held = PollOutcome.failed(.heldBack(status: 429), hints { $0.retryAfter = morning + 90 })
    let fetch = ScriptedFetch([one: [.answer(held)]])
    let sources = [source(1, host: "a.example"), source(2, host: "a.example")]
    let poller = world.poller(sources, fetch, store)
    #expect(await poller.refresh(one, .forced) == .failed(.heldBack(status: 429)))
    let expected = RefreshResult.heldBack(until: morning + 90, rule: .retryAfter(host: "a.example"))
    #expect(await poller.refresh(one, .forced) == expected)
    #expect(await poller.refresh(two, .forced) == expected)
    #expect(await store.memory.holds == ["a.example": morning + 90])
    #expect(await store.notes.count == 2)
    // This is also the case after a restart.
    let again = world.poller(sources, fetch, store)
    #expect(await again.refresh(two, .forced) == expected)
  }

  @Test func aRedirectToAHeldHostHoldsThePollBackAndChangesNothingElse() async {
    let held = PollOutcome.failed(.heldBack(status: 429), hints { $0.retryAfter = morning + 90 })
    let elsewhere = "https://b.example/feed"
    let fetch = ScriptedFetch([
      one: [
        .answer(content("a")), .redirected(elsewhere, content("b")), .redirected(elsewhere, content("b")),
      ],
      two: [.answer(held)],
    ])
    let sources = [source(1, host: "a.example"), source(2, host: "b.example")]
    let poller = world.poller(sources, fetch, store)
    #expect(await poller.refresh(one, .forced) == .new(count: 1))
    #expect(await poller.refresh(two, .forced) == .failed(.heldBack(status: 429)))
    let expected = RefreshResult.heldBack(until: morning + 90, rule: .retryAfter(host: "b.example"))
    #expect(await poller.refresh(one, .forced) == expected)
    let report = await store.reports.last
    #expect(report?.state.failures == 0 && report?.state.lastFailure == nil)
    #expect(report?.state.lastSuccess == morning)
    #expect(report?.hold == nil)
    // Another process on the same store reads the hold before its request.
    let again = world.poller(sources, fetch, store)
    #expect(await again.refresh(one, .forced) == expected)
    #expect(await fetch.positions.last?.cursor == Cursor("a"))
    #expect(await store.memory.holds == ["b.example": morning + 90])
  }

  @Test func aRefreshDuringAPollJoinsItAndEachIsAnsweredOnce() async {
    let gate = Gate()
    let fetch = ScriptedFetch([one: [.gate(gate)]])
    let poller = world.poller([source(1)], fetch, store)
    async let first = poller.refresh(one, .soft)
    await fetch.called(times: 1)
    var events = await EventReader(poller)
    async let second = poller.refresh(one, .forced)
    #expect(await events.attempt()?.result == .joined)
    async let third = poller.refresh(one, .soft)
    #expect(await events.attempt()?.result == .joined)
    gate.open(content("a"))
    #expect(await [first, second, third] == [.new(count: 1), .new(count: 1), .new(count: 1)])
    #expect(await fetch.calls.count == 1)
  }

  @Test func aCallerThatIsCancelledReturnsAndThePollGoesOn() async {
    let gate = Gate()
    let fetch = ScriptedFetch([one: [.gate(gate)]])
    let poller = world.poller([source(1)], fetch, store)
    var events = await EventReader(poller)
    let caller = Task { await poller.refresh(one, .forced) }
    await fetch.called(times: 1)
    caller.cancel()
    #expect(await caller.value == .failed(.cancelled))
    gate.open(content("a"))
    #expect(await events.attempt()?.result == .new(count: 1, updated: 0))
    #expect(await store.reports.count == 1)
  }

  @Test func aSourceThatIsNotPolledSaysSo() async {
    let poller = world.poller([source(1, kind: .local)], ScriptedFetch(), store)
    #expect(await poller.refresh(one, .forced) == .heldBack(until: .distantFuture, rule: .notPolled))
    #expect(await poller.refresh(two, .soft) == .heldBack(until: .distantFuture, rule: .notPolled))
    #expect(await store.notes.isEmpty)
  }

  // MARK: The loop

  @Test func theMinuteFifteenAndMinuteThirtyStory() async throws {
    let fetch = ScriptedFetch([one: [.answer(content()), .answer(content("a", "b")), .answer(content())]])
    let poller = world.poller([source(1, interval: 900)], fetch, store)
    var events = await EventReader(poller)
    let running = Task { await poller.run() }

    for (second, result) in [
      (1, PollAttempt.Result.nothingNew), (901, .new(count: 2, updated: 0)), (1801, .nothingNew),
    ] {
      await world.clock.sleeper(until: .seconds(second))
      world.clock.advance(to: .seconds(second))
      let attempt = try #require(await events.attempt())
      #expect(attempt.result == result)
      #expect(attempt.start == morning + Double(second))
      #expect(attempt.trigger == (second == 1 ? .initial : .periodic))
    }
    await world.clock.sleeper(until: .seconds(2701))
    running.cancel()
    await running.value
    #expect(await store.positions[one]?.cursor == nil)
    #expect(await fetch.calls.count == 3)
  }

  @Test func jitterIsAddedToTheInterval() async {
    let fetch = ScriptedFetch([one: [.answer(content())]])
    let poller = world.poller([source(1)], fetch, store, jitter: 0.05)
    let running = Task { await poller.run() }
    await world.clock.sleeper(until: .seconds(1))
    world.clock.advance(to: .seconds(1))
    await world.clock.sleeper(until: .seconds(631))
    #expect(await fetch.calls.count == 1)
    running.cancel()
    await running.value
  }

  @Test func aMachineThatSleptPollsOnce() async throws {
    let fetch = ScriptedFetch([one: [.answer(content("a")), .answer(content("b"))]])
    let poller = world.poller([source(1)], fetch, store)
    var events = await EventReader(poller)
    let running = Task { await poller.run() }
    await world.clock.sleeper(until: .seconds(1))
    world.clock.advance(to: .seconds(1))
    _ = await events.attempt()
    await world.clock.sleeper(until: .seconds(601))
    world.clock.advance(to: .seconds(500_000))
    #expect(try #require(await events.attempt()).start == morning + 500_000)
    await world.clock.sleeper(until: .seconds(500_600))
    running.cancel()
    await running.value
    #expect(await fetch.calls.count == 2)
  }

  @Test func aClockSetBackWhileThePollerSleepsDelaysByOneInterval() async throws {
    let fetch = ScriptedFetch([one: [.answer(content("a")), .answer(content("b"))]])
    let poller = world.poller([source(1)], fetch, store)
    var events = await EventReader(poller)
    let running = Task { await poller.run() }
    await world.clock.sleeper(until: .seconds(1))
    world.clock.advance(to: .seconds(1))
    _ = await events.attempt()
    await world.clock.sleeper(until: .seconds(601))
    world.setWall(by: -1_000_000)
    world.clock.advance(to: .seconds(601))
    await world.clock.sleeper(until: .seconds(1201))
    world.clock.advance(to: .seconds(1201))
    #expect(try #require(await events.attempt()).start == morning + 1201 - 1_000_000)
    running.cancel()
    await running.value
  }

  @Test func aForcedRefreshRearmsTheLoop() async {
    let fetch = ScriptedFetch([one: [.answer(content()), .answer(content())]])
    let poller = world.poller([source(1)], fetch, store)
    let running = Task { await poller.run() }
    await world.clock.sleeper(until: .seconds(1))
    world.clock.advance(to: .seconds(1))
    await world.clock.sleeper(until: .seconds(601))
    world.clock.advance(to: .seconds(300))
    #expect(await poller.refresh(one, .forced) == .nothingNew)
    await world.clock.sleeper(until: .seconds(900))
    running.cancel()
    await running.value
  }

  @Test func aSourceThatIsAddedIsPolledAfterItsInitialDelay() async {
    let fetch = ScriptedFetch([two: [.answer(content("a"))]])
    let poller = world.poller([], fetch, store)
    var events = await EventReader(poller)
    let running = Task { await poller.run() }
    #expect(await events.next() == .current([]))
    await poller.start()
    await poller.sourcesChanged([source(2)])
    await world.clock.sleeper(until: .seconds(1))
    world.clock.advance(to: .seconds(1))
    #expect(await events.attempt()?.source == two)
    running.cancel()
    await running.value
  }

  @Test func aRefreshThatComesBeforeTheStoreIsReadWaitsForTheInitialDelay() async {
    let fetch = ScriptedFetch([one: [.answer(content("a"))]])
    let poller = world.poller([source(1)], fetch, store)
    let (arrived, open) = await store.close(.read)
    let running = Task { await poller.run() }
    for await _ in arrived {}
    // The loop waits for the store; a refresh meanwhile does not overtake it.
    #expect(await poller.refresh(one, .soft) == .heldBack(until: morning + 1, rule: .initialDelay))
    open()
    await world.clock.sleeper(until: .seconds(1))
    world.clock.advance(to: .seconds(1))
    await world.clock.sleeper(until: .seconds(601))
    running.cancel()
    await running.value
    #expect(await store.reports.map(\.trigger) == [.initial])
  }

  @Test func aSilentPayloadIsFollowedByOneRefreshAfterGrace() async {
    let fetch = ScriptedFetch([
      one: [.answer(content(wantsRefresh: true)), .answer(content("a", wantsRefresh: true))]
    ])
    let poller = world.poller([source(1)], fetch, store)
    let running = Task { await poller.run() }
    for second in [1, 181] {
      await world.clock.sleeper(until: .seconds(second))
      world.clock.advance(to: .seconds(second))
    }
    await world.clock.sleeper(until: .seconds(781))
    running.cancel()
    await running.value
    #expect(await store.reports.map(\.trigger) == [.initial, .soft])
  }

  // MARK: Ends

  @Test func aPollPastItsDeadlineIsCancelledAndRecorded() async {
    let fetch = ScriptedFetch([one: [.gate(Gate())]])
    let poller = world.poller([source(1)], fetch, store)
    async let result = poller.refresh(one, .forced)
    await world.clock.sleeper(until: .seconds(150))
    world.clock.advance(to: .seconds(150))
    #expect(await result == .failed(.timedOut(.poll, seconds: 150)))
    #expect(await store.memory.states[one]?.lastFailure == .timedOut(.poll, seconds: 150))
    #expect(await store.lockedCount == 0)
  }

  @Test func aFetchThatIgnoresCancellationIsLeftToItself() async {
    let gate = Gate()
    let fetch = ScriptedFetch([
      one: [.gate(gate, isStubborn: true), .answer(content("again"))], two: [.answer(content("b"))],
    ])
    let poller = world.poller([source(1), source(2)], fetch, store, limits: .init(total: 1, perHost: 1))
    async let result = poller.refresh(one, .forced)
    await world.clock.sleeper(until: .seconds(150))
    async let other = poller.refresh(two, .forced)
    world.clock.advance(to: .seconds(150))
    #expect(await result == .failed(.timedOut(.poll, seconds: 150)))
    #expect(await other == .new(count: 1))
    // There is no second fetch while the cancelled one runs.
    #expect(await poller.refresh(one, .forced) == .failed(.timedOut(.poll, seconds: 150)))
    #expect(await fetch.calls == [one, two])
    gate.open(content("late"))
    while await !poller.fetches.isEmpty, !Task.isCancelled { await Task.yield() }
    #expect(await store.reports.map(\.source) == [one, two, one])
    #expect(await store.positions[one] == nil)
    #expect(await poller.refresh(one, .forced) == .new(count: 1))
  }

  @Test func endingTheLoopDropsPollsInFlightWhole() async {
    let fetch = ScriptedFetch(repeats: { _, _ in .gate(Gate()) })
    let poller = world.poller((1...10).map { source($0) }, fetch, store)
    let running = Task { await poller.run() }
    await world.clock.sleeper(until: .seconds(1))
    world.clock.advance(to: .seconds(1))
    await fetch.called(times: 8)
    async let joined = poller.refresh(one, .forced)
    async let queued = poller.refresh(SourceID(10), .forced)
    var events = await EventReader(poller)
    await events.phase(of: SourceID(10)) { $0 == .queued(.forced) }
    running.cancel()
    await running.value
    #expect(await [joined, queued] == [.failed(.cancelled), .failed(.cancelled)])
    #expect(await store.reports.isEmpty)
    #expect(await store.lockedCount == 0)
    #expect(await poller.refresh(one, .forced) == .failed(.cancelled))
    while await events.next() != nil {}
  }

  @Test func endingTheLoopLetsGoOfAStubbornFetch() async {
    let gate = Gate()
    let fetch = ScriptedFetch([one: [.gate(gate, isStubborn: true)]])
    let poller = world.poller([source(1)], fetch, store)
    let running = Task { await poller.run() }
    await world.clock.sleeper(until: .seconds(1))
    world.clock.advance(to: .seconds(1))
    await fetch.called(times: 1)
    running.cancel()
    await running.value
    gate.open(content("late"))
    #expect(await store.reports.isEmpty)
  }

  @Test func aRemovedSourceIsDroppedAndItsRefreshesEnd() async {
    let fetch = ScriptedFetch([one: [.gate(Gate())]])
    let poller = world.poller([source(1), source(2, host: "host1.example")], fetch, store)
    async let result = poller.refresh(one, .forced)
    await fetch.called(times: 1)
    await poller.sourcesChanged([source(2, host: "host1.example")])
    #expect(await result == .failed(.cancelled))
    #expect(await poller.activity(of: one) == nil)
    #expect(await store.reports.isEmpty)
  }

  @Test func aStoreThatFailsIsAFailedResultAndThePollerGoesOn() async {
    let full = FetchFailure.storage(reason: "disk full")
    let fetch = ScriptedFetch([
      one: [.answer(content("a")), .answer(content("a"))], two: [.answer(content("b"))],
    ])
    await store.failRecords([full])
    let poller = world.poller([source(1), source(2)], fetch, store)
    #expect(await poller.refresh(one, .forced) == .failed(full))
    // It is not polled again immediately, although the store has no attempt.
    #expect(await poller.refresh(one, .soft) == .heldBack(until: morning + 180, rule: .grace))
    #expect(await poller.refresh(two, .soft) == .new(count: 1))
    #expect(await poller.refresh(one, .forced) == .new(count: 1))
    #expect(await store.lockedCount == 0)
  }

  @Test func aStoreThatCannotBeReadFailsTheRefresh() async {
    let broken = FetchFailure.storage(reason: "disk I/O error")
    let fetch = ScriptedFetch([one: [.answer(content("a"))]])
    await store.failReads(broken)
    let poller = world.poller([source(1)], fetch, store)
    var events = await EventReader(poller)
    #expect(await poller.refresh(one, .forced) == .failed(broken))
    #expect(
      await events.next()
        == .current([.init(source: one, phase: .idle, next: .init(date: .distantPast, rule: .initialDelay))]))
    #expect(await events.next() == .recordingFailed(broken))
    await store.failReads(nil)
    #expect(await poller.refresh(one, .forced) == .new(count: 1))
  }

  // MARK: Observers

  @Test func anObserverGetsTheCurrentStateAtOnceThenEveryChange() async {
    let fetch = ScriptedFetch([one: [.answer(content("a"))]])
    let poller = world.poller([source(1)], fetch, store)
    _ = await poller.refresh(one, .forced)
    var late = await EventReader(poller)
    let next = NextPoll(date: morning + 600, rule: .interval)
    #expect(await late.next() == .current([SourceActivity(source: one, phase: .idle, next: next)]))
  }

  @Test func anAttemptIsReportedAfterItIsStored() async {
    let fetch = ScriptedFetch(repeats: { _, call in .answer(content("\(call)")) })
    let poller = world.poller([source(1)], fetch, store)
    var events = await EventReader(poller)
    for count in 1...20 {
      async let _ = poller.refresh(one, .forced)
      #expect(await events.attempt()?.result == .new(count: 1, updated: 0))
      #expect(await store.reports.count >= count)
    }
  }

  @Test func anObserverMayLeaveDuringANotification() async {
    let fetch = ScriptedFetch(repeats: { _, call in .answer(content("\(call)")) })
    let poller = world.poller([source(1)], fetch, store)
    let events = await poller.events()
    let leaving = Task {
      for await event in events { if case .changed = event { return } }
    }
    var staying = await EventReader(poller)
    _ = await poller.refresh(one, .forced)
    await leaving.value
    _ = await poller.refresh(one, .forced)
    #expect(await staying.attempt() != nil)
    #expect(await staying.attempt() != nil)
  }

  @Test func theSpinnerTurnsWhileAPollIsInFlight() async {
    let gate = Gate()
    let fetch = ScriptedFetch([one: [.gate(gate)]])
    let poller = world.poller([source(1)], fetch, store)
    var events = await EventReader(poller)
    async let result = poller.refresh(one, .soft)
    await events.phase(of: one) { $0 == .polling(.soft, since: morning) }
    gate.open(notModified)
    await events.phase(of: one) { $0 == .idle }
    #expect(await result == .nothingNew)
  }
}
