import NIOCore
import Synchronization

/// The stage of a request, and its timeout, which begins with the first byte sent.
final class RequestProgress: Sendable {
  private struct State {
    var stage = RequestFailure.Stage.connecting
    var received = 0
    var isReused = false
    var isAnswered = false
    var timer: Scheduled<Void>?
    var hasBegun = false
    var timedOutAt: RequestFailure.Stage?
    var timeoutAction: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())
  private let limit: TimeAmount
  private let loop: any EventLoop

  /// - Parameters:
  ///   - limit: from the first byte sent to the last byte read, redirects included.
  ///   - loop: runs the timer.
  init(limit: TimeAmount, loop: any EventLoop) {
    self.limit = limit
    self.loop = loop
  }

  /// An exchange of this request begins: the first, or the next after a redirect.
  func connecting() {
    state.withLock { state in
      state.stage = .connecting
      state.received = 0
      state.isReused = false
      state.isAnswered = false
    }
  }

  /// The exchange's request is being written. `isReused`: on a connection that was used before.
  func sent(isReused: Bool) {
    state.withLock { state in
      state.stage = .waiting
      state.isReused = isReused
      guard !state.hasBegun else { return }
      state.hasBegun = true
      state.timer = loop.scheduleTask(in: limit) { self.timeOut() }
    }
  }

  /// Bytes of a response came, if only a part of its header.
  func answered() { state.withLock { $0.isAnswered = true } }

  /// The response's header is complete.
  func reading() { state.withLock { $0.stage = .reading } }

  func received(_ bytes: Int) { state.withLock { $0.received = bytes } }

  /// Calls `action` at the timeout; at once if that has passed.
  func onTimeout(_ action: @escaping @Sendable () -> Void) {
    let hasTimedOut = state.withLock { state in
      state.timeoutAction = action
      return state.timedOutAt != nil
    }
    if hasTimedOut { action() }
  }

  private func timeOut() {
    let action = state.withLock { state in
      state.timedOutAt = state.stage
      return state.timeoutAction
    }
    action?()
  }

  /// The request has ended: stops the timer.
  func end() {
    let timer = state.withLock { state in
      defer {
        state.timer = nil
        state.timeoutAction = nil
      }
      return state.timer
    }
    timer?.cancel()
  }

  var stage: RequestFailure.Stage { state.withLock { $0.stage } }
  var received: Int { state.withLock { $0.received } }
  /// The stage at the timeout; nil before.
  var timedOutAt: RequestFailure.Stage? { state.withLock { $0.timedOutAt } }

  /// Whether the request may be retried: a server may close a reused connection just when a request is sent on it. Then
  /// there is no response, and a GET may be sent again (RFC 9110 section 9.2.2, RFC 9112 section 9.3.1).
  var mayBeRetried: Bool { state.withLock { $0.isReused && !$0.isAnswered } }
}
