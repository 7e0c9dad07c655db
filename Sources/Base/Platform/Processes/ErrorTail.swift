import Basics
import Foundation

/// Keeps the end of a program's standard error, however much it writes and however long it runs.
///
/// A file would grow for as long as the program runs, and a pipe that we read would break if we end first. So a tail(1)
/// of its own reads it, which holds `Limits.programComplaintBytes` and ends with the program.
struct ErrorTail: Sendable {
  /// For the program; to be closed once that was started.
  let writing: Int32
  private let reading: Int32
  private let process: pid_t

  /// - Throws: if it cannot be started; `ENOENT` if there isn't a tail(1).
  init(environment: [String: String]) throws(POSIXError) {
    let errors = try ProgramStart.pipe()
    let end: (read: Int32, write: Int32)
    do throws(POSIXError) {
      end = try ProgramStart.pipe()
    } catch {
      close(errors.read)
      close(errors.write)
      throw error
    }
    var process: pid_t = 0
    var start = ProgramStart(
      words: ["tail", "-c", String(Limits.programComplaintBytes)], environment: environment,
      group: .ownSession)
    start.descriptors = [(0, errors.read), (1, end.write), (2, nil)]
    let code = start.run(&process)
    close(errors.read)
    close(end.write)
    guard code == 0 else {
      close(errors.write)
      close(end.read)
      throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO)
    }
    writing = errors.write
    reading = end.read
    self.process = process
  }

  /// What it has kept, once the program and its child processes have closed their standard error; empty if they do not
  /// in that time. Blocks the thread; call it once.
  func bytes(within time: Duration) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: Limits.programComplaintBytes)
    // The real clock: a process does not follow a test's clock.
    let deadline = ContinuousClock.now + time
    while bytes.count < Limits.programComplaintBytes {
      let left = max(0, (deadline - ContinuousClock.now) / .milliseconds(1)).rounded(.up)
      var state = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
      let ready = poll(&state, 1, Int32(min(left, 60_000)))
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else { break }
      let count = read(reading, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer.prefix(count)
    }
    return bytes
  }

  /// Waits for its end, so that no zombie is left; blocks the thread.
  func finish() {
    close(reading)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
  }
}
