package import Foundation

/// A poll that has ended, to be recorded whole.
package struct PollReport: Sendable {
  package var source: SourceID
  package var trigger: PollTrigger
  package var start: Date
  /// When its messages arrived.
  package var end: Date
  package var outcome: PollOutcome
  /// The state to store: what it was, after this outcome.
  package var state: PollState
  /// The hold to store, if the server asked for one.
  package var hold: HostHold?

  package init(
    source: SourceID, trigger: PollTrigger, start: Date, end: Date, outcome: PollOutcome, state: PollState,
    hold: HostHold? = nil
  ) {
    self.source = source
    self.trigger = trigger
    self.start = start
    self.end = end
    self.outcome = outcome
    self.state = state
    self.hold = hold
  }
}

/// A server's Retry-After: no source of this host, or redirected to it, is polled before `until`, not even by force.
package struct HostHold: Hashable, Sendable {
  /// By `HostName`.
  package var host: String
  package var until: Date

  package init(host: String, until: Date) {
    self.host = host
    self.until = until
  }
}
