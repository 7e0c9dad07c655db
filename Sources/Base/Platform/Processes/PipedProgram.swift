import Basics
package import Foundation
import Synchronization

/// A program that keeps running and speaks with us over its standard input and output: in a session of its own, so that
/// the terminal's signals don't reach it, with none of our other files.
///
/// The end of its input asks it to end. At the latest when the object is released it is ended with its group and waited
/// for.
package final class PipedProgram: Sendable {
  package enum Event: Sendable {
    /// Bytes were sent, or came: those that came.
    case moved([UInt8])
    /// It has closed its output.
    case ended
    /// Nothing moved in that time.
    case silent
    case alarm
    /// There is something to be read from the caller's descriptor.
    case input
  }

  private let process: pid_t
  private let input: Int32
  private let output: Int32
  private let errors: Int32
  private let complaints = Mutex(Complaints())
  private let ending = Mutex<ProgramEnding?>(nil)

  /// - Parameters:
  ///   - words: the program, searched in the environment's PATH if its name has no slash, and its arguments.
  ///   - environment: the whole environment.
  package init(_ words: [String], environment: [String: String]) throws(ProgramFailure) {
    guard let name = words.first, !name.isEmpty else { throw .empty }
    func failure(_ code: Int32) -> ProgramFailure {
      code == ENOENT
        ? .notInstalled(program: name)
        : .cannotStart(program: name, reason: String(cString: strerror(code)))
    }
    var pipes: [(read: Int32, write: Int32)] = []
    do throws(POSIXError) {
      for _ in 0..<3 { pipes.append(try ProgramStart.pipe()) }
    } catch {
      for pipe in pipes { Self.close([pipe.read, pipe.write]) }
      throw failure(error.code.rawValue)
    }
    let theirs = [pipes[0].read, pipes[1].write, pipes[2].write]
    let ours = [pipes[0].write, pipes[1].read, pipes[2].read]
    var start = ProgramStart(words: words, environment: environment, group: .ownSession)
    start.descriptors = [(0, theirs[0]), (1, theirs[1]), (2, theirs[2])]
    start.closesOthers = true
    // Our threads block or ignore signals.
    sigfillset(&start.defaults)
    var process: pid_t = 0
    let code = start.run(&process)
    Self.close(theirs)
    guard code == 0 else {
      Self.close(ours)
      throw failure(code)
    }
    for descriptor in ours { _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) }
    self.process = process
    (input, output, errors) = (ours[0], ours[1], ours[2])
  }

  deinit { end() }

  private static func close(_ descriptors: [Int32]) {
    for descriptor in descriptors { Foundation.close(descriptor) }
  }

  /// For tests of the process.
  package var processID: pid_t { process }

  /// Sends bytes and reads what it printed, whatever is possible first; blocks the thread. One thread at a time, and not
  /// after `end`.
  ///
  /// SIGPIPE must be ignored: the program may have closed its input.
  ///
  /// - Parameters:
  ///   - bytes: for its standard input; those that were sent are taken out, all where it has closed its input.
  ///   - time: until it counts as silent.
  ///   - other: a descriptor that ends waiting.
  package func move(
    _ bytes: inout ArraySlice<UInt8>, within time: Duration, alarm: Alarm, unlessInput other: Int32? = nil
  ) -> Event {
    let end = ContinuousClock.now + time
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    var errors = errors
    // What it writes to its standard error is no answer, however much it is.
    repeat {
      var states = [
        pollfd(fd: alarm.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: output, events: Int16(POLLIN), revents: 0),
        pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
        // Without bytes for it, its closed end would be ready again and again.
        pollfd(fd: bytes.isEmpty ? -1 : input, events: Int16(POLLOUT), revents: 0),
        pollfd(fd: other ?? -1, events: Int16(POLLIN), revents: 0),
      ]
      guard Descriptors.wait(for: &states, until: end) else { return .silent }
      if states[0].revents != 0 { return .alarm }
      if states[2].revents != 0, readComplaint(&buffer) == 0 { errors = -1 }
      if states[1].revents != 0 {
        let count = read(output, &buffer, buffer.count)
        if count > 0 { return .moved(Array(buffer.prefix(count))) }
        if count == 0 || !Self.isTemporary(errno) { return .ended }
      }
      if states[3].revents != 0 {
        let count = bytes.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
        if count > 0 {
          bytes = bytes.dropFirst(count)
          return .moved([])
        }
        // What it printed before is still to be read.
        if count < 0, !Self.isTemporary(errno) { bytes = [] }
      }
      if states[4].revents != 0 { return .input }
    } while ContinuousClock.now < end
    return .silent
  }

  /// Ends it if it still runs: by the end of its input, then by SIGTERM, then by force, and waits for its end.
  ///
  /// - Returns: how it ended, and the last non-empty line of its standard error, unchanged.
  @discardableResult
  package func end() -> (ending: ProgramEnding, complaint: String?) {
    let ending = ending.withLock { ending in
      if let ending { return ending }
      Self.close([input, output])
      let made = waitForEnd()
      var buffer = [UInt8](repeating: 0, count: 64 << 10)
      // What it wrote last; a child process of its own may go on writing.
      for _ in 0..<16 where readComplaint(&buffer) > 0 {}
      Self.close([errors])
      ending = made
      return made
    }
    return (ending, complaints.withLock { $0.last.last })
  }

  private func waitForEnd() -> ProgramEnding {
    var status: Int32 = 0
    let process = process
    if let ended = try? Alarm(),
      (try? SystemThread.start("reddot wait", stackBytes: 256 << 10) {
        // Not waited for yet: its id and its group's are its own until then.
        var information = siginfo_t()
        while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        ended.ring()
      }) != nil
    {
      for signal in [SIGTERM, SIGKILL] {
        var states = [pollfd(fd: ended.descriptor, events: Int16(POLLIN), revents: 0)]
        if Descriptors.wait(for: &states, until: ContinuousClock.now + Limits.programGrace) { break }
        kill(-process, signal)
      }
      var states = [pollfd(fd: ended.descriptor, events: Int16(POLLIN), revents: 0)]
      _ = Descriptors.wait(for: &states, until: nil)
    }
    // A member of its group that ignores SIGTERM, or all where no descriptor or no thread is left to wait with.
    kill(-process, SIGKILL)
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return ProgramEnding(waitStatus: status)
  }

  private func readComplaint(_ buffer: inout [UInt8]) -> Int {
    let count = read(errors, &buffer, buffer.count)
    if count > 0 {
      let bytes = buffer[..<count]
      complaints.withLock { $0.append(bytes) }
    }
    return count
  }

  private static func isTemporary(_ code: Int32) -> Bool { code == EAGAIN || code == EINTR }
}
