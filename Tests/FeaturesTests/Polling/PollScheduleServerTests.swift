import Foundation
import Messages
import Testing

@testable import Polling

/// Failures, and the hints of servers, which can only delay polls.
@Suite struct PollScheduleServerTests {
  // MARK: The daily limit

  private func full(_ messages: Int, since second: Double) -> PollState {
    var state = PollState()
    state.lastAttemptEnd = morning + second
    state.lastSuccess = state.lastAttemptEnd
    state.day = PollDay(start: morning + second, messages: messages, bytes: 0)
    return state
  }

  @Test func aSourceThatHasAddedEnoughWaitsUntilItsDayEnds() {
    var sources = [source(1, kind: .native), source(2, kind: .native), source(3, kind: .feed)]
    for index in sources.indices { sources[index].settings.dailyLimit = 100 }
    var schedule = PollSchedule()
    let states = [one: full(99, since: 0), two: full(100, since: 0), three: full(100, since: 0)]
    schedule.sourcesChanged(sources, memory: PollMemory(states: states), at: morning)
    schedule.programStarted(at: morning)
    let end = morning + 86_400
    for trigger in [PollTrigger.soft, .stream, .forced, .periodic] {
      #expect(
        schedule.refreshRequested(two, trigger, at: morning + 3600)
          == .heldBack(until: end, rule: .dailyLimit))
    }
    #expect(schedule.nextPoll(of: two, at: morning + 3600) == NextPoll(date: end, rule: .dailyLimit))
    // There is a source that may add one more message, and a feed, whose document may lack it tomorrow.
    #expect(schedule.nextPoll(of: one, at: morning)?.rule != .dailyLimit)
    #expect(schedule.nextPoll(of: three, at: morning)?.rule != .dailyLimit)
    #expect(schedule.refreshRequested(one, .forced, at: morning + 3600) == .poll)
    #expect(schedule.refreshRequested(three, .forced, at: morning + 3600) == .poll)
    #expect(schedule.refreshRequested(two, .forced, at: end) == .poll)
  }

  @Test func aHigherLimitEndsTheWaitAndAClockThatWasSetBackDoesToo() {
    var source = source(2, kind: .native)
    source.settings.dailyLimit = 100
    var schedule = PollSchedule()
    schedule.sourcesChanged([source], memory: PollMemory(states: [two: full(100, since: 0)]), at: morning)
    schedule.programStarted(at: morning)
    #expect(schedule.refreshRequested(two, .forced, at: morning + 60) != .poll)
    source.settings.dailyLimit = 101
    schedule.sourcesChanged([source], memory: PollMemory(), at: morning + 60)
    #expect(schedule.refreshRequested(two, .forced, at: morning + 60) == .poll)
    source.settings.dailyLimit = 100
    schedule = PollSchedule()
    schedule.sourcesChanged([source], memory: PollMemory(states: [two: full(100, since: 900)]), at: morning)
    #expect(schedule.refreshRequested(two, .forced, at: morning) == .poll)
  }

  // MARK: Failures

  @Test func aFeedThatFailsWaitsLongerEachTime() {
    var driver = ScheduleDriver([source(1)])
    var end = 1.0
    for (failures, minutes) in [(1, 20.0), (2, 40), (3, 80), (4, 160), (5, 320), (6, 320), (7, 320)] {
      #expect(driver.begin(at: end - 1) == [])
      #expect(driver.begin(at: end) == [one])
      driver.end(one, .failed(serverError, PollHints()), at: end)
      end += minutes * 60
      #expect(driver.next(one, at: end - 2) == end)
      #expect(driver.rule(one, at: end - 2) == .backoff(failures: failures))
    }
    driver.begin(at: end)
    driver.end(one, notModified, at: end)
    #expect(driver.next(one, at: end) == end + 600)
    #expect(driver.rule(one, at: end) == .interval)
  }

  @Test func softRefreshesWaitForTheBackoffAndForcedOnesDoNot() {
    var driver = ScheduleDriver([source(1)])
    driver.begin(at: 1)
    driver.end(one, .failed(serverError, PollHints()), at: 2)
    #expect(driver.refresh(one, at: 1201) == heldBack(until: 1202, .backoff(failures: 1)))
    #expect(driver.refresh(one, .forced, at: 5) == .poll)
    driver.begin(at: 5)
    driver.end(one, .failed(serverError, PollHints()), at: 6)
    #expect(driver.next(one, at: 6) == 2406)
  }

  @Test(arguments: [
    FetchFailure.nameNotFound(host: "host1.example"), .unreachable(host: "host1.example", reason: "no route"),
  ])
  func aNightWithoutANetworkDoesNotDelayTheMorning(failure: FetchFailure) {
    var driver = ScheduleDriver([source(1)])
    driver.begin(at: 1)
    driver.end(one, .failed(failure, PollHints()), at: 2)
    #expect(driver.next(one, at: 2) == 1202)
    #expect(driver.refresh(one, at: 181) == heldBack(until: 182, .grace))
    #expect(driver.refresh(one, at: 182) == .poll)
  }

  // MARK: Retry-After

  func throttled(until second: TimeInterval) -> PollOutcome {
    .failed(.heldBack(status: 429), hints { $0.retryAfter = morning + second })
  }

  @Test func retryAfterHoldsTheWholeHostAlsoAgainstForce() {
    let sources = [source(1, host: "shared.example"), source(2, host: "shared.example"), source(3)]
    var driver = ScheduleDriver(sources, limits: .init(total: 1, perHost: 2))
    #expect(driver.begin(at: 1) == [one])
    driver.end(one, throttled(until: 4000), at: 2)
    let rule = WaitRule.retryAfter(host: "shared.example")
    #expect(driver.next(one, at: 2) == 4000)
    #expect(driver.rule(one, at: 2) == rule)
    #expect(driver.next(two, at: 2) == 4000)
    #expect(driver.rule(two, at: 2) == rule)
    #expect(driver.begin(at: 2) == [three])
    for id in [one, two] {
      #expect(driver.refresh(id, .forced, at: 3999) == heldBack(until: 4000, rule))
      #expect(driver.refresh(id, .soft, at: 3999) == heldBack(until: 4000, rule))
    }
    #expect(driver.refresh(two, .forced, at: 4000) == .poll)
  }

  @Test func aHoldIsOnTheHostThatAnsweredAndOnWhomItWasAnswered() {
    let sources = [
      source(1, host: "first.example"), source(2, host: "first.example"),
      source(3, host: "answering.example"),
    ]
    var driver = ScheduleDriver(sources)
    driver.begin(at: 1)
    driver.end(two, at: 2)
    driver.end(three, at: 2)
    let outcome = PollOutcome.failed(
      .heldBack(status: 429),
      hints {
        $0.retryAfter = morning + 4000
        $0.retryAfterFrom = "https://answering.example/feed"
      })
    driver.end(one, outcome, at: 2)
    let rule = WaitRule.retryAfter(host: "answering.example")
    for id in [one, three] {
      #expect(driver.next(id, at: 2) == 4000)
      #expect(driver.refresh(id, .forced, at: 3999) == heldBack(until: 4000, rule))
    }
    #expect(driver.next(two, at: 2) == 602)
    #expect(driver.refresh(two, .forced, at: 3) == .poll)

    // Another process knows it too.
    let memory = PollMemory(states: driver.states, holds: ["answering.example": morning + 4000])
    var other = ScheduleDriver(sources, memory: memory, at: 10)
    #expect(other.refresh(one, .forced, at: 10) == heldBack(until: 4000, rule))
    #expect(other.refresh(two, .forced, at: 10) == .poll)
    #expect(other.refresh(one, .forced, at: 4000) == .poll)
  }

  @Test func retryAfterDoesNotShortenTheBackoff() {
    var driver = ScheduleDriver([source(1)])
    driver.begin(at: 1)
    driver.end(one, throttled(until: 60), at: 2)
    #expect(driver.next(one, at: 2) == 1202)
    #expect(driver.rule(one, at: 2) == .backoff(failures: 1))
    #expect(driver.refresh(one, .forced, at: 60) == .poll)
  }

  @Test func aRefreshThatWaitsInTheQueueIsRefusedWhenItsHostIsHeld() {
    let sources = [source(1, host: "shared.example"), source(2, host: "shared.example")]
    var driver = ScheduleDriver(sources, limits: .init(total: 8, perHost: 1), isStarted: false)
    #expect(driver.refresh(one, .forced, at: 0) == .poll)
    #expect(driver.refresh(two, .forced, at: 0) == .poll)
    #expect(driver.begin(at: 0) == [one])
    driver.end(one, throttled(until: 500), at: 1)
    let beginning = driver.schedule.begin(at: morning + 1)
    #expect(beginning.starts.isEmpty)
    #expect(beginning.refusals.map(\.source) == [two])
    #expect(beginning.refusals.map(\.until) == [morning + 500])
    #expect(driver.schedule.begin(at: morning + 2).refusals.isEmpty)
  }

  @Test func aHoldIsKeptOverARestart() {
    let memory = PollMemory(states: [one: polled(ago: 5000)], holds: ["host1.example": morning + 100])
    var driver = ScheduleDriver([source(1)], memory: memory)
    #expect(driver.refresh(one, .forced, at: 99) == heldBack(until: 100, .retryAfter(host: "host1.example")))
    #expect(driver.begin(at: 99) == [])
    #expect(driver.begin(at: 100) == [one])
  }

  @Test func ofTwoHoldsTheLongerCounts() {
    var driver = ScheduleDriver([source(1)])
    driver.schedule.hostHeld(HostHold(host: "host1.example", until: morning + 100), at: morning)
    driver.schedule.hostHeld(HostHold(host: "host1.example", until: morning + 50), at: morning)
    #expect(driver.next(one) == 100)
  }

  // MARK: max-age and ttl

  static let day = 86_400.0

  @Test(arguments: [
    (MinimumWaitRule.maxAge, 300, 600.0, WaitRule.interval),
    (.maxAge, 599, 600, .interval), (.maxAge, 600, 600, .interval), (.maxAge, 601, 601, .maxAge),
    (.ttl, 3600, 3600, .ttl), (.ttl, 86_399, 86_399, .ttl), (.maxAge, 86_401, day, .maxAge),
    (.maxAge, 31_536_000, day, .maxAge), (.ttl, -5, 600, .interval),
  ])
  func theServerMayOnlyRaiseTheWaitUpToADay(
    said: MinimumWaitRule, seconds: Int, wait: TimeInterval, rule: WaitRule
  ) {
    var driver = ScheduleDriver([source(1)])
    driver.begin(at: 1)
    let slow = hints { ($0.minimumWait, $0.minimumWaitRule) = (.seconds(seconds), said) }
    driver.end(one, content(hints: slow), at: 2)
    #expect(driver.next(one, at: 2) == 2 + wait)
    #expect(driver.rule(one, at: 2) == rule)
  }

  @Test func anIntervalBeyondADayIsNotShortened() {
    var driver = ScheduleDriver([source(1, interval: 200_000)])
    driver.begin(at: 1)
    let slow = hints { ($0.minimumWait, $0.minimumWaitRule) = (.seconds(300_000), .ttl) }
    driver.end(one, content(hints: slow), at: 2)
    #expect(driver.next(one, at: 2) == 200_002)
    #expect(driver.rule(one, at: 2) == .interval)
  }

  @Test func softRefreshesObeyMaxAgeAndForcedOnesDoNot() {
    var driver = ScheduleDriver([source(1)])
    driver.begin(at: 1)
    let slow = hints { ($0.minimumWait, $0.minimumWaitRule) = (.seconds(3600), .maxAge) }
    driver.end(one, content(hints: slow), at: 2)
    #expect(driver.refresh(one, at: 3601) == heldBack(until: 3602, .maxAge))
    #expect(driver.refresh(one, at: 3602) == .poll)
    driver.begin(at: 3602)
    driver.end(one, content(hints: slow), at: 3603)
    #expect(driver.refresh(one, .forced, at: 3604) == .poll)
  }

  // MARK: skipHours and skipDays

  /// `morning` is a Friday, 08:00 UTC.
  @Test func skippedHoursAndDaysMoveTheNextPoll() {
    var driver = ScheduleDriver([source(1)])
    driver.begin(at: 1)
    driver.end(one, content(hints: hints { $0.skipHours = [8, 9] }), at: 2)
    #expect(driver.next(one, at: 2) == 7200)
    #expect(driver.rule(one, at: 2) == .skipHours)
    #expect(driver.refresh(one, at: 7199) == heldBack(until: 7200, .skipHours))
    #expect(driver.refresh(one, .forced, at: 300) == .poll)
    driver.begin(at: 300)
    driver.end(one, content(hints: hints { $0.skipDays = [5, 6] }), at: 301)
    #expect(driver.next(one, at: 301) == 144_000)
    #expect(driver.rule(one, at: 301) == .skipDays)
    #expect(driver.begin(at: 40 * 3600 - 1) == [])
    #expect(driver.begin(at: 40 * 3600) == [one])
  }

  @Test func whatIsOverdueIsNotPolledInASkippedHour() {
    var driver = ScheduleDriver([source(1)])
    driver.begin(at: 1)
    driver.end(one, content(hints: hints { $0.skipHours = [9] }), at: 2)
    #expect(driver.next(one, at: 2) == 602)
    // The machine slept from 08:00 to 09:30.
    #expect(driver.begin(at: 5400) == [])
    #expect(driver.wake(at: 5400) == 7200)
    #expect(driver.next(one, at: 5400) == 7200)
    #expect(driver.begin(at: 7200) == [one])
  }

  // MARK: 410

  @Test func goneStopsTheSourceUntilItIsForced() {
    var driver = ScheduleDriver([source(1)])
    driver.begin(at: 1)
    driver.end(one, .failed(.gone, hints { $0.isGone = true }), at: 2)
    #expect(driver.next(one, at: 2) == nil)
    #expect(driver.rule(one, at: 2) == .gone)
    #expect(driver.wake(at: 2) == nil)
    #expect(driver.begin(at: 10_000_000) == [])
    #expect(driver.refresh(one, at: 10_000_000) == .heldBack(until: .distantFuture, rule: .gone))

    // A forced refresh polls once more; another failure does not mean that it is gone.
    #expect(driver.refresh(one, .forced, at: 10_000_001) == .poll)
    driver.begin(at: 10_000_001)
    driver.end(one, .failed(serverError, PollHints()), at: 10_000_002)
    #expect(driver.rule(one, at: 10_000_002) == .gone)
    #expect(driver.refresh(one, .forced, at: 10_000_003) == .poll)
    driver.begin(at: 10_000_003)
    driver.end(one, content("back"), at: 10_000_004)
    #expect(driver.next(one, at: 10_000_004) == 10_000_604)
  }

  @Test func aSourceThatWasGoneStaysSoAfterARestart() {
    var state = polled(ago: 100_000)
    state.isGone = true
    var driver = ScheduleDriver([source(1)], memory: PollMemory(states: [one: state]))
    #expect(driver.begin(at: 1) == [])
    #expect(driver.rule(one, at: 1) == .gone)
  }
}
