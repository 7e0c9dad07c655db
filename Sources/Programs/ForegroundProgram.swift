import Foundation
import Synchronization
internal import SystemPackage

/// A program that has the terminal for a while, such as a pager: in our group, so that the terminal's keys and the shell's
/// job control reach it as they reach us. The caller gives the terminal away before and takes it back afterwards.
///
/// swift-subprocess does not fit here: it moves a program into a group of its own, which a terminal stops when it reads.
package final class ForegroundProgram: Sendable {
  /// How it ended.
  package enum Ending: Hashable, Sendable {
    case status(Int32), signal(Int32)
  }

  private let process: pid_t
  private let hasEnded = Mutex(false)

  /// Starts it.
  ///
  /// - Parameters:
  ///   - words: the program, looked for in PATH, and its arguments.
  ///   - environment: all of it.
  ///   - input: its standard input; nil leaves it the terminal.
  package init(
    _ words: [String], environment: [String: String], input: [UInt8]? = nil
  ) throws(ProgramFailure) {
    guard let name = words.first, !name.isEmpty else { throw .empty }
    let file = try input.map { bytes throws(ProgramFailure) in
      try ProgramRunner.input(holding: bytes, of: name)
    }
    var process: pid_t = 0
    let code = Self.spawn(&process, words, environment, input: file?.rawValue)
    if let file { Foundation.close(file.rawValue) }
    guard code != ENOENT else { throw .notInstalled(program: name) }
    guard code == 0 else { throw .cannotStart(program: name, reason: String(cString: strerror(code))) }
    self.process = process
  }

  /// Waits for its end on a thread of its own; call it once.
  package func ending() async -> Ending {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { [self] in
        var status: Int32 = 0
        // Not reaped here: its number stays its own until nobody can signal it any more.
        var info = siginfo_t()
        while waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        hasEnded.withLock { hasEnded in
          while waitpid(process, &status, 0) < 0, errno == EINTR {}
          hasEnded = true
        }
        let signal = status & 0x7F
        continuation.resume(returning: signal == 0 ? .status(status >> 8 & 0xFF) : .signal(signal))
      }
    }
  }

  /// Asks it to end; it may have been stopped.
  package func end() {
    hasEnded.withLock { hasEnded in
      guard !hasEnded else { return }
      kill(process, SIGTERM)
      kill(process, SIGCONT)
    }
  }

  private static func spawn(
    _ process: inout pid_t, _ words: [String], _ environment: [String: String], input: Int32?
  ) -> Int32 {
    #if canImport(Glibc)
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #else
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    if let input { posix_spawn_file_actions_adddup2(&actions, input, 0) }
    posix_spawnattr_init(&attributes)
    // Ignored by reddot itself, for its own writes.
    var defaults = sigset_t()
    sigemptyset(&defaults)
    sigaddset(&defaults, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    var mask = sigset_t()
    sigemptyset(&mask)
    posix_spawnattr_setsigmask(&attributes, &mask)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    let arguments = words.map { strdup($0) }
    let variables = environment.map { strdup("\($0)=\($1)") }
    defer { for text in arguments + variables { free(text) } }
    return posix_spawnp(&process, words[0], &actions, &attributes, arguments + [nil], variables + [nil])
  }
}
