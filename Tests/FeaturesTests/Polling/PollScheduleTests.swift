import Foundation
import Messages
import Testing

@testable import Polling

@Suite struct PollScheduleTests {
  // MARK: The first poll

  @Test func theFirstPollComesAfterTheInitialDelay() {
    var driver = ScheduleDriver([source(1)])
    #expect(driver.next(one) == 1)
    #expect(driver.rule(one) == .initialDelay)
    #expect(driver.wake(at: 0) == 1)
    #expect(driver.begin(at: 0.999) == [])
    #expect(driver.triggers(at: 1) == [.initial])
  }

  @Test func aSoftRefreshWaitsForTheInitialDelay() {
    var driver = ScheduleDriver(
      [source(1), source(2)], memory: PollMemory(states: [two: polled(ago: 90_000)]))
    for second in [0, 0.5, 0.999] {
      for id in [one, two] {
        #expect(driver.refresh(id, at: second) == .heldBack(until: morning + 1, rule: .initialDelay))
      }
      #expect(driver.begin(at: second) == [])
    }
    #expect(driver.triggers(at: 1) == [.initial, .initial])
  }

  @Test func aForcedRefreshDoesNotWaitForTheInitialDelayAndIsTheFirstPoll() {
    var driver = ScheduleDriver([source(1)])
    #expect(driver.refresh(one, .forced, at: 0.5) == .poll)
    #expect(driver.triggers(at: 0.5) == [.forced])
    driver.end(one, at: 0.75)
    #expect(driver.begin(at: 1) == [])
    #expect(driver.next(one, at: 1) == 600.75)
  }

  @Test func nothingIsPolledByItselfBeforeTheProgramStarted() {
    var driver = ScheduleDriver(
      [source(1)], memory: PollMemory(states: [one: polled(ago: 90_000)]), isStarted: false)
    #expect(driver.begin(at: 0) == [])
    #expect(driver.wake(at: 0) == nil)
    #expect(driver.refresh(one, at: 1) == .poll)
    #expect(driver.begin(at: 1) == [one])
  }

  @Test(arguments: [(179.0, false), (180, true), (181, true), (700, true)])
  func theInitialPollIsASoftRefreshJudgedByTheStoredAttempt(ago: TimeInterval, isPolled: Bool) {
    // At the end of the initial delay one second more has passed.
    var driver = ScheduleDriver([source(1)], memory: PollMemory(states: [one: polled(ago: ago - 1)]))
    #expect(driver.begin(at: 1) == (isPolled ? [one] : []))
    if !isPolled {
      #expect(driver.next(one, at: 1) == 600 - (ago - 1))
      #expect(driver.rule(one, at: 1) == .interval)
    }
  }

  @Test(arguments: [SourceKind.schedule, .feed])
  func aLocalFileHasNoGrace(kind: SourceKind) {
    var file = source(1, kind: kind)
    file.address = "file:///home/me/reminders"
    var driver = ScheduleDriver([file], memory: PollMemory(states: [one: polled(ago: 1)]))
    #expect(driver.triggers(at: 1) == [.initial])
    driver.end(one, at: 1)
    #expect(driver.refresh(one, at: 3) == .poll)
  }

  /// An alarm is on time, even while its server fails. Changes are polled as with any other source.
  @Test func aCalendarIsPolledAtItsAlarmAndAtItsInterval() {
    var driver = ScheduleDriver([source(1, kind: .calendar)])
    driver.begin(at: 1)
    driver.end(one, content(hints: hints { $0.nextPoll = morning + 5000 }), at: 2)
    #expect(driver.next(one, at: 3) == 602)
    #expect(driver.rule(one, at: 3) == .interval)
    driver.begin(at: 602)
    driver.end(one, content(hints: hints { $0.nextPoll = morning + 800 }), at: 603)
    #expect(driver.next(one, at: 604) == 800)
    #expect(driver.rule(one, at: 604) == .schedule)
    _ = driver.refresh(one, .forced, at: 700)
    driver.begin(at: 700)
    driver.end(one, .failed(serverError, PollHints()), at: 701)
    #expect(driver.next(one, at: 702) == 800)
    driver.begin(at: 800)
    driver.end(one, .failed(serverError, PollHints()), at: 801)
    #expect(driver.next(one, at: 802) ?? 0 > 1400)
  }

