import Basics
import Dispatch
package import Foundation
import Synchronization

/// One task to be written.
package enum HubWork: Sendable {
  case publish(PublishOrder)
  case withdraw(String, FeedName, token: Int?, address: String?)
  /// Scheduled items that are due; each batch moves them into their feeds.
  case due

  var items: Int { if case .publish(let order) = self { order.publications.count } else { 1 } }
  var bytes: Int { if case .publish(let order) = self { order.bytes } else { 0 } }
}

/// The work that waits to be written. Work that arrives while a batch is written shares the next one.
package final class HubQueue: Sendable {
  package typealias Outcome = Result<PublishAnswer, HubFailure>

  package struct Waiting: Sendable {
    package let work: HubWork
    package let now: Date
    fileprivate let answer: CheckedContinuation<Outcome, Never>

    /// Resumes the waiting request; call it exactly once.
    package func resume(_ outcome: Outcome) { answer.resume(returning: outcome) }
  }

  private struct State: Sendable {
    var waiting: [Waiting] = []
    var items = 0
    var bytes = 0
    var isWriting = false
    /// The expected size of the next batch and the time of the last transaction. The size is the number of
    /// requests in the last batch, and of those that waited when it was written.
    var expected = (requests: 0, time: Duration.zero)
    /// The number of waiting requests that the writer waits for, or 0 if it doesn't wait.
    var gathers = 0
    var load = StoreLoad()
  }

  private let state = Mutex(State())
  /// Signalled each time the number of requests has arrived for which the writer waits.
  private let areGathered = DispatchSemaphore(value: 0)
  private let gathering: Duration

  /// - Parameter gathering: the longest time for which a batch waits for requests that may share it.
  package init(gathering: Duration = Limits.hubGathering) { self.gathering = gathering }

  /// Waits until the work is written, and returns its outcome. Throws `busy` if too much work waits.
  ///
  /// - Parameter begin: called if no writer runs: it starts writing batches until there are no more.
  package func perform(
    _ work: HubWork, now: Date, begin: () -> Void
  ) async throws(HubFailure) -> PublishAnswer {
    let outcome = await withCheckedContinuation { (answer: CheckedContinuation<Outcome, Never>) in
      let (isFull, begins) = state.withLock { state -> (Bool, Bool) in
        guard state.items + work.items <= Limits.hubQueueItems,
          state.bytes + work.bytes <= Limits.hubQueueBytes
        else { return (true, false) }
        state.waiting.append(Waiting(work: work, now: now, answer: answer))
        state.items += work.items
        state.bytes += work.bytes
        if state.gathers > 0, state.waiting.count >= state.gathers {
          state.gathers = 0
          areGathered.signal()
        }
        defer { state.isWriting = true }
        return (false, !state.isWriting)
      }
      if isFull { answer.resume(returning: .failure(.busy)) }
      if begins { begin() }
    }
    return try outcome.get()
  }

  package var load: StoreLoad {
    state.withLock { state in
      var load = state.load
      load.queueItems = state.items
      return load
    }
  }

  /// Records that one transaction has stored a batch in this time. No request of it has its response yet.
  package func didWrite(_ batch: [Waiting], in time: Duration) {
    state.withLock { state in
      state.expected = (state.waiting.count + batch.count, time)
      state.load.batches += 1
      state.load.batchRequests += batch.count
      state.load.commitSeconds += time / .seconds(1)
    }
  }

  /// Returns the next requests to write, at most `Limits.hubBatchRequests`. After an empty result, the next call of
  /// `perform` calls `begin` again.
  package func nextBatch() -> [Waiting] {
    gather()
    return state.withLock { state in
      let batch = Array(state.waiting.prefix(Limits.hubBatchRequests))
      state.waiting.removeFirst(batch.count)
      for waiting in batch {
        state.items -= waiting.work.items
        state.bytes -= waiting.work.bytes
      }
      if batch.isEmpty { state.isWriting = false }
      return batch
    }
  }

  /// Waits until as many requests wait as `expected` contains, for at most half the time of a transaction (as
  /// advised for `commit_delay` of PostgreSQL). Clients that have just received their responses often send
  /// their next requests immediately. A batch that began at once would miss these, and they would wait for
  /// its end.
  private func gather() {
    let time = state.withLock { state -> Duration? in
      defer { state.expected = (0, .zero) }
      let all = min(state.expected.requests, Limits.hubBatchRequests)
      guard all > 1, state.waiting.count < all else { return nil }
      state.gathers = all
      return min(state.expected.time / 2, gathering)
    }
    guard let time, areGathered.wait(timeout: .now() + time / .seconds(1)) == .timedOut else { return }
    let isSignalled = state.withLock { state in
      defer { state.gathers = 0 }
      return state.gathers == 0
    }
    if isSignalled { areGathered.wait() }
  }
}
