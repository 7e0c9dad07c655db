package import Foundation
import Synchronization

/// A program that keeps running and answers each line with one line, over a socket: in its own process group, with an
/// empty environment and default signal settings. Descriptors without close-on-exec must be closed by the program
/// itself (`ScriptHost` does this first).
///
/// It reads lines from its standard input until that ends. At the latest when the object is released it is killed and
/// waited for.
package final class AnsweringProgram: Sendable {
  package typealias Ending = ProgramEnding

  private let process: pid_t
  private let socket: Int32
  private let ending = Mutex<Ending?>(nil)

  /// - Throws: if the process cannot be started, also if the program does not exist.
  package init(executable: String, arguments: [String]) throws(POSIXError) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    var process: pid_t = 0
    // Its own group, so that it does not get the terminal's signals.
    var start = ProgramStart(words: [executable] + arguments, environment: [:], group: .own)
    start.descriptors = [(0, ends[1]), (1, ends[1]), (2, nil)]
    // Our threads block or ignore signals; the child must receive the signal that ends an endless loop.
    sigfillset(&start.defaults)
    let code = start.run(&process)
    close(ends[1])
    guard code == 0 else {
      close(ends[0])
      throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO)
    }
    self.process = process
    socket = ends[0]
  }

  deinit {
    stop()
    close(socket)
  }

  /// For tests and measurements of the process.
  package var processID: pid_t { process }

  /// Sends a line and waits for the answer; blocks the thread.
  ///
  /// - Returns: nil if the child is gone, did not answer in time, or answered more than `limit` bytes.
  package func exchange(_ line: Data, within time: Duration, limit: Int) -> Data? {
    // The real clock, here and in the other programs: a process does not follow a test's clock.
    let deadline = ContinuousClock.now + time
    var rest = line[...]
    while !rest.isEmpty {
      guard isReady(for: POLLOUT, until: deadline) else { return nil }
      let sent = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Self.sending) }
      if sent > 0 { rest = rest.dropFirst(sent) } else if !Self.isTemporary(errno) { return nil }
    }
    var answer = Data()
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while answer.last != 10 {
      guard answer.count <= limit, isReady(for: POLLIN, until: deadline) else { return nil }
      let count = recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      if count > 0 {
        answer.append(contentsOf: buffer.prefix(count))
      } else if count == 0 || !Self.isTemporary(errno) {
        return nil
      }
    }
    return answer
  }

  /// Kills it if it still runs, and waits for its end, so that no zombie is left. An exchange in progress fails.
  @discardableResult
  package func stop() -> Ending {
    ending.withLock { ending in
      if let ending { return ending }
      var status: Int32 = 0
      // If it ended by itself, its own status is kept.
      if waitpid(process, &status, WNOHANG) == 0 {
        kill(process, SIGKILL)
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
      }
      let ended = Ending(waitStatus: status)
      ending = ended
      return ended
    }
  }

  private func isReady(for events: Int32, until deadline: ContinuousClock.Instant) -> Bool {
    while true {
      let left = (deadline - ContinuousClock.now) / .milliseconds(1)
      guard left > 0 else { return false }
      var state = pollfd(fd: socket, events: Int16(events), revents: 0)
      let count = poll(&state, 1, Int32(min(left.rounded(.up), 60_000)))
      if count > 0 { return true }
      if count < 0, errno != EINTR { return false }
    }
  }

  private static func isTemporary(_ code: Int32) -> Bool { code == EAGAIN || code == EINTR }

  /// Without SIGPIPE, which would end our process if the child is gone.
  private static var sending: Int32 {
    Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
  }
}
