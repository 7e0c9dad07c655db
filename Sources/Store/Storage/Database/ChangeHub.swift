import Synchronization

/// An event for an observer of the store.
package enum StoreChange: Hashable, Sendable {
  /// The current state, sent when the observer is added.
  case current
  /// A transaction of this process was stored.
  case here
  /// A transaction of another process was found.
  case elsewhere
}

/// Sends changes of the store to observers. An observer may stop at any time, even while it handles a change.
final class ChangeHub: Sendable {
  private struct State {
    var nextTicket = 0
    var changes: [Int: AsyncStream<StoreChange>.Continuation] = [:]
    var dataVersion: Int64 = 0
  }

  private let state = Mutex(State())

  /// Returns a stream of changes. Several changes that the observer hasn't read yet are merged into one, since only the
  /// current state matters.
  func changes() -> AsyncStream<StoreChange> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: StoreChange.self, bufferingPolicy: .bufferingNewest(1))
    let ticket = state.withLock { state in
      state.nextTicket += 1
      state.changes[state.nextTicket] = continuation
      return state.nextTicket
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { $0.changes[ticket] = nil }
    }
    continuation.yield(.current)
    return stream
  }

  func send(_ change: StoreChange) {
    let observers = state.withLock { Array($0.changes.values) }
    for observer in observers { observer.yield(change) }
  }

  /// Whether another process has written since the last call, which is so if SQLite's data version differs.
  /// The first call returns `false`.
  func isNew(dataVersion: Int64) -> Bool {
    state.withLock { state in
      defer { state.dataVersion = dataVersion }
      return state.dataVersion != dataVersion && state.dataVersion != 0
    }
  }
}
