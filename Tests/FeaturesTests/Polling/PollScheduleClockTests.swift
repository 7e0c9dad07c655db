import Foundation
import Messages
import Testing

@testable import Polling

/// Sleep, stopped processes, and changes of the clock.
@Suite struct PollScheduleClockTests {
  static let week = 7 * 86_400.0

  @Test func whatIsOverdueAfterSleepIsPolledOnce() {
    var driver = ScheduleDriver([source(1)])
    driver.begin(at: 1)
    driver.end(one, at: 2)
    #expect(driver.begin(at: Self.week) == [one])
    driver.end(one, at: Self.week + 1)
    #expect(driver.begin(at: Self.week + 1) == [])
    #expect(driver.next(one, at: Self.week + 1) == Self.week + 601)
  }

  @Test func aClockSetBackDelaysByNoMoreThanTheRule() {
    var driver = ScheduleDriver([source(1)])
    driver.begin(at: 1)
    driver.end(one, at: 2)
    #expect(driver.begin(at: 300 - Self.week) == [])
    #expect(driver.next(one, at: 300 - Self.week) == 900 - Self.week)
    // Checking again does not restart the wait.
    #expect(driver.begin(at: 899 - Self.week) == [])
    #expect(driver.begin(at: 900 - Self.week) == [one])
  }

  @Test func aClockSetBackDuringAnInitialDelayDoesNotFreezeTheStart() {
    var driver = ScheduleDriver([source(1)])
    #expect(driver.begin(at: -Self.week) == [])
    #expect(driver.begin(at: 1 - Self.week) == [one])
  }

  @Test func aClockSetBackShortensNoHoldAndLengthensNone() {
    var driver = ScheduleDriver([source(1)])
    driver.begin(at: 1)
    driver.end(one, .failed(.heldBack(status: 503), hints { $0.retryAfter = morning + 1800 }), at: 0)
    let rule = WaitRule.retryAfter(host: "host1.example")
    #expect(driver.refresh(one, .forced, at: 100 - Self.week) == heldBack(until: 1900 - Self.week, rule))
    // The store returns the same hold again; that isn't a new one.
    driver.schedule.hostHeld(
      HostHold(host: "host1.example", until: morning + 1800), at: morning + 200 - Self.week)
    #expect(driver.refresh(one, .forced, at: 1899 - Self.week) == heldBack(until: 1900 - Self.week, rule))
    #expect(driver.refresh(one, .forced, at: 1900 - Self.week) == .poll)
  }

  @Test(arguments: [3.0, 60, 100_000_000])
  func aStoredAttemptInTheFutureFreezesNothing(ahead: TimeInterval) {
    var driver = ScheduleDriver([source(1)], memory: PollMemory(states: [one: polled(ago: -ahead)]))
    let isTrusted = ahead <= PollSchedule.clockTolerance
    #expect(driver.begin(at: 1) == (isTrusted ? [] : [one]))
    if isTrusted { #expect(driver.next(one, at: 1) == 600) }
  }

  @Test func aStoredFailureInTheFutureDoesNotFreezeSoftRefreshes() {
    var driver = ScheduleDriver(
      [source(1)], memory: PollMemory(states: [one: polled(ago: -9000, failures: 9)]), isStarted: false)
    #expect(driver.refresh(one, at: 0) == .poll)
  }

  @Test func aStoredHoldFromTheFutureIsAsLongAsItWas() {
    // The hold was stored when the clock was a year fast: the response requested ten minutes.
    let memory = PollMemory(
      states: [one: polled(ago: -31_536_000, failures: 1)],
      holds: ["host1.example": morning + 31_536_000 + 600])
    var driver = ScheduleDriver([source(1)], memory: memory)
    #expect(
      driver.refresh(one, .forced, at: 599) == heldBack(until: 600, .retryAfter(host: "host1.example")))
    #expect(driver.refresh(one, .forced, at: 600) == .poll)
  }

  @Test func anAttemptThatAnotherProcessRecordedMovesTheTimer() {
    var driver = ScheduleDriver([source(1)])
    driver.begin(at: 1)
    driver.end(one, at: 2)
    driver.schedule.stateChangedElsewhere(one, state: polled(ago: -500), at: morning + 501)
    #expect(driver.next(one, at: 501) == 1100)
    #expect(driver.refresh(one, at: 679) == heldBack(until: 680, .grace))
    #expect(driver.begin(at: 1099) == [])
    #expect(driver.begin(at: 1100) == [one])
  }

  @Test func anAttemptElsewhereBeforeTheInitialPollReplacesIt() {
    var driver = ScheduleDriver([source(1)])
    driver.schedule.stateChangedElsewhere(one, state: polled(ago: -0.5), at: morning + 0.6)
    #expect(driver.begin(at: 1) == [])
    #expect(driver.next(one, at: 1) == 600.5)
  }

  @Test func theHandOfTheClockMayTremble() {
    var driver = ScheduleDriver([source(1)])
    driver.begin(at: 1)
    driver.end(one, at: 2)
    #expect(driver.begin(at: -2) == [])
    #expect(driver.next(one, at: -2) == 602)
  }
}
