import Synchronization

/// The requests of a transport that are under way, so that its shutdown can wait for their end.
final class Flights: Sendable {
  typealias Work = Task<Result<TransportResponse, RequestFailure>, Never>

  private struct State {
    var isClosed = false
    var last = 0
    var works: [Int: Work] = [:]
  }

  private let state = Mutex(State())

  /// Nil once they are closed: then nothing begins.
  func begin(
    _ work: @escaping @Sendable () async -> Result<TransportResponse, RequestFailure>
  ) -> (number: Int, work: Work)? {
    state.withLock { state in
      guard !state.isClosed else { return nil }
      state.last += 1
      let task = Work { await work() }
      state.works[state.last] = task
      return (state.last, task)
    }
  }

  func end(_ number: Int) { state.withLock { $0.works[number] = nil } }

  /// - Returns: what is still under way.
  func close() -> [Work] {
    state.withLock { state in
      state.isClosed = true
      return Array(state.works.values)
    }
  }
}
