import Foundation
import Messages
import Testing

@testable import Polling

/// The number of polls at the same time, and their order.
@Suite struct PollScheduleQueueTests {
  @Test func atMostEightPollsAtOnce() {
    let sources = (1...20).map { source($0) }
    var driver = ScheduleDriver(sources)
    let first = driver.begin(at: 1)
    #expect(first.map(\.rawValue) == Array(1...8))
    #expect(driver.begin(at: 2) == [])
    driver.end(SourceID(3), at: 3)
    #expect(driver.begin(at: 3) == [SourceID(9)])
  }

  @Test func atMostTwoPollsPerHostAndAFullHostBlocksNoOther() {
    let sources = (1...6).map { source($0, host: $0 <= 4 ? "busy.example" : nil) }
    var driver = ScheduleDriver(sources)
    #expect(driver.begin(at: 1).map(\.rawValue) == [1, 2, 5, 6])
    driver.end(two, at: 5)
    #expect(driver.begin(at: 5).map(\.rawValue) == [3])
    driver.end(one, at: 6)
    #expect(driver.begin(at: 6).map(\.rawValue) == [4])
  }

  @Test func filesShareNoHost() {
    let files = (1...5).map { id in
      Source(id: SourceID(id), name: "file\(id)", kind: .feed, address: "file:///tmp/\(id).xml")
    }
    var driver = ScheduleDriver(files)
    #expect(driver.begin(at: 1).count == 5)
  }

  @Test func whoHasWaitedLongestGoesFirstAndForcedGoesBeforeAll() {
    let sources = (1...4).map { source($0, host: "one.example") }
    var memory = PollMemory()
    for (id, ago) in [(1, 700.0), (2, 900), (3, 800), (4, 10)] {
      memory.states[SourceID(Int64(id))] = polled(ago: ago)
    }
    var driver = ScheduleDriver(sources, memory: memory, limits: .init(total: 8, perHost: 1))
    // The initial delay has passed, and all three are overdue since the same second: the order of the settings decides.
    #expect(driver.begin(at: 1) == [one])
    #expect(driver.refresh(SourceID(4), .forced, at: 2) == .poll)
    driver.end(one, at: 3)
    #expect(driver.begin(at: 3) == [SourceID(4)])
    driver.end(SourceID(4), at: 4)
    #expect(driver.begin(at: 4) == [two])
    driver.end(two, at: 1203)
    #expect(driver.schedule.due(at: morning + 1203) == [three])
    driver.begin(at: 1203)
    driver.end(three, at: 1204)
    // Source 1 has been due since 603, source 4 since 604.
    #expect(driver.begin(at: 1204) == [one])
  }

  @Test func whatWaitsForRoomDoesNotWakeThePoller() {
    let sources = (1...3).map { source($0, host: "one.example") }
    var driver = ScheduleDriver(sources, limits: .init(total: 8, perHost: 1))
    #expect(driver.wake(at: 0) == 1)
    driver.begin(at: 1)
    #expect(driver.wake(at: 1) == nil)
    driver.end(one, at: 20)
    #expect(driver.wake(at: 20) == 20)
    driver.begin(at: 20)
    #expect(driver.wake(at: 20) == 620)
  }

  @Test func aRemovedSourceFreesItsPlace() {
    let sources = (1...3).map { source($0, host: "one.example") }
    var driver = ScheduleDriver(sources, limits: .init(total: 8, perHost: 1))
    #expect(driver.begin(at: 1) == [one])
    driver.schedule.sourcesChanged(Array(sources[1...]), memory: driver.memory, at: morning + 2)
    #expect(driver.begin(at: 2) == [two])
    driver.end(one, at: 3)
    #expect(driver.begin(at: 3) == [])
  }

  @Test func aPermanentRedirectMovesASourceToItsNewHost() {
    var driver = ScheduleDriver([source(1, host: "old.example"), source(2, host: "new.example")])
    driver.schedule.addressMoved(one, to: "https://new.example/feed")
    driver.schedule.hostHeld(HostHold(host: "new.example", until: morning + 90), at: morning)
    #expect(driver.next(one) == 90)
    #expect(driver.next(two) == 90)
    driver.schedule.addressMoved(one, to: nil)
    #expect(driver.next(one) == 1)
  }
}

/// Sources that wait for each other's turns.
@Suite struct CrowdTests {
  private func driver(_ sources: Int, host: String?, seconds: TimeInterval) -> ScheduleDriver {
    let all = (1...sources).map {
      source(Int64($0), host: host ?? "h\($0).example", interval: 5, grace: 0)
    }
    var states: [SourceID: PollState] = [:]
    for source in all {
      var state = polled(ago: 1)
      state.lastAttemptStart = state.lastAttemptEnd.map { $0 - seconds }
      states[source.id] = state
    }
    return ScheduleDriver(all, memory: PollMemory(states: states))
  }

  @Test func aHundredSourcesOfAHostHaveTheirTurnsLate() throws {
    let crowd = try #require(driver(100, host: "a.example", seconds: 0.36).schedule.crowd(of: one))
    #expect(crowd.sources == 100 && crowd.host == "a.example" && crowd.turns == 2)
    #expect(abs(crowd.period - 18) < 0.01 && abs(crowd.seconds - 0.36) < 0.001)
    #expect(driver(100, host: "a.example", seconds: 0.05).schedule.crowd(of: one) == nil)
    #expect(driver(3, host: "a.example", seconds: 0.36).schedule.crowd(of: one) == nil)
  }

  @Test func soHaveThoseOfManyHosts() throws {
    let crowd = try #require(driver(100, host: nil, seconds: 2).schedule.crowd(of: one))
    #expect(crowd.host == nil && crowd.turns == 8 && abs(crowd.period - 25) < 0.01)
    #expect(driver(100, host: nil, seconds: 0.36).schedule.crowd(of: one) == nil)
  }

}
