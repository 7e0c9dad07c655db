import Foundation
package import Logging
package import Messages
package import Polling
package import Storage

/// The poller's memory, kept by the store.
package struct StoreRecorder: PollRecording {
  private let store: Store
  private let log: Logger?
  private let onRecord: @Sendable (SourceID, RecordedPoll) -> Void

  /// - Parameters:
  ///   - log: where keys that were ignored for the first time are told of, after they are stored.
  ///   - onRecord: told what each poll brought, after it is stored.
  package init(
    store: Store, log: Logger? = nil,
    onRecord: @escaping @Sendable (SourceID, RecordedPoll) -> Void = { _, _ in }
  ) {
    self.store = store
    self.log = log
    self.onRecord = onRecord
  }

  package func memory(of sources: [SourceID]) async throws(FetchFailure) -> PollMemory {
    try await store.stored { store throws(StoreFailure) in
      var memory = PollMemory(holds: try store.holds())
      for source in sources {
        memory.states[source] = try store.state(of: source)
        memory.addresses[source] = try store.position(of: source).permanentAddress
      }
      return memory
    }
  }

  package func position(of source: SourceID) async throws(FetchFailure) -> PollPosition {
    try await store.stored { store throws(StoreFailure) in try store.position(of: source) }
  }

  package func acquire(_ source: SourceID) async throws(FetchFailure) -> (any PollLease)? {
    try await store.stored { store throws(StoreFailure) in try store.tryLock(source).map(Lease.init) }
  }

  package func waitUntilFree(_ source: SourceID) async throws(FetchFailure) {
    await store.waitUntilUnlocked(source)
    do {
      // What the other process recorded is there now, whether or not the file's events told of it yet.
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
        // A refresh that was held back asked nobody and took no time; a poll that a redirect held back did.
        case .heldBack: attempt.end > attempt.start
        case .joined, .started: false
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
        // Here, and not by whoever observes the poll: the program may be at its end.
        for key in recorded.ignoredKeys { log.notice("\(name): \(key.at): \(key.message)") }
      }
      return recorded
    }
    onRecord(report.source, recorded)
    return PollCounts(new: recorded.new, updated: recorded.updated)
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

extension Store {
  /// Work on the store's own thread; its failures become the poller's.
  fileprivate func stored<Value: Sendable>(
    _ work: @escaping @Sendable (Store) throws(StoreFailure) -> Value
  ) async throws(FetchFailure) -> Value {
    do {
      return try await inBackground(work)
    } catch {
      throw .storage(reason: error.sentence)
    }
  }
}
