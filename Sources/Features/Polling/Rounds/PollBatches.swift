import Messages
import Storage
import Synchronization

/// Turns and ends of polls that come while the store works. Most polls find nothing new, and a transaction for each of them
/// would cost more than what it stores: all that wait share one.
final class PollBatches: Sendable {
  typealias Answer<Value: Sendable> = CheckedContinuation<Result<Value, StoreFailure>, Never>

  /// What takes longer gets a transaction of its own, so that no other poll waits for it.
  private static let fewMessages = 100

  private struct Waiting {
    var turns: [(source: SourceID, answer: Answer<PollTurn?>)] = []
    var ends: [(poll: PollReport, answer: Answer<RecordedPoll>)] = []
    /// Whether the store's thread is going to take them.
    var isAnnounced = false
  }

  private let store: Store
  private let waiting = Mutex(Waiting())

  init(_ store: Store) { self.store = store }

  /// How many wait.
  var count: Int { waiting.withLock { $0.turns.count + $0.ends.count } }

  /// Locks the source, and reads what is stored of it; nil when another process polls it.
  func turn(of source: SourceID) async throws(StoreFailure) -> PollTurn? {
    let result = await withCheckedContinuation { answer in
      add { $0.turns.append((source, answer)) }
    }
    return try result.get()
  }

  func record(_ poll: PollReport) async throws(StoreFailure) -> RecordedPoll {
    guard Self.isSmall(poll.outcome) else {
      return try await store.inBackground { store throws(StoreFailure) in try store.polls.record(poll) }
    }
    let result = await withCheckedContinuation { answer in
      add { $0.ends.append((poll, answer)) }
    }
    return try result.get()
  }

  private static func isSmall(_ outcome: PollOutcome) -> Bool {
    guard case .content(let content, _) = outcome else { return true }
    return content.stream == nil && content.messages.count <= fewMessages
  }

  private func add(_ request: (inout Waiting) -> Void) {
    let isFirst = waiting.withLock { waiting in
      request(&waiting)
      defer { waiting.isAnnounced = true }
      return !waiting.isAnnounced
    }
    if isFirst { store.later { [self] _ in answerAll() } }
  }

  private func answerAll() {
    let all = waiting.withLock { waiting in
      defer { waiting = Waiting() }
      return waiting
    }
    let ends = recorded(all.ends.map(\.poll))
    let turns = turns(of: all.turns.map(\.source))
    // After both: who is answered begins at once, and takes the processor that the store needs.
    for (end, result) in zip(all.ends, ends) { end.answer.resume(returning: result) }
    for (turn, result) in zip(all.turns, turns) { turn.answer.resume(returning: result) }
  }

  /// Each by itself where they fail together: the failure may belong to one of them.
  private func recorded(_ polls: [PollReport]) -> [Result<RecordedPoll, StoreFailure>] {
    if polls.count > 1, let together = try? store.polls.record(polls) { return together.map { .success($0) } }
    return polls.map { poll in
      Result { () throws(StoreFailure) in try store.polls.record(poll) }
    }
  }

  private func turns(of sources: [SourceID]) -> [Result<PollTurn?, StoreFailure>] {
    let locks = sources.map { source in
      Result { () throws(StoreFailure) in try store.tryLock(.poll(source)) }
    }
    let locked = zip(sources, locks).filter { (try? $1.get()) != nil }.map(\.0)
    let together = locked.count > 1 ? try? store.polls.polled(each: locked) : nil
    return zip(sources, locks).map { source, lock in
      Result { () throws(StoreFailure) in
        // Dropped, and so released, by a failure.
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
