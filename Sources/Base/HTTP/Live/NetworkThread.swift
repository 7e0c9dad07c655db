import CCurl
import Foundation
import Platform
import Synchronization

/// The thread of libcurl. It starts with the first transfer, and ends when nothing was transferred for a while. Until
/// then it keeps connections for the next request.
final class NetworkThread: Sendable {
  /// A command that runs on the thread.
  typealias Command = @Sendable (NetworkLoop) -> Void

  private struct State {
    var commands: [Command] = []
    var isRunning = false
    var isClosed = false
    /// The address of the running thread's libcurl handle. It is 0 before the first wait and when the thread ends.
    var multi: UInt = 0
    /// The callers that wait for the end of the thread.
    var waiting: [CheckedContinuation<Void, Never>] = []

    /// Ends the current wait of the thread, if it waits.
    func wakeUp() {
      if let multi = UnsafeMutableRawPointer(bitPattern: multi) { ccurl_multi_wakeup(multi) }
    }
  }

  private let state = Mutex(State())
  /// The time without a transfer after which the thread ends.
  let idleTime: Duration

  init(idleTime: Duration) { self.idleTime = idleTime }

  /// Runs a command on the thread, and starts the thread if it isn't running.
  ///
  /// - Returns: `false` after `shutdown`, when the command isn't run.
  /// - Throws: if the thread isn't running and can't be started; then the command isn't run.
  func run(_ command: @escaping Command) throws(ThreadFailure) -> Bool {
    try state.withLock { state throws(ThreadFailure) in
      guard !state.isClosed else { return false }
      if state.isRunning {
        state.commands.append(command)
        state.wakeUp()
      } else {
        // The new thread waits for the lock.
        try start()
        state.commands.append(command)
        state.isRunning = true
      }
      return true
    }
  }

  /// Runs a command for an active transfer. It does nothing if there is no thread, since there are no transfers then.
  func runIfPossible(_ command: @escaping Command) { _ = try? run(command) }

  /// Cancels all transfers, closes the connections, and waits for the thread's end.
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
    // Dispatch's threads read the bodies, and libcurl's threads look up names.
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

  /// Returns the commands to run now.
  func commands() -> [Command] {
    state.withLock { state in
      defer { state.commands = [] }
      return state.commands
    }
  }

  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Marks the thread as ended, unless there is more to do.
  ///
  /// - Returns: `false` if new commands have arrived.
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