  /// A periodic refresh, for cron, polls the sources that the inbox would poll now.
  @Test func aPeriodicRefreshPollsWhatIsDueByThePlan() {
    var failing = polled(ago: 700)
    (failing.failures, failing.lastFailure) = (2, .nameNotFound(host: "a.example"))
    var slow = polled(ago: 700)
    (slow.minimumWait, slow.minimumWaitRule) = (.seconds(3600), .ttl)
    var (gone, firing) = (polled(ago: 90_000), polled(ago: 1))
    gone.isGone = true
    firing.nextPoll = morning
    let cases: [(PollState, PollSchedule.Decision)] = [
      (PollState(), .poll), (polled(ago: 600), .poll),
      // Up to a tenth of the interval early.
      (polled(ago: 541), .poll), (polled(ago: 539), .heldBack(until: morning + 61, rule: .interval)),
      (failing, .heldBack(until: morning + 1700, rule: .backoff(failures: 2))),
      (slow, .heldBack(until: morning + 2900, rule: .ttl)),
      (gone, .heldBack(until: .distantFuture, rule: .gone)), (firing, .poll),
    ]
    for (state, decision) in cases {
      var driver = ScheduleDriver(
        [source(1)], memory: PollMemory(states: [one: state]), isStarted: false)
      #expect(driver.refresh(one, .periodic, at: 0) == decision)
    }
    // A hold on a host applies to it too.
    var driver = ScheduleDriver(
      [source(1, host: "a.example")], memory: PollMemory(holds: ["a.example": morning + 60]), isStarted: false
    )
    let held = PollSchedule.Decision.heldBack(until: morning + 60, rule: .retryAfter(host: "a.example"))
    #expect(driver.refresh(one, .periodic, at: 0) == held)
  }

  /// A program that is started once in an interval, and whose polls take a while.
  @Test(arguments: [(2.0, 0.0), (2, 0.1), (50, 0.05), (0, 0.1)])
  func aRunOnceInAnIntervalPollsEachTime(ended: TimeInterval, jitter: Double) {
    var state = polled(ago: 600 - ended)
    state.jitter = jitter
    let memory = PollMemory(states: [one: polled(ago: 10), two: state, three: polled(ago: 10)])
    var driver = ScheduleDriver([source(1), source(2), source(3)], memory: memory, isStarted: false)
    #expect(driver.refresh(two, .periodic, at: 0) == .poll)
    #expect(driver.refresh(one, .periodic, at: 0) != .poll)
  }

  @Test func aControlFileIsPolledAtEveryStart() {
    let banners = source(1, kind: .banners)
    var slow = polled(ago: 5)
    slow.minimumWait = .seconds(3600)
    slow.minimumWaitRule = .maxAge
    for state in [polled(ago: 1), slow] {
      var driver = ScheduleDriver([banners], memory: PollMemory(states: [one: state]))
      #expect(driver.triggers(at: 1) == [.initial])
    }
    // Focusing the terminal again does not shorten the wait.
    var driver = ScheduleDriver([banners], memory: PollMemory(states: [one: polled(ago: 90_000)]))
    driver.begin(at: 1)
    driver.end(one, at: 2)
    #expect(driver.refresh(one, at: 3) == .heldBack(until: morning + 182, rule: .grace))
  }

  @Test func retryAfterAndBackoffHoldForAControlFileToo() {
    let banners = source(1, kind: .banners)
    let hold = PollMemory(states: [one: polled(ago: 1)], holds: ["host1.example": morning + 60])
    var held = ScheduleDriver([banners], memory: hold)
    #expect(held.begin(at: 1) == [])
    var state = polled(ago: 1)
    state.failures = 1
    state.lastFailure = serverError
    var failing = ScheduleDriver([banners], memory: PollMemory(states: [one: state]))
    #expect(failing.begin(at: 1) == [])
  }

  @Test func startingTheProgramFiveTimesInAMinutePollsOnce() {
    var states: [SourceID: PollState] = [:]
    var polls = 0
    for start in stride(from: 0.0, through: 48, by: 12) {
      var driver = ScheduleDriver([source(1)], memory: PollMemory(states: states), at: start)
      for second in stride(from: start, to: start + 12, by: 1) {
        for id in driver.begin(at: second) {
          polls += 1
          driver.end(id, at: second + 0.5)
        }
      }
      states = driver.states
    }
    #expect(polls == 1)
  }

