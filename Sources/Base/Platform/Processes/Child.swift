import Basics
import CThreads
import Foundation
import Synchronization

/// A process that we started. The ids of the process and its group cannot be reused until the process is waited for,
/// which happens once.
final class Child: Sendable {
  let id: pid_t
  /// A descriptor that becomes readable once the process has ended (pidfd_open(2)).
  let descriptor: Int32
  private let ending = Mutex<ProgramEnding?>(nil)

  /// - Throws: if the program cannot be started; `ENOENT` if it does not exist.
  init(_ start: ProgramStart) throws(POSIXError) {
    var id: pid_t = 0
    let code = start.run(&id)
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
    self.id = id
    descriptor = ct_open_process(id)
    guard descriptor >= 0 else {
      let code = errno
      kill(id, SIGKILL)
      _ = reap()
      throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EMFILE)
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Blocks the thread until the process has ended.
  ///
  /// - Returns: `false` if the process still runs at `end`.
  func hasEnded(by end: ContinuousClock.Instant?) -> Bool {
    var states = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
    return Descriptors.wait(for: &states, until: end)
  }

  /// Sends a signal to the process or its whole group, unless it was already waited for.
  func send(_ signal: Int32, toGroup: Bool = false) {
    ending.withLock { if $0 == nil { kill(toGroup ? -id : id, signal) } }
  }

  /// Waits for the end of the process, so that no zombie is left; blocks the thread.
  @discardableResult
  func reap() -> ProgramEnding {
    if descriptor >= 0 { _ = hasEnded(by: nil) }
    return ending.withLock { ending in
      if let ending { return ending }
      var status: Int32 = 0
      while waitpid(id, &status, 0) < 0, errno == EINTR {}
      let made = ProgramEnding(waitStatus: status)
      ending = made
      return made
    }
  }

  /// Sends the signals to the group one after the other, with `Limits.programGrace` after each, until the process has
  /// ended. At the end it is killed.
  ///
  /// - Parameter signals: 0 sends nothing.
  @discardableResult
  func stop(_ signals: [Int32]) -> ProgramEnding {
    for signal in signals where !hasEnded(by: ContinuousClock.now) {
      send(signal, toGroup: true)
      _ = hasEnded(by: ContinuousClock.now + Limits.programGrace)
    }
    // A member of the group may ignore SIGTERM.
    send(SIGKILL, toGroup: true)
    return reap()
  }
}
