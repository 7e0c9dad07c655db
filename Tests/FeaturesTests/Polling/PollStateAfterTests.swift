import Foundation
import Messages
import Polling
import Testing

@Suite struct PollStateAfterTests {
  func after(_ outcome: PollOutcome, _ state: PollState = PollState()) -> PollState {
    state.after(outcome, .periodic, start: morning, end: morning + 5, jitter: 0.04)
  }

  @Test(arguments: [content("a"), content(), notModified, .failed(serverError, PollHints())])
  func everyAttemptIsStamped(outcome: PollOutcome) {
    let state = after(outcome)
    #expect(state.lastAttemptStart == morning)
    #expect(state.lastAttemptEnd == morning + 5)
    #expect(state.jitter == 0.04)
  }

  @Test func failuresCountUntilTheFirstSuccess() {
    var state = after(content("a"))
    #expect(state.lastSuccess == morning + 5)
    for count in 1...3 {
      state = state.after(
        .failed(serverError, PollHints()), .periodic, start: morning, end: morning + 10, jitter: 0)
      #expect(state.failures == count)
      #expect(state.lastFailure == serverError)
      #expect(state.lastSuccess == morning + 5)
    }
    state = after(notModified, state)
    #expect(state.failures == 0)
    #expect(state.lastFailure == nil)
  }

  @Test func aForcedPollThatFailsLengthensNoWait() {
    var state = after(content("a"))
    for _ in 1...5 {
      state = state.after(
        .failed(serverError, PollHints()), .forced, start: morning, end: morning + 10, jitter: 0)
    }
    #expect(state.isFailing)
    #expect(state.failures == 0)
    state = after(.failed(serverError, PollHints()), state)
    #expect(state.failures == 1)
    state = state.after(content("b"), .forced, start: morning, end: morning + 10, jitter: 0)
    #expect(!state.isFailing)
    #expect(state.failures == 0)
  }

  @Test func a304KeepsWhatTheLastBodySaid() {
    let said = hints {
      ($0.minimumWait, $0.minimumWaitRule) = (.seconds(3600), .ttl)
      ($0.skipHours, $0.skipDays) = ([1, 2], [7])
    }
    let state = after(content("a", hints: said))
    #expect(after(notModified, state).minimumWait == .seconds(3600))
    #expect(after(notModified, state).skipHours == [1, 2])
    #expect(after(.failed(serverError, PollHints()), state).skipDays == [7])

    let short = PollOutcome.notModified(
      PollPosition(), hints { ($0.minimumWait, $0.minimumWaitRule) = (.seconds(60), .maxAge) })
    #expect(after(short, state).minimumWaitRule == .ttl)
    let long = PollOutcome.notModified(
      PollPosition(), hints { ($0.minimumWait, $0.minimumWaitRule) = (.seconds(7200), .maxAge) })
    #expect(after(long, state).minimumWait == .seconds(7200))
    #expect(after(short, after(long, state)).minimumWait == .seconds(60))
  }

  @Test func aBodyThatSaysNothingClearsWhatAnEarlierOneSaid() {
    let said = hints {
      ($0.minimumWait, $0.minimumWaitRule, $0.skipHours) = (.seconds(3600), .ttl, [1])
    }
    let state = after(content("b"), after(content("a", hints: said)))
    #expect(state.minimumWait == nil)
    #expect(state.minimumWaitRule == nil)
    #expect(state.skipHours.isEmpty)
  }

  @Test func goneIsSetBy410AndByHintsAndClearedBySuccess() {
    let gone = after(.failed(.gone, PollHints()))
    #expect(gone.isGone)
    #expect(after(content("last words", hints: hints { $0.isGone = true })).isGone)
    #expect(after(.failed(serverError, PollHints()), gone).isGone)
    #expect(!after(content("a"), gone).isGone)
    #expect(!after(notModified, gone).isGone)
  }
}
