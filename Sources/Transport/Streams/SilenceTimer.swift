import NIOCore
import Synchronization

/// Ends a connection that was silent for too long. Its one timer is set again only when it fires, not with each message.
final class SilenceTimer: Sendable {
  private struct State {
    var lastHeard: NIODeadline
    var timer: Scheduled<Void>?
    var hasEnded = false
    var isOver = false
  }

  private let state: Mutex<State>
  private let limit: TimeAmount
  private let loop: any EventLoop
  private let onSilence: @Sendable () -> Void

  /// - Parameter onSilence: called once, on `loop`.
  init(limit: TimeAmount, loop: any EventLoop, onSilence: @escaping @Sendable () -> Void) {
    self.limit = limit
    self.loop = loop
    self.onSilence = onSilence
    state = Mutex(State(lastHeard: loop.now))
    schedule(in: limit)
  }

  /// The server said something, if only that it is still there.
  func heard() { state.withLock { $0.lastHeard = loop.now } }

  /// The connection has ended: stops the timer.
  func end() {
    let timer = state.withLock { state in
      state.hasEnded = true
      return state.timer
    }
    timer?.cancel()
  }

  /// Whether it has ended the connection.
  var isOver: Bool { state.withLock { $0.isOver } }

  private func schedule(in time: TimeAmount) {
    state.withLock { state in
      guard !state.hasEnded else { return }
      state.timer = loop.scheduleTask(in: time) { self.fire() }
    }
  }

  private func fire() {
    let silence = loop.now - state.withLock { $0.lastHeard }
    guard silence >= limit else { return schedule(in: limit - silence) }
    state.withLock { $0.isOver = true }
    onSilence()
  }
}
