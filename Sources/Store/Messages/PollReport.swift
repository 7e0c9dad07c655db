package import Basics
package import Foundation

/// A poll, or a part of one, that has ended, to be recorded whole.
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
  /// What the parts before this one brought; nil: it is the first part of its poll.
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

/// The parts of a poll that are stored already, as one line of the timeline.
package struct EarlierParts: Hashable, Sendable {
  /// When the first of them began: that of the line.
  package var start: Date
  package var new: Int
  package var updated: Int
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
  /// The line of the timeline that the poll becomes: of all its parts so far, or of the failure of this one.
  ///
  /// - Parameters:
  ///   - new: of this part.
  ///   - updated: of this part.
  ///   - back: of this part.
  ///   - problems: of this part.
  ///   - identity: of this part.
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
    // What the parts before it brought stands, in a line of its own.
    if isFailure { (line.start, line.problems, line.identity) = (start, problems, nil) }
    return line
  }

  /// Whether it takes the place of the line that the parts before it had.
  package var replacesEarlierLine: Bool { earlier != nil && !isFailure }

  private var isFailure: Bool { if case .failed = outcome { true } else { false } }
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
