package import Basics
package import Foundation
package import Messages

/// Polls a source once, with the adapter for its kind.
package protocol PollFetching: Sendable {
  /// Makes one poll, with all its requests. If its task is cancelled, it ends early with any outcome.
  ///
  /// - Parameter hold: returns the hold on the host of an address, if any; a redirect to a held host is not followed,
  ///   and the poll reports the hold in its hints.
  func poll(
    _ source: Source, from position: PollPosition,
    hold: @escaping @Sendable (_ address: String) async -> HostHold?
  ) async -> PollOutcome
}

/// The response to a request that a server held open until there was something new.
package struct HeldAnswer: Sendable {
  /// The position from which the request was made.
  package var position: PollPosition
  package var outcome: PollOutcome

  package init(position: PollPosition, outcome: PollOutcome) {
    self.position = position
    self.outcome = outcome
  }

  /// Whether the response was requested from a position. The position in the store may have moved since the request.
  func isFrom(_ other: PollPosition) -> Bool {
    position.cursor == other.cursor && position.permanentAddress == other.permanentAddress
  }

  /// Whether the response contains something new: a response that doesn't move the cursor repeats the same items.
  package var isNews: Bool {
    guard case .content(let content, _) = outcome else { return false }
    return content.position.cursor != position.cursor
  }
}

/// The right to poll a source, which only one process has at a time. It ends with the process.
package protocol PollLease: Sendable {
  func release() async
}

/// The right to poll a source, and its stored state at that time.
package struct PollTurn: Sendable {
  package var lease: any PollLease
  package var memory: PollMemory
  /// The position from which the poll continues.
  package var position: PollPosition

  package init(lease: any PollLease, memory: PollMemory, position: PollPosition) {
    self.lease = lease
    self.memory = memory
    self.position = position
  }
}

/// The database functions that the poller needs. Failures are `FetchFailure.storage`, with a reason that can be shown.
package protocol PollRecording: Sendable {
  /// Returns the stored data on these sources and on all hosts.
  func memory(of sources: [SourceID]) async throws(FetchFailure) -> PollMemory

  /// Takes the cross-process lock of a source and reads its state, or returns `nil` if another process is polling the
  /// source. If it throws, the lock is free.
  func turn(of source: SourceID) async throws(FetchFailure) -> PollTurn?

  /// Returns when the lock of a source is free, or when the task is cancelled.
  func waitUntilFree(_ source: SourceID) async throws(FetchFailure)

  /// Returns the newest attempt by any process that sent a request. An attempt that was held back, or that joined
  /// another, sent none.
  func lastAttempt(of source: SourceID) async throws(FetchFailure) -> PollAttempt?

  /// Writes all results of a poll in one transaction: messages, position, unread dot, title, attempt, state and hold.
  /// If the report's stream of messages was ended, it fails with `cancelled` and writes nothing.
  func record(_ report: PollReport) async throws(FetchFailure) -> PollCounts

  /// Adds lines to the timeline for refreshes that made no separate request (held back, joined).
  func addToTimeline(_ attempts: [PollAttempt]) async throws(FetchFailure)
}

/// The stored data on earlier polls, of this process and of others.
package struct PollMemory: Hashable, Sendable {
  /// The stored polling states of sources. Sources that were never polled may be missing.
  package var states: [SourceID: PollState]
  /// The time until which each host must not receive requests, by `HostName`; times in the past have no effect.
  package var holds: [String: Date]
  /// The addresses that replace those of the settings after permanent redirects.
  package var addresses: [SourceID: String]

  package init(
    states: [SourceID: PollState] = [:], holds: [String: Date] = [:], addresses: [SourceID: String] = [:]
  ) {
    self.states = states
    self.holds = holds
    self.addresses = addresses
  }
}

/// The numbers of messages that a recorded poll stored or changed, and its other results.
package struct PollCounts: Hashable, Sendable {
  package var new: Int
  package var updated: Int
  /// The number of updated messages that were read and have become unread again.
  package var back: Int
  /// The problems that were found only while the messages were stored, in addition to those of the document.
  package var problems: [FormatProblem]
  package var identity: IdentityReport
  /// The source's polling state as the database contains it, with less precise times, or `nil` if it has to
  /// be read from there.
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
  /// Returns the poll's line in the timeline.
  package func attempt(_ counts: PollCounts) -> PollAttempt {
    var problems = counts.problems
    if case .content(let content, _) = outcome { problems = content.problems + problems }
    return attempt(
      new: counts.new, updated: counts.updated, back: counts.back, problems: problems,
      identity: counts.identity)
  }
}

extension RefreshResult {
  /// Creates the result of a refresh from a recorded attempt.
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