  @Test func anInitialPollHeldBackByAHostComesWhenTheHoldEnds() {
    var driver = ScheduleDriver([source(1)], memory: PollMemory(holds: ["host1.example": morning + 60]))
    #expect(driver.begin(at: 1) == [])
    #expect(driver.next(one, at: 1) == 60)
    #expect(driver.rule(one, at: 1) == .retryAfter(host: "host1.example"))
    #expect(driver.begin(at: 59) == [])
    #expect(driver.begin(at: 60) == [one])
  }

  @Test func aSourceAddedLaterGetsItsOwnInitialDelay() {
    var driver = ScheduleDriver([source(1)])
    driver.begin(at: 1)
    driver.end(one, at: 2)
    driver.schedule.sourcesChanged([source(1), source(2)], memory: driver.memory, at: morning + 50)
    #expect(driver.next(two, at: 50) == 51)
    #expect(driver.next(one, at: 50) == 602)
  }

  // MARK: The interval

  @Test(arguments: [(0.0, 630.0), (0.05, 660), (0.1, 690)])
  func theIntervalCountsFromTheEndOfAPollPlusJitter(jitter: Double, expected: TimeInterval) throws {
    var driver = ScheduleDriver([source(1)])
    driver.jitter = jitter
    #expect(driver.begin(at: 1) == [one])
    driver.end(one, at: 30, began: 1)
    #expect(abs(try #require(driver.next(one, at: 30)) - expected) < 1e-6)
    #expect(driver.begin(at: expected - 1) == [])
    #expect(driver.triggers(at: expected + 0.001) == [.periodic])
  }

  @Test func anyPollAlsoAForcedOneRearmsThePeriodicTimer() {
    var driver = ScheduleDriver([source(1)])
    driver.begin(at: 1)
    driver.end(one, at: 2)
    #expect(driver.next(one, at: 300) == 602)
    #expect(driver.refresh(one, .forced, at: 300) == .poll)
    driver.begin(at: 300)
    driver.end(one, at: 310, began: 300)
    #expect(driver.next(one, at: 310) == 910)
    #expect(driver.begin(at: 909) == [])
    #expect(driver.begin(at: 910) == [one])
  }

  @Test func anIntervalThatIsChangedCountsFromTheSameAttempt() {
    var driver = ScheduleDriver([source(1)])
    driver.begin(at: 1)
    driver.end(one, at: 2)
    driver.schedule.sourcesChanged([source(1, interval: 60)], memory: driver.memory, at: morning + 10)
    #expect(driver.next(one, at: 10) == 62)
  }

  @Test func anIntervalOfNothingDoesNotAskWithoutAPause() {
    var driver = ScheduleDriver([source(1, interval: 0)])
    driver.begin(at: 1)
    driver.end(one, at: 2)
    #expect(driver.next(one, at: 2) == 3)
  }

  // MARK: Refreshes

  @Test(arguments: [(1.0, false), (179, false), (180, true), (181, true)])
  func aSoftRefreshWithinGraceDoesNothing(after: TimeInterval, isPolled: Bool) {
    var driver = ScheduleDriver([source(1)])
    driver.begin(at: 1)
    driver.end(one, at: 10, began: 1)
    #expect(driver.refresh(one, at: 10 + after) == (isPolled ? .poll : heldBack(until: 190, .grace)))
    #expect(driver.begin(at: 10 + after) == (isPolled ? [one] : []))
  }

  @Test func aSoftRefreshAfterGraceNeedsNoFullInterval() {
    var driver = ScheduleDriver([source(1)])
    driver.begin(at: 1)
    driver.end(one, at: 2)
    #expect(driver.refresh(one, at: 300) == .poll)
    #expect(driver.triggers(at: 300) == [.soft])
  }

  @Test func aForcedRefreshIgnoresGrace() {
    var driver = ScheduleDriver([source(1)])
    driver.begin(at: 1)
    driver.end(one, at: 2)
    #expect(driver.refresh(one, .forced, at: 3) == .poll)
    #expect(driver.triggers(at: 3) == [.forced])
  }

