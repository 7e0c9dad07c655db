import Synchronization

/// The requests of a transport that are in flight, so that its shutdown can wait for them.
final class RequestsInFlight: Sendable {
  typealias Work = Task<Result<TransportResponse, RequestFailure>, Never>

  private struct State {
    var isClosed = false
    var last = 0
    var works: [Int: Work] = [:]
  }

  private let state = Mutex(State())

  /// nil after `close`: then the request isn't started.
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

  /// - Returns: the requests that are still in flight.
  func close() -> [Work] {
    state.withLock { state in
      state.isClosed = true
      return Array(state.works.values)
    }
  }
}
