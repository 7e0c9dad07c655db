import NIOCore
import Synchronization

/// Where a request stands, told by whoever knows and asked by whoever cuts it off; its time runs from its first byte.
final class RequestProgress: Sendable {
  private struct State {
    var stage = RequestFailure.Stage.connecting
    var received = 0
    var isKept = false
    var isAnswered = false
    var timer: Scheduled<Void>?
    var hasBegun = false
    var cutAt: RequestFailure.Stage?
    var onCut: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())
  private let limit: TimeAmount
  private let loop: any EventLoop

  /// - Parameters:
  ///   - limit: from the first byte sent to the last byte read, redirects included.
  ///   - loop: measures it.
  init(limit: TimeAmount, loop: any EventLoop) {
    self.limit = limit
    self.loop = loop
  }

  /// One more exchange of this request begins.
  func connecting() {
    state.withLock { state in
      state.stage = .connecting
      state.received = 0
      state.isKept = false
      state.isAnswered = false
    }
  }

  /// The exchange's request is being written. `isKept`: on a connection that has carried another before.
  func sent(isKept: Bool) {
    state.withLock { state in
      state.stage = .waiting
      state.isKept = isKept
      guard !state.hasBegun else { return }
      state.hasBegun = true
      state.timer = loop.scheduleTask(in: limit) { self.cut() }
    }
  }

  /// Something came, be it half a header.
  func answered() { state.withLock { $0.isAnswered = true } }

  /// The answer's header is here.
  func reading() { state.withLock { $0.stage = .reading } }

  func received(_ bytes: Int) { state.withLock { $0.received = bytes } }

  /// Called once the time is up, at once if it is already.
  func whenCut(_ action: @escaping @Sendable () -> Void) {
    let isCut = state.withLock { state in
      state.onCut = action
      return state.cutAt != nil
    }
    if isCut { action() }
  }

  private func cut() {
    let action = state.withLock { state in
      state.cutAt = state.stage
      return state.onCut
    }
    action?()
  }

  /// The request has ended: nothing is measured any more.
  func end() {
    let timer = state.withLock { state in
      defer {
        state.timer = nil
        state.onCut = nil
      }
      return state.timer
    }
    timer?.cancel()
  }

  var stage: RequestFailure.Stage { state.withLock { $0.stage } }
  var received: Int { state.withLock { $0.received } }
  /// Where it stood when the time was up.
  var cutAt: RequestFailure.Stage? { state.withLock { $0.cutAt } }

  /// A server may close a kept connection just when a request is sent on it. Nothing of an answer came then, and a GET
  /// may be sent once more (RFC 9110 section 9.2.2, RFC 9112 section 9.3.1).
  var mayBeSentAgain: Bool { state.withLock { $0.isKept && !$0.isAnswered } }
}
