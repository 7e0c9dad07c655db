package import Basics
package import Foundation
package import Messages

/// Polls a source once, through its service's adapter.
package protocol PollFetching: Sendable {
  /// One poll, all its requests. It ends early, with any outcome, when its task is cancelled.
  ///
  /// - Parameter hold: the hold on the host of an address, if any; redirects are not followed there. A poll that
  ///   ends so reports it in its hints.
  func poll(
    _ source: Source, from position: PollPosition,
    hold: @escaping @Sendable (_ address: String) async -> HostHold?
  ) async -> PollOutcome
}

/// What a request brought that a server held open until there was something new.
package struct HeldAnswer: Sendable {
  /// From where it asked.
  package var position: PollPosition
  package var outcome: PollOutcome

  package init(position: PollPosition, outcome: PollOutcome) {
    self.position = position
    self.outcome = outcome
  }

  /// Whether it continues from a position: that of the store may have moved.
  func isFrom(_ other: PollPosition) -> Bool {
    position.cursor == other.cursor && position.permanentAddress == other.permanentAddress
  }

  /// Whether there is something new: an answer that doesn't move the cursor brings the same again.
  package var isNews: Bool {
    guard case .content(let content, _) = outcome else { return false }
    return content.position.cursor != position.cursor
  }
}

/// The right to poll a source, held by one process at a time; it ends with the process.
package protocol PollLease: Sendable {
  func release() async
}

/// The right to poll a source, and what is stored of it at that instant.
package struct PollTurn: Sendable {
  package var lease: any PollLease
  package var memory: PollMemory
  /// Where the poll continues.
  package var position: PollPosition

  package init(lease: any PollLease, memory: PollMemory, position: PollPosition) {
    self.lease = lease
    self.memory = memory
    self.position = position
  }
}

/// What the poller needs of the store. Failures are `FetchFailure.storage`, with a reason that can be shown.
package protocol PollRecording: Sendable {
  /// What the store knows at this instant of these sources, and of all hosts.
  func memory(of sources: [SourceID]) async throws(FetchFailure) -> PollMemory

  /// Takes the cross-process lock; nil when another process polls this source. A failure leaves it free.
  func turn(of source: SourceID) async throws(FetchFailure) -> PollTurn?

  /// Returns once the lock is free, or when the task is cancelled.
  func waitUntilFree(_ source: SourceID) async throws(FetchFailure)

  /// The newest attempt that sent a request, by any process: not one that was held back or that joined.
  func lastAttempt(of source: SourceID) async throws(FetchFailure) -> PollAttempt?

  /// Writes messages, position, dot, title, attempt, state and hold in one transaction. Fails with `cancelled`, and nothing
  /// is written, if the report's stream of messages was ended.
  func record(_ report: PollReport) async throws(FetchFailure) -> PollCounts

  /// Adds lines to the timeline for refreshes that made no request of their own (held back, joined).
  func addToTimeline(_ attempts: [PollAttempt]) async throws(FetchFailure)
}

/// What is stored of earlier polls, by this process and by others.
package struct PollMemory: Hashable, Sendable {
  /// Sources that were never polled may be missing.
  package var states: [SourceID: PollState]
  /// Until when each host is held, by `HostName`; expired holds have no effect.
  package var holds: [String: Date]
  /// Addresses that permanent redirects put in the place of configured ones.
  package var addresses: [SourceID: String]

  package init(
    states: [SourceID: PollState] = [:], holds: [String: Date] = [:], addresses: [SourceID: String] = [:]
  ) {
    self.states = states
    self.holds = holds
    self.addresses = addresses
  }
}

/// What a poll that was recorded changed.
package struct PollCounts: Hashable, Sendable {
  package var new: Int
  package var updated: Int
  /// Of them, those that were read and are unread again.
  package var back: Int
  /// Of messages that were made while they were stored.
  package var problems: [FormatProblem]
  package var identity: IdentityReport
  /// As stored, which keeps instants less precisely; nil if it is to be asked for.
  package var state: PollState?

  package init(
    new: Int = 0, updated: Int = 0, back: Int = 0, problems: [FormatProblem] = [],
    identity: IdentityReport = IdentityReport(), state: PollState? = nil
  ) {
    self.new = new
    self.updated = updated
    self.back = back
    self.problems = problems
    self.identity = identity
    self.state = state
  }
}

extension PollReport {
  /// The line of the timeline that this poll becomes.
  package func attempt(_ counts: PollCounts) -> PollAttempt {
    var problems = counts.problems
    if case .content(let content, _) = outcome { problems = content.problems + problems }
    return attempt(
      new: counts.new, updated: counts.updated, back: counts.back, problems: problems,
      identity: counts.identity)
  }
}

extension RefreshResult {
  /// The result of a refresh that a recorded attempt answers.
  package init(_ attempt: PollAttempt.Result) {
    switch attempt {
    case .new(let count, _, let back):
      self = count > 0 || back ?? 0 > 0 ? .new(count: count, back: back ?? 0) : .nothingNew
    case .nothingNew, .notModified, .joined, .started, .carried, .refused, .carryFailed: self = .nothingNew
    case .failed(let failure): self = .failed(failure)
    case .heldBack(let until, let rule): self = .heldBack(until: until, rule: rule)
    }
  }
}
