import Basics
import Foundation
import Messages
import TestBasics
import Testing

@testable import Polling

/// Runs a schedule against simulated servers: slow ones, failing ones, and ones with hints.
struct Simulation {
  var schedule: PollSchedule
  var random: SeededRandom
  var now: Date
  let hostOf: [SourceID: String]
  let sources: [SourceID: Source]
  var outcome: (inout SeededRandom) -> PollOutcome
  var inFlight: [(id: SourceID, start: Date, end: Date)] = []
  var states: [SourceID: PollState] = [:]
  var polls: [SourceID: Int] = [:]
  var mostInFlight = 0
  var mostOnHost = 0
  /// The time from the end of a poll to the next automatic one, beyond the planned wait.
  var lateness: [TimeInterval] = []
  var broken: [String] = []

  init(
    _ sources: [Source], seed: UInt64,
    outcome: @escaping (inout SeededRandom) -> PollOutcome = { _ in content() }
  ) {
    schedule = PollSchedule()
    random = SeededRandom(seed: seed)
    now = morning
    self.outcome = outcome
    self.sources = Dictionary(uniqueKeysWithValues: sources.map { ($0.id, $0) })
    hostOf = self.sources.compactMapValues { HostName.of($0.address) }
    schedule.sourcesChanged(sources, memory: PollMemory(), at: now)
    schedule.programStarted(at: now)
  }

  mutating func step(until limit: Date) -> Bool {
    let wake = schedule.nextWake(at: now)
    let ended = inFlight.map(\.end).min()
    guard let next = [wake, ended].compactMap({ $0 }).min(), next <= limit else { return false }
    now = max(now, next)
    for flight in inFlight where flight.end <= now { end(flight.id, flight.start) }
    inFlight.removeAll { $0.end <= now }
    begin()
    return true
  }

  mutating func begin() {
    let beginning = schedule.begin(at: now)
    for (source, trigger) in beginning.starts {
      if inFlight.contains(where: { $0.id == source.id }) { broken.append("two polls of \(source.name)") }
      polls[source.id, default: 0] += 1
      if trigger == .periodic, let state = states[source.id], let last = state.lastAttemptEnd {
        lateness.append(now.timeIntervalSince(last) - PollWait.periodic(state, source.polling).seconds)
      }
      inFlight.append((source.id, now, now + Double.random(in: 0.05...20, using: &random)))
    }
    mostInFlight = max(mostInFlight, inFlight.count)
    let perHost = Dictionary(grouping: inFlight.compactMap { hostOf[$0.id] }) { $0 }.mapValues(\.count)
    mostOnHost = max(mostOnHost, perHost.values.max() ?? 0)
  }

  mutating func end(_ id: SourceID, _ start: Date) {
    let outcome = outcome(&random)
    let state = (states[id] ?? PollState()).after(
      outcome, .periodic, start: start, end: now, jitter: Double.random(in: 0...0.1, using: &random))
    states[id] = state
    let hold = outcome.hints.retryAfter.flatMap { until in
      hostOf[id].map { HostHold(host: $0, until: now + until.timeIntervalSince(morning)) }
    }
    schedule.pollEnded(id, state: state, hold: hold, at: now)
  }
}

@Suite struct PollScheduleSimulationTests {
  static let day = 86_400.0

