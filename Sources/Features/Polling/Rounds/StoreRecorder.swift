import Basics
import Foundation
package import Logging
package import Messages
package import Notifications
import Profile
package import Storage

/// Reads and stores the poller's state and results in the database.
package struct StoreRecorder: PollRecording {
  private let store: Store
  private let batches: PollBatches
  private let log: Logger?
  private let isAdding: Bool
  private let onRecord: @Sendable (SourceID, RecordedPoll) -> Void

  /// - Parameters:
  ///   - arrival: stores messages; it also does the work that follows, for example notifications.
  ///   - log: gets a line for each key of a source's document that reddot ignores and that it had not
  ///     reported before.
  ///   - isAdding: whether the polls are the first polls of sources that are being added, whose responses
  ///     were already received.
  ///   - onRecord: called with the result of each poll after it is stored.
  package init(
    _ arrival: MessageArrival, log: Logger? = nil, isAdding: Bool = false,
    onRecord: @escaping @Sendable (SourceID, RecordedPoll) -> Void = { _, _ in }
  ) {
    store = arrival.profile.store
    batches = PollBatches(store)
    self.log = log
    self.isAdding = isAdding
    self.onRecord = onRecord
  }

  package func memory(of sources: [SourceID]) async throws(FetchFailure) -> PollMemory {
    try await store.stored { store throws(StoreFailure) in PollMemory(try store.polls.polled(sources)) }
  }

  package func turn(of source: SourceID) async throws(FetchFailure) -> PollTurn? {
    do {
      guard let turn = try await batches.turn(of: source) else { return nil }
      guard !isAdding, turn.memory.isNew(source), try store.isLocked(.adding) else { return turn }
      await turn.lease.release()
      return nil
    } catch {
      throw FetchFailure(error)
    }
  }

  package func waitUntilFree(_ source: SourceID) async throws(FetchFailure) {
    if !isAdding, try await memory(of: [source]).isNew(source) { await store.waitUntilUnlocked(.adding) }
    await store.waitUntilUnlocked(.poll(source))
    do {
      // The other process has recorded its poll, even if the file event hasn't arrived yet.
      try await store.checkForExternalChanges()
    } catch {
      throw .storage(reason: error.sentence)
    }
  }

  package func lastAttempt(of source: SourceID) async throws(FetchFailure) -> PollAttempt? {
    try await store.stored { store throws(StoreFailure) in
      try store.polls.attempts(of: source, limit: StorePolls.attemptsKept).first { attempt in
        switch attempt.result {
        case .new, .nothingNew, .notModified, .failed: true
        // A refresh that was held back made no request and took no time; a poll that was held back after a redirect
        // did.
        case .heldBack: attempt.end > attempt.start
        case .joined, .started, .carried, .refused, .carryFailed: false
        }
      }
    }
  }

  package func record(_ report: PollReport) async throws(FetchFailure) -> PollCounts {
    let recorded: RecordedPoll
    do {
      recorded = try await batches.record(report)
    } catch {
      throw FetchFailure(error)
    }
    if let log, !recorded.ignoredKeys.isEmpty {
      try await self.log(recorded.ignoredKeys, of: report.source, to: log)
    }
    onRecord(report.source, recorded)
    return PollCounts(
      new: recorded.new, updated: recorded.updated, back: recorded.back, problems: recorded.streamProblems,
      identity: recorded.identity, state: recorded.state)
  }

  package func addToTimeline(_ attempts: [PollAttempt]) async throws(FetchFailure) {
    try await store.stored { store throws(StoreFailure) in
      for attempt in attempts { try store.polls.record(attempt) }
    }
  }

  /// Logs the keys of a source's document that reddot ignores and that it had not reported before. This is
  /// done here instead of in an observer of the poll, because the program may be ending.
  private func log(
    _ keys: [FormatProblem], of source: SourceID, to log: Logger
  ) async throws(FetchFailure) {
    let name = try await store.stored { store throws(StoreFailure) in
      try store.sources.statuses().first { $0.source.id == source }?.source.name ?? ""
    }
    for key in keys { log.notice("\(name): \(key.at): \(key.message)") }
  }
}

extension PollMemory {
  init(_ polled: StorePolls.Polled) {
    self.init(states: polled.states, holds: polled.holds, addresses: polled.addresses)
  }
}

extension Store {
  /// Runs work on the store's own thread and converts its failures into `FetchFailure`.
  fileprivate func stored<Value: Sendable>(
    _ work: @escaping @Sendable (Store) throws(StoreFailure) -> Value
  ) async throws(FetchFailure) -> Value {
    do {
      return try await inBackground(work)
    } catch {
      throw FetchFailure(error)
    }
  }
}

extension FetchFailure {
  /// Converts a failure of the store into one of a poll.
  fileprivate init(_ failure: StoreFailure) {
    self = if case .poll = failure { .cancelled } else { .storage(reason: failure.sentence) }
  }
}

extension PollMemory {
  /// Whether a source was never polled.
  fileprivate func isNew(_ source: SourceID) -> Bool { states[source]?.lastAttempt == nil }
}
