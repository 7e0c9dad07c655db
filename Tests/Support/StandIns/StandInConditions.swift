package import Foundation
import Synchronization

/// A fault of a request.
package enum StandInFault: Hashable, Sendable, CaseIterable {
  /// The status is 401.
  case unauthorized
  /// The status is 403 because the request limit is reached, in the service's own form.
  case forbidden
  /// The status is 429, with a Retry-After of 120 s.
  case tooManyRequests
  /// The status is 500.
  case serverError
  /// The request is carried out, and its response is cut off.
  case cut
  /// The connection ends before the request is read.
  case hangUp
}

/// A proxy before the service that doesn't know some addresses: it answers 404 with its own page.
package enum StandInProxy: Hashable, Sendable, CaseIterable {
  /// The proxy knows no address.
  case everything
  /// The proxy doesn't know the addresses of requests that change something, except for a login.
  case acts

  func hides(_ request: StandInRequest) -> Bool {
    self == .everything || request.method != "GET" && !request.path.hasSuffix("/ClientLogin")
  }
}

/// A request that a stand-in received.
package struct StandInVisit: Sendable {
  package var method: String
  package var path: String
  package var query: [(name: String, value: String)]
  package var body: Data
  package var hasToken: Bool
  /// The status of the response; `nil` if there was none.
  package var status: Int?
}

/// The conditions of a stand-in besides the state of its service: the token, the time, faults, and a journal of its
/// requests.
package final class StandInConditions: Sendable {
  private struct State {
    var visits: [StandInVisit] = []
    var faults: [(fault: StandInFault, after: Int)] = []
    var between: (after: Int, run: @Sendable () -> Void)?
    var isLeadingAway = false
    var proxy: StandInProxy?
    var listeners: [Int: @Sendable (String?) -> Void] = [:]
    var lastListener = 0
    var waiting: [AsyncStream<Void>.Continuation] = []
  }

  package let token: String
  package let user: String
  /// Another origin in the responses, which must never receive the token.
  package let stranger: String
  private let clock: @Sendable () -> Date
  private let state = Mutex(State())

  /// - Parameter clock: the server's clock.
  package init(
    token: String = "secret-token-of-the-user", user: String = "ann",
    stranger: String = "https://stranger.example", clock: @escaping @Sendable () -> Date
  ) {
    self.token = token
    self.user = user
    self.stranger = stranger
    self.clock = clock
  }

  package var now: Date { clock() }

  package var visits: [StandInVisit] { state.withLock { $0.visits } }

  /// Forgets the requests so far.
  package func clearVisits() { state.withLock { $0.visits = [] } }

  /// - Parameter after: the number of requests that are answered before.
  package func fail(_ fault: StandInFault, after: Int = 0) {
    state.withLock { $0.faults.append((fault, after)) }
  }

  /// Cancels all faults that haven't happened.
  package func recover() {
    state.withLock {
      $0.faults = []
      $0.between = nil
    }
  }

  /// Adds an event at the service between two requests of a client.
  package func between(after: Int, _ run: @escaping @Sendable () -> Void) {
    state.withLock { $0.between = (after, run) }
  }

  /// Whether the responses name the other origin even for further reading: the next page, the API's address of a
  /// thread.
  package var isLeadingAway: Bool {
    get { state.withLock { $0.isLeadingAway } }
    set { state.withLock { $0.isLeadingAway = newValue } }
  }

  /// The proxy before the service; `nil` if there is none.
  package var proxy: StandInProxy? {
    get { state.withLock { $0.proxy } }
    set { state.withLock { $0.proxy = newValue } }
  }

  // MARK: Connections that are held open

  /// The number of listening clients.
  package var listeners: Int { state.withLock { $0.listeners.count } }

  /// Returns once a client listens.
  package func someoneListens() async {
    let (stream, bell) = AsyncStream.makeStream(of: Void.self)
    state.withLock { if $0.listeners.isEmpty { $0.waiting.append(bell) } else { bell.finish() } }
    for await _ in stream {}
  }

  /// - Parameter body: called with each message, or with `nil` when the connection ends.
  /// - Returns: the number for `leave`.
  func listen(_ body: @escaping @Sendable (String?) -> Void) -> Int {
    state.withLock { state in
      state.lastListener += 1
      state.listeners[state.lastListener] = body
      for bell in state.waiting { bell.finish() }
      state.waiting = []
      return state.lastListener
    }
  }

  func leave(_ listener: Int) { state.withLock { $0.listeners[listener] = nil } }

  /// Sends a message to all listening clients; `nil` ends their connections.
  package func announce(_ message: String?) {
    let listeners = state.withLock { Array($0.listeners.values) }
    for listener in listeners { listener(message) }
  }

  func nextFault() -> StandInFault? {
    state.withLock { state in
      guard let first = state.faults.first else { return nil }
      if first.after > 0 {
        state.faults[0].after -= 1
        return nil
      }
      state.faults.removeFirst()
      return first.fault
    }
  }

  func note(_ visit: StandInVisit) {
    let run: (@Sendable () -> Void)? = state.withLock { state in
      state.visits.append(visit)
      guard let between = state.between else { return nil }
      if between.after > 0 {
        state.between?.after -= 1
        return nil
      }
      state.between = nil
      return between.run
    }
    run?()
  }
}
