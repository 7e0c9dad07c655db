package import Basics
package import Foundation

/// A poll that has ended, or a part of one, to be recorded in one step.
package struct PollReport: Sendable {
  package var source: SourceID
  package var trigger: PollTrigger
  package var start: Date
  /// The time at which its messages arrived.
  package var end: Date
  package var outcome: PollOutcome
  /// The state to store: the previous state, updated by this outcome.
  package var state: PollState
  /// The hold to store, if the server requested one.
  package var hold: HostHold?
  /// The results of the earlier parts, or `nil` in the first part of a poll.
  package var earlier: EarlierParts?

  package init(
    source: SourceID, trigger: PollTrigger, start: Date, end: Date, outcome: PollOutcome, state: PollState,
    hold: HostHold? = nil, earlier: EarlierParts? = nil
  ) {
    self.earlier = earlier
    self.source = source
    self.trigger = trigger
    self.start = start
    self.end = end
    self.outcome = outcome
    self.state = state
    self.hold = hold
  }
}

/// The parts of a poll that are already stored, as one line of the timeline.
package struct EarlierParts: Hashable, Sendable {
  /// The start of the first part, which the line shows as the start of the poll.
  package var start: Date
  package var new: Int
  package var updated: Int
  /// The number of messages that became unread again.
  package var back: Int
  package var problems: [FormatProblem]
  package var identity: IdentityReport?

  package init(
    start: Date, new: Int, updated: Int, back: Int, problems: [FormatProblem], identity: IdentityReport? = nil
  ) {
    self.start = start
    self.new = new
    self.updated = updated
    self.back = back
    self.problems = problems
    self.identity = identity
  }
}

extension PollReport {
  /// Returns the line of the timeline for the poll: for all its parts so far, or for the failure of this one.
  ///
  /// - Parameters:
  ///   - new: the number of new messages in this part.
  ///   - updated: the number of updated messages in this part.
  ///   - back: the number of messages that became unread again in this part.
  ///   - problems: the problems of this part.
  ///   - identity: the report of this part.
  package func attempt(
    new: Int, updated: Int, back: Int, problems: [FormatProblem], identity: IdentityReport = IdentityReport()
  ) -> PollAttempt {
    var all = earlier?.identity ?? IdentityReport()
    all.add(identity)
    var line = PollAttempt(
      source: source, trigger: trigger, start: earlier?.start ?? start, end: end, result: .notModified,
      problems: (earlier?.problems ?? []) + problems, identity: all.isEmpty ? nil : all)
    let sum = (new: new + (earlier?.new ?? 0), updated: updated + (earlier?.updated ?? 0))
    let allBack = back + (earlier?.back ?? 0)
    switch outcome {
    case .failed(let failure, let hints): line.result = PollOutcome.result(of: failure, hints)
    case .content where sum == (0, 0): line.result = .nothingNew
    case .notModified where earlier == nil: break
    case .content, .notModified:
      line.result =
        sum == (0, 0)
        ? .nothingNew : .new(count: sum.new, updated: sum.updated, back: allBack > 0 ? allBack : nil)
    }
    // The results of the earlier parts remain in a separate line.
    if isFailure { (line.start, line.problems, line.identity) = (start, problems, nil) }
    return line
  }

  /// Whether the poll's new line in the timeline replaces the line of its earlier parts.
  package var replacesEarlierLine: Bool { earlier != nil && !isFailure }

  private var isFailure: Bool { if case .failed = outcome { true } else { false } }
}

/// A server's Retry-After: no source of this host, or redirected to it, is polled before `until`, even if forced.
package struct HostHold: Hashable, Sendable {
  /// The host as a `HostName`.
  package var host: String
  package var until: Date

  package init(host: String, until: Date) {
    self.host = host
    self.until = until
  }
}
