import CCurl
import Foundation
import Platform
import Synchronization

/// The thread of libcurl. It starts with the first transfer, and ends when nothing was transferred for a while: until then
/// connections are kept for the next request.
final class NetworkThread: Sendable {
  /// Runs on the thread.
  typealias Command = @Sendable (NetworkLoop) -> Void

  private struct State {
    var commands: [Command] = []
    var isRunning = false
    var isClosed = false
    /// The address of libcurl's handle, of the running thread; 0 before it waits for the first time, and when it ends.
    var multi: UInt = 0
    /// Who waits for the end of the thread.
    var waiting: [CheckedContinuation<Void, Never>] = []

    func wakeUp() {
      if let multi = UnsafeMutableRawPointer(bitPattern: multi) { ccurl_multi_wakeup(multi) }
    }
  }

  private let state = Mutex(State())
  /// After this time without a transfer it ends.
  let idleTime: Duration

  init(idleTime: Duration) { self.idleTime = idleTime }

  /// - Returns: false after `shutdown`; the command isn't run then.
  /// - Throws: if the thread isn't running and can't be started; the command isn't run then.
  func run(_ command: @escaping Command) throws(ThreadFailure) -> Bool {
    try state.withLock { state throws(ThreadFailure) in
      guard !state.isClosed else { return false }
      if state.isRunning {
        state.commands.append(command)
        state.wakeUp()
      } else {
        // It waits for the lock.
        try start()
        state.commands.append(command)
        state.isRunning = true
      }
      return true
    }
  }

  /// Runs a command for a transfer that is under way; does nothing if there is no thread, and so no transfer.
  func runIfPossible(_ command: @escaping Command) { _ = try? run(command) }

  /// Ends all transfers as cancelled, closes the connections, and waits for the thread's end.
  func shutdown() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        state.isClosed = true
        guard state.isRunning else { return true }
        state.waiting.append(continuation)
        state.commands.append { $0.cancelAll() }
        state.wakeUp()
        return false
      }
      if isOver { continuation.resume() }
    }
  }

  private func start() throws(ThreadFailure) {
    // Dispatch's threads read the bodies, and libcurl's look names up.
    try SystemThread.checkThatThereAreMany()
    try SystemThread.start("reddot network") { self.work() }
  }

  private func work() {
    // A write to a closed connection is an error of that connection.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    // libcurl's handle is freed before the thread counts as ended: the process may exit then.
    repeat { runLoop() } while !end()
  }

  private func runLoop() {
    let loop = NetworkLoop()
    withExtendedLifetime(loop) {
      let multi = UInt(bitPattern: loop.multi)
      state.withLock { $0.multi = multi }
      loop.run(for: self)
      state.withLock { $0.multi = 0 }
    }
  }

  /// What is to be done now.
  func commands() -> [Command] {
    state.withLock { state in
      defer { state.commands = [] }
      return state.commands
    }
  }

  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// - Returns: false if there is something to do again.
  private func end() -> Bool {
    let waiting: [CheckedContinuation<Void, Never>]? = state.withLock { state in
      guard state.commands.isEmpty else { return nil }
      state.isRunning = false
      defer { state.waiting = [] }
      return state.waiting
    }
    waiting?.forEach { $0.resume() }
    return waiting != nil
  }
}
