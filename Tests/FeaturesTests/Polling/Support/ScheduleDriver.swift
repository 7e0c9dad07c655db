import Foundation
import Messages
import Polling

/// Moves one `PollSchedule` through time, by seconds after `morning`.
struct ScheduleDriver {
  var schedule: PollSchedule
  var jitter = 0.0
  var states: [SourceID: PollState] = [:]

  /// Starts the program at second 0, with initial delays of 1 s, unless `isStarted` is false.
  init(
    _ sources: [Source], memory: PollMemory = PollMemory(), limits: PollSchedule.Limits = .init(),
    isStarted: Bool = true, at second: TimeInterval = 0
  ) {
    schedule = PollSchedule(limits: limits)
    schedule.sourcesChanged(sources, memory: memory, at: morning + second)
    states = memory.states
    if isStarted { schedule.programStarted(at: morning + second) }
  }

  /// Returns the polls that begin at this second.
  @discardableResult
  mutating func begin(at second: TimeInterval) -> [SourceID] {
    schedule.begin(at: morning + second).starts.map(\.source.id)
  }

  mutating func triggers(at second: TimeInterval) -> [PollTrigger] {
    schedule.begin(at: morning + second).starts.map(\.trigger)
  }

  /// Ends the poll in flight of a source.
  mutating func end(
    _ id: SourceID, _ outcome: PollOutcome = content(), at second: TimeInterval, began: TimeInterval? = nil,
    wantsRefresh: Bool = false
  ) {
    let state = (states[id] ?? PollState()).after(
      outcome, .periodic, start: morning + (began ?? second), end: morning + second, jitter: jitter)
    states[id] = state
    schedule.pollEnded(
      id, state: state, hold: schedule.hold(outcome.hints, of: id), wantsRefresh: wantsRefresh,
      at: morning + second)
  }

  mutating func refresh(
    _ id: SourceID, _ trigger: PollTrigger = .soft, at second: TimeInterval
  ) -> PollSchedule.Decision {
    schedule.refreshRequested(id, trigger, at: morning + second)
  }

  /// Returns the seconds from `morning` to the next automatic poll.
  func next(_ id: SourceID, at second: TimeInterval = 0) -> TimeInterval? {
    schedule.nextPoll(of: id, at: morning + second)?.date?.timeIntervalSince(morning)
  }

  func rule(_ id: SourceID, at second: TimeInterval = 0) -> WaitRule? {
    schedule.nextPoll(of: id, at: morning + second)?.rule
  }

  func wake(at second: TimeInterval) -> TimeInterval? {
    schedule.nextWake(at: morning + second)?.timeIntervalSince(morning)
  }

  /// The schedule of another start of the program.
  var memory: PollMemory { PollMemory(states: states) }
}

let one = SourceID(1)
let two = SourceID(2)
let three = SourceID(3)

func heldBack(until second: TimeInterval, _ rule: WaitRule) -> PollSchedule.Decision {
  .heldBack(until: morning + second, rule: rule)
}

/// Returns the stored state of a source whose last poll was `ago` seconds before `morning`.
func polled(ago: TimeInterval, failures: Int = 0) -> PollState {
  var state = PollState()
  state.lastAttemptStart = morning - ago
  state.lastAttemptEnd = morning - ago
  state.failures = failures
  if failures > 0 { state.lastFailure = serverError } else { state.lastSuccess = morning - ago }
  return state
}
