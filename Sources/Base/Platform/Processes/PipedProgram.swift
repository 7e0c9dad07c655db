import Basics
package import Foundation
import Synchronization

/// A program whose standard input and output are pipes to us. It has its own session, so that the terminal's signals
/// don't reach it, and none of our other files.
///
/// When the object is released, at the latest, the program and its group are ended and waited for.
package final class PipedProgram: Sendable {
  package enum Event: Sendable {
    /// Bytes were sent or received; contains the received ones.
    case moved([UInt8])
    /// The program has ended, or closed its output.
    case ended
    /// Nothing was sent or received in this time.
    case silent
    /// The caller's alarm has rung.
    case alarm
    /// The caller's descriptor is readable.
    case input
  }

  let child: Child
  /// The descriptor of its input, or -1 if it got all its input at its start.
  private let input: Int32
  private let output: Int32
  private let errors: Int32
  private let complaints = Mutex(Complaints())
  private let isOpen = Mutex(true)

  /// - Parameters:
  ///   - words: the program, searched in the environment's PATH if its name has no slash, and its arguments.
  ///   - environment: the whole environment.
  ///   - directory: its working directory; `nil` means ours.
  ///   - content: its whole input, or `nil` if `move` sends the input.
  package init(
    _ words: [String], environment: [String: String], directory: String? = nil, input content: [UInt8]? = nil
  ) throws(ProgramFailure) {
    guard let name = words.first, !name.isEmpty else { throw .empty }
    if let directory, access(directory, X_OK) != 0 {
      throw .cannotStart(program: name, reason: "\(directory): \(String(cString: strerror(errno)))")
    }
    guard ProgramStart.find(name, path: environment["PATH"]) != nil else {
      throw .notInstalled(program: name)
    }
    let file = try content.map { content throws(ProgramFailure) in
      try ProgramInput.descriptor(holding: content, of: name)
    }
    var theirs = file.map { [$0] } ?? []
    var ours = file == nil ? [] : [-1 as Int32]
    do throws(POSIXError) {
      for number in theirs.count..<3 {
        let pipe = try Descriptors.pipe()
        theirs.append(number == 0 ? pipe.read : pipe.write)
        ours.append(number == 0 ? pipe.write : pipe.read)
      }
      var start = ProgramStart(words: words, environment: environment, group: .ownSession)
      start.directory = directory
      start.descriptors = [(0, theirs[0]), (1, theirs[1]), (2, theirs[2])]
      start.closesOthers = true
      // Our threads block or ignore signals.
      sigfillset(&start.defaults)
      child = try Child(start)
    } catch {
      Self.close(theirs + ours)
      throw .cannotStart(program: name, reason: String(cString: strerror(error.code.rawValue)))
    }
    Self.close(theirs)
    for descriptor in ours { _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) }
    (input, output, errors) = (ours[0], ours[1], ours[2])
  }

  deinit { end() }

  private static func close(_ descriptors: [Int32]) {
    for descriptor in descriptors where descriptor >= 0 { Foundation.close(descriptor) }
  }

  /// The process id, for tests and measurements.
  package var processID: pid_t { child.id }

  /// The first and the last lines that the program has written to standard error so far.
  var errorLines: Complaints { complaints.withLock { $0 } }

  /// Sends bytes or reads output, whichever is possible first; blocks the thread. Only one thread at a time may call
  /// it, and not after `end`.
  ///
  /// SIGPIPE must be ignored, since the program may have closed its input.
  ///
  /// - Parameters:
  ///   - bytes: the bytes for its standard input. Sent bytes are removed; all are removed if the program has closed its
  ///     input.
  ///   - time: the time after which it counts as silent.
  ///   - other: a descriptor that ends the wait.
  ///   - lasts: whether a program that has closed its output but still runs counts as not ended.
  package func move(
    _ bytes: inout ArraySlice<UInt8>, within time: Duration, alarm: Alarm? = nil,
    unlessInput other: Int32? = nil,
    whileItRuns lasts: Bool = false
  ) -> Event {
    let end = ContinuousClock.now + time
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    var (output, errors) = (output, errors)
    // Standard error does not count as a response, however long it is.
    repeat {
      var states = [
        pollfd(fd: alarm?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: output, events: Int16(POLLIN), revents: 0),
        pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
        // Without bytes to send, its closed end would be ready repeatedly.
        pollfd(fd: bytes.isEmpty ? -1 : input, events: Int16(POLLOUT), revents: 0),
        pollfd(fd: other ?? -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: child.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      guard Descriptors.wait(for: &states, until: end) else { return .silent }
      if states[0].revents != 0 { return .alarm }
      if states[2].revents != 0, readComplaint(&buffer) == 0 { errors = -1 }
      if states[1].revents != 0 {
        let count = read(output, &buffer, buffer.count)
        if count > 0 { return .moved(Array(buffer.prefix(count))) }
        if count == 0 || !Self.isTemporary(errno) {
          guard lasts else { return .ended }
          output = -1
        }
      }
      if states[3].revents != 0 {
        let count = bytes.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
        if count > 0 {
          bytes = bytes.dropFirst(count)
          return .moved([])
        }
        // The output that the program printed before is read first.
        if count < 0, !Self.isTemporary(errno) { bytes = [] }
      }
      if states[4].revents != 0 { return .input }
      // All its output is read; a child process may keep the pipes open.
      if states[5].revents != 0, states[1].revents == 0, states[2].revents == 0 { return .ended }
    } while ContinuousClock.now < end
    return .silent
  }

  /// Sends a line and waits for the line of the response; blocks the thread.
  ///
  /// - Returns: `nil` if the program has ended, did not respond in time, or responded with more than `limit` bytes.
  package func exchange(_ line: Data, within time: Duration, limit: Int) -> Data? {
    // This is the real clock, here and for other programs, since a process does not follow a test's clock.
    let end = ContinuousClock.now + time
    var rest = Array(line)[...]
    var answer = Data()
    while answer.last != UInt8(ascii: "\n") {
      guard answer.count <= limit,
        case .moved(let bytes) = move(&rest, within: end - ContinuousClock.now)
      else { return nil }
      answer += bytes
    }
    return answer
  }

  /// Ends the program if it still runs: by closing its input, then with SIGTERM, then with SIGKILL. Waits for its end.
  ///
  /// - Returns: its ending, and the last non-empty line of its standard error, unchanged.
  @discardableResult
  package func end() -> (ending: ProgramEnding, complaint: String?) {
    let ending = finish { child.stop([0, SIGTERM, SIGKILL]) }
    return (ending, errorLines.last.last)
  }

  /// Ends the program with the given function, unless it was already ended, and returns its ending. Afterwards `move`
  /// must not be called.
  func finish(_ stop: () -> ProgramEnding) -> ProgramEnding {
    isOpen.withLock { isOpen in
      guard isOpen else { return child.reap() }
      isOpen = false
      Self.close([input, output])
      let ending = stop()
      var buffer = [UInt8](repeating: 0, count: 64 << 10)
      // This reads the program's last output. A child process may keep writing.
      for _ in 0..<16 where readComplaint(&buffer) > 0 {}
      Self.close([errors])
      return ending
    }
  }

  /// Kills the program and waits for its end. It can be called from any thread. An exchange under way fails.
  @discardableResult
  package func kill() -> ProgramEnding { child.stop([SIGKILL]) }

  /// Reads available bytes of standard error; returns their number.
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
