import Messages
import Storage
import Synchronization

/// Combines the database work of polls: the locks and states that polls begin with (turns), and the results of polls
/// (ends). All that arrive while the store is busy share one transaction, because most polls find nothing new, and a
/// separate transaction would cost more than storing their result.
final class PollBatches: Sendable {
  typealias Answer<Value: Sendable> = CheckedContinuation<Result<Value, StoreFailure>, Never>

  /// The maximum number of messages of a poll that shares a transaction. A larger poll gets a separate transaction, so
  /// that no other poll waits for it.
  private static let fewMessages = 100

  /// The work that waits for the store.
  private struct Waiting {
    var turns: [(source: SourceID, answer: Answer<PollTurn?>)] = []
    var ends: [(poll: PollReport, answer: Answer<RecordedPoll>)] = []
    /// Whether `answerAll` is already scheduled on the store's thread, which handles all waiting work.
    var isAnnounced = false
  }

  private let store: Store
  private let waiting = Mutex(Waiting())

  init(_ store: Store) { self.store = store }

  /// The number of polls whose beginning (turn) or result (end) waits for the store.
  var count: Int { waiting.withLock { $0.turns.count + $0.ends.count } }

  /// Locks the source and reads its stored state, or returns `nil` if another process is polling it.
  func turn(of source: SourceID) async throws(StoreFailure) -> PollTurn? {
    let result = await withCheckedContinuation { answer in
      add { $0.turns.append((source, answer)) }
    }
    return try result.get()
  }

  /// Stores the result of a poll, together with others if it is small.
  func record(_ poll: PollReport) async throws(StoreFailure) -> RecordedPoll {
    guard Self.isSmall(poll.outcome) else {
      return try await store.inBackground { store throws(StoreFailure) in try store.polls.record(poll) }
    }
    let result = await withCheckedContinuation { answer in
      add { $0.ends.append((poll, answer)) }
    }
    return try result.get()
  }

  /// Whether a poll has so few messages that it shares a transaction.
  private static func isSmall(_ outcome: PollOutcome) -> Bool {
    guard case .content(let content, _) = outcome else { return true }
    return content.stream == nil && content.messages.count <= fewMessages
  }

  /// Adds work, and schedules `answerAll` on the store's thread unless it is already scheduled.
  private func add(_ request: (inout Waiting) -> Void) {
    let isFirst = waiting.withLock { waiting in
      request(&waiting)
      defer { waiting.isAnnounced = true }
      return !waiting.isAnnounced
    }
    if isFirst { store.later { [self] _ in answerAll() } }
  }

  /// Does all waiting work, and then resumes the tasks that wait for it.
  private func answerAll() {
    let all = waiting.withLock { waiting in
      defer { waiting = Waiting() }
      return waiting
    }
    let ends = recorded(all.ends.map(\.poll))
    let turns = turns(of: all.turns.map(\.source))
    // The answers are sent after both kinds of work: a task that gets its answer begins immediately, and takes the
    // processor that the store needs.
    for (end, result) in zip(all.ends, ends) { end.answer.resume(returning: result) }
    for (turn, result) in zip(all.turns, turns) { turn.answer.resume(returning: result) }
  }

  /// Stores the results of polls. If storing them together fails, stores them one by one, because the failure may
  /// belong to only one of them.
  private func recorded(_ polls: [PollReport]) -> [Result<RecordedPoll, StoreFailure>] {
    if polls.count > 1, let together = try? store.polls.record(polls) { return together.map { .success($0) } }
    return polls.map { poll in
      Result { () throws(StoreFailure) in try store.polls.record(poll) }
    }
  }

  /// Locks sources and reads their states, with `nil` for a source that another process is polling.
  private func turns(of sources: [SourceID]) -> [Result<PollTurn?, StoreFailure>] {
    let locks = sources.map { source in
      Result { () throws(StoreFailure) in try store.tryLock(.poll(source)) }
    }
    let locked = zip(sources, locks).filter { (try? $1.get()) != nil }.map(\.0)
    let together = locked.count > 1 ? try? store.polls.polled(each: locked) : nil
    return zip(sources, locks).map { source, lock in
      Result { () throws(StoreFailure) in
        // After a failure, the lock is dropped and so released.
        guard let lock = try lock.get() else { return nil }
        let found = if let known = together?[source] { known } else { try store.polls.polled(source) }
        return PollTurn(
          lease: Lease(lock: lock), memory: PollMemory(found.polled), position: found.position)
      }
    }
  }

  private struct Lease: PollLease {
    let lock: StoreLock
    func release() async { lock.release() }
  }
}
