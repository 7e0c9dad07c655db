import Foundation
package import Logging
package import Messages
package import Polling
package import Storage

/// Records the poller's state and results in the store.
package struct StoreRecorder: PollRecording {
  private let store: Store
  private let log: Logger?
  private let onRecord: @Sendable (SourceID, RecordedPoll) -> Void

  /// - Parameters:
  ///   - log: for newly ignored keys, after they are stored.
  ///   - onRecord: called with the result of each poll, after it is stored.
  package init(
    store: Store, log: Logger? = nil,
    onRecord: @escaping @Sendable (SourceID, RecordedPoll) -> Void = { _, _ in }
  ) {
    self.store = store
    self.log = log
    self.onRecord = onRecord
  }

  package func memory(of sources: [SourceID]) async throws(FetchFailure) -> PollMemory {
    try await store.stored { store throws(StoreFailure) in PollMemory(try store.polled(sources)) }
  }

  package func turn(of source: SourceID) async throws(FetchFailure) -> PollTurn? {
    try await store.stored { store throws(StoreFailure) in
      // Dropped, and so released, by a failure.
      guard let lock = try store.tryLock(source) else { return nil }
      let (polled, position) = try store.polled(source)
      return PollTurn(lease: Lease(lock: lock), memory: PollMemory(polled), position: position)
    }
  }

  package func waitUntilFree(_ source: SourceID) async throws(FetchFailure) {
    await store.waitUntilUnlocked(source)
    do {
      // The other process has recorded its poll, even if the file event hasn't arrived yet.
      try await store.checkForExternalChanges()
    } catch {
      throw .storage(reason: error.sentence)
    }
  }

  package func lastAttempt(of source: SourceID) async throws(FetchFailure) -> PollAttempt? {
    try await store.stored { store throws(StoreFailure) in
      try store.attempts(of: source, limit: Store.attemptsKept).first { attempt in
        switch attempt.result {
        case .new, .nothingNew, .notModified, .failed: true
        // A refresh that was held back made no request and took no time; a poll that a redirect held back did.
        case .heldBack: attempt.end > attempt.start
        case .joined, .started, .carried, .refused, .carryFailed: false
        }
      }
    }
  }

  package func record(_ report: PollReport) async throws(FetchFailure) -> PollCounts {
    let recorded = try await store.stored { [log] store throws(StoreFailure) in
      let recorded = try store.record(
        report.outcome, for: report.source, attempt: report.trigger, start: report.start, end: report.end,
        state: report.state, hold: report.hold.map { ($0.host, $0.until) })
      if let log, !recorded.ignoredKeys.isEmpty {
        let name = try store.statuses().first { $0.source.id == report.source }?.source.name ?? ""
        // Logged here, not by an observer of the poll, since the program may be ending.
        for key in recorded.ignoredKeys { log.notice("\(name): \(key.at): \(key.message)") }
      }
      return recorded
    }
    onRecord(report.source, recorded)
    return PollCounts(
      new: recorded.new, updated: recorded.updated, problems: recorded.streamProblems,
      state: recorded.state)
  }

  package func note(_ attempts: [PollAttempt]) async throws(FetchFailure) {
    try await store.stored { store throws(StoreFailure) in
      for attempt in attempts { try store.note(attempt) }
    }
  }

  private struct Lease: PollLease {
    let lock: PollLock
    func release() async { lock.release() }
  }
}

extension PollMemory {
  fileprivate init(_ polled: Store.Polled) {
    self.init(states: polled.states, holds: polled.holds, addresses: polled.addresses)
  }
}

extension Store {
  /// Runs work on the store's own thread; its failures become `FetchFailure`.
  fileprivate func stored<Value: Sendable>(
    _ work: @escaping @Sendable (Store) throws(StoreFailure) -> Value
  ) async throws(FetchFailure) -> Value {
    do {
      return try await inBackground(work)
    } catch .poll {
      throw .cancelled
    } catch {
      throw .storage(reason: error.sentence)
    }
  }
}