  @Test func aMonthOfTwoHundredSourcesKeepsItsBounds() throws {
    let sources = (1...200).map { source($0, host: "host\($0 % 80).example", interval: 14_400) }
    var simulation = Simulation(sources, seed: 1)
    let end = morning + 30 * Self.day
    while simulation.step(until: end) {}

    #expect(simulation.broken == [])
    #expect(simulation.mostInFlight <= 8)
    #expect(simulation.mostOnHost <= 2)
    #expect(simulation.polls.count == 200)
    // Four hours, at most a tenth more, a poll of at most 20 s, and a short wait for a free slot.
    for count in simulation.polls.values { #expect((160...181).contains(count)) }
    #expect(try #require(simulation.lateness.min()) > -0.001)
    #expect(try #require(simulation.lateness.max()) < 300)
  }

  @Test func aDayOfDefaultSettingsPollsEverySourceEveryTenMinutes() {
    let sources = (1...40).map { source($0) }
    var simulation = Simulation(sources, seed: 2)
    while simulation.step(until: morning + Self.day) {}
    for count in simulation.polls.values { #expect((128...144).contains(count)) }
    #expect(simulation.broken == [])
  }

  @Test func aDeadServerIsPolledAFewTimesADay() throws {
    var simulation = Simulation([source(1)], seed: 3) { _ in .failed(serverError, PollHints()) }
    while simulation.step(until: morning + 30 * Self.day) {}
    let count = try #require(simulation.polls[one])
    #expect((120...145).contains(count))
  }

  @Test(arguments: 0..<6 as Range<UInt64>)
  func withFailuresAndHoldsNoPollIsEarlyOrMissing(seed: UInt64) throws {
    let sources = (1...60).map { source($0, host: "host\($0 % 9).example", interval: 900) }
    var simulation = Simulation(sources, seed: seed) { random in
      switch Int.random(in: 0..<20, using: &random) {
      case 0...2: .failed(serverError, PollHints())
      case 3: .failed(.heldBack(status: 429), hints { $0.retryAfter = morning + 1200 })
      case 4: content(hints: hints { ($0.minimumWait, $0.minimumWaitRule) = (.seconds(5000), .ttl) })
      case 5: content(hints: hints { $0.skipHours = [1, 2, 3] })
      default: notModified
      }
    }
    let end = morning + 3 * Self.day
    while simulation.step(until: end) {}
    #expect(simulation.broken == [])
    #expect(simulation.mostOnHost <= 2)
    #expect(try #require(simulation.lateness.min()) > -0.001)
    for source in sources {
      let last = try #require(simulation.states[source.id]?.lastAttemptEnd)
      #expect(end.timeIntervalSince(last) < 0.5 * Self.day)
    }
  }

  /// The schedule never loops, never stops polling, and never exceeds a limit.
  @Test(arguments: 0..<40 as Range<UInt64>)
  func randomInputsBreakNoRule(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let sources = (1...12).map { source($0, host: "host\($0 % 3).example") }
    var simulation = Simulation(sources, seed: seed) { random in
      switch Int.random(in: 0..<6, using: &random) {
      case 0: .failed(serverError, PollHints())
      case 1: .failed(.heldBack(status: 503), hints { $0.retryAfter = morning + 900 })
      case 2: content(hints: hints { ($0.minimumWait, $0.minimumWaitRule) = (.seconds(10_000_000), .maxAge) })
      default: content()
      }
    }
    for _ in 0..<400 {
      let id = SourceID(Int64.random(in: 1...13, using: &random))
      switch Int.random(in: 0..<10, using: &random) {
      case 0: _ = simulation.schedule.refreshRequested(id, .forced, at: simulation.now)
      case 1: _ = simulation.schedule.refreshRequested(id, .soft, at: simulation.now)
      case 2: simulation.now += Double.random(in: 0...100_000, using: &random)
      case 3:
        let back = Double.random(in: 0...100_000, using: &random)
        simulation.now -= back
        simulation.inFlight = simulation.inFlight.map { ($0.id, $0.start, min($0.end, simulation.now + 20)) }
      case 4:
        var state = simulation.states[id] ?? PollState()
        state.lastAttemptEnd = simulation.now + Double.random(in: -5000...5000, using: &random)
        simulation.schedule.stateChangedElsewhere(id, state: state, at: simulation.now)
      default: _ = simulation.step(until: .distantFuture)
      }
      simulation.begin()

      let now = simulation.now
      if simulation.schedule.nextWake(at: now) == now { simulation.broken.append("it spins") }
      if simulation.mostInFlight > 8 || simulation.mostOnHost > 2 {
        simulation.broken.append("too many polls")
      }
      for source in sources {
        guard let next = simulation.schedule.nextPoll(of: source.id, at: now), let date = next.date else {
          continue
        }
        if date.timeIntervalSince(now) > Limits.longestMinimumWait {
          simulation.broken.append("frozen: \(next)")
        }
      }
    }
    #expect(simulation.broken == [])
  }
}
