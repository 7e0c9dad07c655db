package import Foundation
import Synchronization

/// A program that stays and answers each line with one, on one socket: in a group of its own, without environment and our
/// signal settings. Descriptors without close-on-exec are the program's to close (`ScriptHost` does so first of all).
///
/// It reads lines from its standard input until that ends. It is killed and waited for with the object at the latest.
/// swift-subprocess does not fit here: it wakes up once a second for as long as a program lives, and this one may stay
/// for days while nothing happens.
package final class AnsweringProgram: Sendable {
  /// How it ended.
  package enum Ending: Hashable, Sendable {
    case status(Int32), signal(Int32)
  }

  private let process: pid_t
  private let socket: Int32
  private let ending = Mutex<Ending?>(nil)

  /// - Throws: where the system starts no process; a program that is not there counts as that.
  package init(executable: String, arguments: [String]) throws(POSIXError) {
    var ends: [Int32] = [-1, -1]
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    #if !canImport(Glibc)
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      var isSilent: Int32 = 1
      setsockopt(ends[0], SOL_SOCKET, SO_NOSIGPIPE, &isSilent, socklen_t(MemoryLayout<Int32>.size))
    #endif
    var process: pid_t = 0
    let code = Self.spawn(&process, executable, arguments, on: ends[1])
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

  private static func spawn(
    _ process: inout pid_t, _ executable: String, _ arguments: [String], on end: Int32
  ) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, end, 0)
    posix_spawn_file_actions_adddup2(&actions, end, 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    // Threads of ours block signals or ignore them; in the child the one that ends an endless loop must arrive.
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    // A group of its own: what the terminal sends to ours is not for it.
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETPGROUP))
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    let words = ([executable] + arguments).map { strdup($0) }
    defer { for word in words { free(word) } }
    return posix_spawn(&process, executable, &actions, &attributes, words + [nil], [nil])
  }

  /// For whoever looks at the process from outside.
  package var processID: pid_t { process }

  /// Sends a line and waits for the line that answers it; blocks the thread.
  ///
  /// - Returns: nil where the child is gone, or did not answer within the time, or answered more than `limit` bytes.
  package func exchange(_ line: Data, within time: Duration, limit: Int) -> Data? {
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

  /// Kills it if it still runs, and waits for its end: nothing of it is left behind. An exchange under way fails.
  @discardableResult
  package func stop() -> Ending {
    ending.withLock { ending in
      if let ending { return ending }
      var status: Int32 = 0
      // What has ended by itself tells how.
      if waitpid(process, &status, WNOHANG) == 0 {
        kill(process, SIGKILL)
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
      }
      let signal = status & 0x7F
      let ended: Ending = signal == 0 ? .status(status >> 8 & 0xFF) : .signal(signal)
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

  /// A child that is gone is an answer, not a reason to die by SIGPIPE.
  private static var sending: Int32 {
    #if canImport(Glibc)
      Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
    #else
      Int32(MSG_DONTWAIT)
    #endif
  }
}