  @Test(arguments: [PollTrigger.soft, .forced])
  func aRefreshJoinsThePollInFlight(trigger: PollTrigger) {
    var driver = ScheduleDriver([source(1)])
    #expect(driver.begin(at: 1) == [one])
    #expect(driver.refresh(one, trigger, at: 2) == .join)
    #expect(driver.begin(at: 2) == [])
    driver.end(one, at: 3)
    #expect(driver.begin(at: 3) == [])
  }

  @Test func aForcedRefreshJoinsAQueuedSoftOneAndMovesItForward() {
    let sources = [source(1, host: "a"), source(2, host: "b"), source(3, host: "c")]
    var driver = ScheduleDriver(sources, limits: .init(total: 1, perHost: 1), isStarted: false)
    #expect(driver.refresh(one, at: 0) == .poll)
    #expect(driver.begin(at: 0) == [one])
    #expect(driver.refresh(two, at: 1) == .poll)
    #expect(driver.refresh(three, at: 2) == .poll)
    #expect(driver.refresh(three, .forced, at: 3) == .join)
    driver.end(one, at: 4)
    #expect(driver.schedule.due(at: morning + 4) == [three])
    #expect(driver.triggers(at: 4) == [.forced])
    driver.end(three, at: 5)
    #expect(driver.begin(at: 5) == [two])
  }

  @Test func aSourceThatIsNotConfiguredIsNotPolled() {
    var driver = ScheduleDriver([source(1)])
    #expect(driver.refresh(two, .forced, at: 0) == .heldBack(until: .distantFuture, rule: .notPolled))
    #expect(driver.schedule.nextPoll(of: two, at: morning) == nil)
  }

  @Test func aPausedSourceIsPolledOnlyWhenSomebodyAsksForIt() {
    var paused = source(1)
    paused.settings.isPaused = true
    var driver = ScheduleDriver([paused])
    #expect(driver.begin(at: 100_000) == [])
    #expect(driver.next(one) == nil && driver.rule(one) == .paused)
    #expect(driver.refresh(one, .soft, at: 5) == .heldBack(until: .distantFuture, rule: .paused))
    #expect(driver.refresh(one, .forced, at: 5) == .poll)
  }

  @Test func localSourcesAreNeverPolled() {
    var driver = ScheduleDriver([source(1, kind: .local)])
    #expect(driver.begin(at: 100_000) == [])
    #expect(driver.wake(at: 0) == nil)
    #expect(driver.rule(one) == .notPolled)
    #expect(driver.next(one) == nil)
    for trigger in PollTrigger.allCases {
      #expect(driver.refresh(one, trigger, at: 5) == .heldBack(until: .distantFuture, rule: .notPolled))
    }
  }

  @Test(arguments: [SourceKind.feed, .native, .schedule, .banners])
  func everyOtherKindIsPolled(kind: SourceKind) {
    var driver = ScheduleDriver([source(1, kind: kind)])
    #expect(driver.begin(at: 1) == [one])
  }

  // MARK: Silent payloads

  @Test func aSilentPayloadAsksForOneRefreshOnceGraceIsOver() {
    var driver = ScheduleDriver([source(1)])
    driver.begin(at: 1)
    driver.end(one, at: 2, wantsRefresh: true)
    #expect(driver.next(one, at: 2) == 182)
    #expect(driver.rule(one, at: 2) == .grace)
    #expect(driver.begin(at: 181) == [])
    #expect(driver.triggers(at: 182) == [.soft])
    // Repeated payloads must not reduce an interval of ten minutes to three.
    driver.end(one, at: 183, wantsRefresh: true)
    #expect(driver.next(one, at: 183) == 783)
    #expect(driver.triggers(at: 783) == [.periodic])
  }

  @Test func aSilentPayloadDoesNotOutrunMaxAge() {
    var driver = ScheduleDriver([source(1)])
    driver.begin(at: 1)
    let slow = hints { ($0.minimumWait, $0.minimumWaitRule) = (.seconds(7200), .maxAge) }
    driver.end(one, content(hints: slow), at: 2, wantsRefresh: true)
    #expect(driver.next(one, at: 2) == 7202)
    #expect(driver.rule(one, at: 2) == .maxAge)
  }
}
