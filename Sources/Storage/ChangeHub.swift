package import Messages
import Synchronization

/// An event for an observer of the store.
package enum StoreChange: Hashable, Sendable {
  /// The current state, when the observer is added.
  case current
  /// A transaction of this process was stored.
  case here
  /// A transaction of another process was found.
  case elsewhere
}

/// Which sources have their dot on.
package struct Dots: Hashable, Sendable {
  package var sources: Set<SourceID>

  /// The dot of all sources together, on the program's title.
  package var isUnseen: Bool { !sources.isEmpty }

  package init(sources: Set<SourceID>) { self.sources = sources }
}

/// Notifies observers after a change. They may leave at any time, also while they handle a change.
final class ChangeHub: Sendable {
  private struct State {
    var nextTicket = 0
    var changes: [Int: AsyncStream<StoreChange>.Continuation] = [:]
    var dots: [Int: (continuation: AsyncStream<Dots>.Continuation, sent: Dots)] = [:]
    var dotsAsOf: UInt64 = 0
    var dataVersion: Int64 = 0
  }

  private let state = Mutex(State())

  var hasDotObservers: Bool { state.withLock { !$0.dots.isEmpty } }

  /// Changes that were not taken yet become one: only the current state counts.
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

  /// `current` reads the dots and the count of transactions that they include.
  func dots(current: () throws -> (Dots, asOf: UInt64)) rethrows -> AsyncStream<Dots> {
    let (stream, continuation) = AsyncStream.makeStream(of: Dots.self)
    let (dots, asOf) = try current()
    let ticket = state.withLock { state in
      state.nextTicket += 1
      state.dotsAsOf = max(state.dotsAsOf, asOf)
      state.dots[state.nextTicket] = (continuation, dots)
      return state.nextTicket
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { $0.dots[ticket] = nil }
    }
    continuation.yield(dots)
    return stream
  }

  func send(_ change: StoreChange) {
    let observers = state.withLock { Array($0.changes.values) }
    for observer in observers { observer.yield(change) }
  }

  /// Two threads may arrive in another order than their transactions: the older state is dropped.
  func send(_ dots: Dots, asOf: UInt64) {
    state.withLock { state in
      guard asOf >= state.dotsAsOf else { return }
      state.dotsAsOf = asOf
      for (ticket, observer) in state.dots where observer.sent != dots {
        state.dots[ticket]?.sent = dots
        observer.continuation.yield(dots)
      }
    }
  }

  /// True when another process has written since the last call.
  func isNew(dataVersion: Int64) -> Bool {
    state.withLock { state in
      defer { state.dataVersion = dataVersion }
      return state.dataVersion != dataVersion && state.dataVersion != 0
    }
  }
}
