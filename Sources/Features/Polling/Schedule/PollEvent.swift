package import Foundation
package import Messages

/// When a source is polled next, and the rule that decided it.
package struct NextPoll: Hashable, Sendable {
  /// Nil: not without a refresh. An instant in the past means as soon as one more poll is allowed.
  package var date: Date?
  package var rule: WaitRule

  package init(date: Date?, rule: WaitRule) {
    self.date = date
    self.rule = rule
  }
}

/// What the poller is doing with a source.
package struct SourceActivity: Hashable, Sendable {
  package enum Phase: Hashable, Sendable {
    case idle
    /// A refresh was asked for and waits for its turn.
    case queued(PollTrigger)
    /// Being polled, here or by another process that this one waits for.
    case polling(PollTrigger, since: Date)
  }

  package var source: SourceID
  package var phase: Phase
  package var next: NextPoll

  package init(source: SourceID, phase: Phase, next: NextPoll) {
    self.source = source
    self.phase = phase
    self.next = next
  }
}

/// What an observer of the poller gets: the current state at once, then every change, after it is stored.
package enum PollEvent: Hashable, Sendable {
  /// All sources, in the settings' order: the first event, and again when the sources changed.
  case current([SourceActivity])
  /// Those that changed at one moment.
  case changed([SourceActivity])
  /// A line of the timeline: begun, ended, held back, joined.
  case attempt(PollAttempt)
  /// A failure of the store that no refresh result reports.
  case recordingFailed(FetchFailure)
}
