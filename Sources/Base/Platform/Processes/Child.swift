import Basics
import CThreads
import Foundation
import Synchronization

/// A process that we started. Its id, and its group's, are its own until it is waited for, which this does once.
final class Child: Sendable {
  let id: pid_t
  /// Can be read once it has ended (pidfd_open(2)).
  let descriptor: Int32
  private let ending = Mutex<ProgramEnding?>(nil)

  /// - Throws: if it cannot be started; `ENOENT` if the program does not exist.
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

  /// Blocks the thread until it has ended.
  ///
  /// - Returns: false if it still runs at that time.
  func hasEnded(by end: ContinuousClock.Instant?) -> Bool {
    var states = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
    return Descriptors.wait(for: &states, until: end)
  }

  /// Sends it a signal, or its whole group, unless it was waited for already.
  func send(_ signal: Int32, toGroup: Bool = false) {
    ending.withLock { if $0 == nil { kill(toGroup ? -id : id, signal) } }
  }

  /// Waits for its end, so that no zombie is left; blocks the thread.
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

  /// Sends its group one signal after the other, with `Limits.programGrace` after each, until it has ended; in the end by force.
  ///
  /// - Parameter signals: 0 sends nothing.
  @discardableResult
  func stop(_ signals: [Int32]) -> ProgramEnding {
    for signal in signals where !hasEnded(by: ContinuousClock.now) {
      send(signal, toGroup: true)
      _ = hasEnded(by: ContinuousClock.now + Limits.programGrace)
    }
    // A member that ignores SIGTERM.
    send(SIGKILL, toGroup: true)
    return reap()
  }
}
