package import Foundation
package import Messages

/// The time of a source's next poll, and the rule that decided it.
package struct NextPoll: Hashable, Sendable {
  /// The time, or `nil` if only a refresh polls the source. If the time is in the past, the poll begins as soon as the
  /// limits allow.
  package var date: Date?
  package var rule: WaitRule

  package init(date: Date?, rule: WaitRule) {
    self.date = date
    self.rule = rule
  }
}

/// The current activity of the poller for a source.
package struct SourceActivity: Hashable, Sendable {
  /// Whether a source is being polled, or waits to be polled.
  package enum Phase: Hashable, Sendable {
    case idle
    /// A refresh was requested and is waiting for its turn.
    case queued(PollTrigger)
    /// The source is being polled by this process, or by another one whose result this process waits for.
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

/// An event for an observer of the poller: first the current state, then every change, after it is stored.
package enum PollEvent: Hashable, Sendable {
  /// All sources, in the order of the settings. This is the first event; it is repeated when the sources change.
  case current([SourceActivity])
  /// The activities of the sources whose activity changed at one moment.
  case changed([SourceActivity])
  /// A line of the timeline: a poll that began or ended, or a refresh that was held back or joined another.
  case attempt(PollAttempt)
  /// A failure of the store that no refresh result reports.
  case recordingFailed(FetchFailure)
}
