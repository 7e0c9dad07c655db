import Foundation
import Limits
import Synchronization
internal import SystemPackage

/// A program that the user started: it has no time limit, and its output isn't read.
///
/// swift-subprocess isn't used: it starts a program in another group, which a terminal stops when it reads, and
/// it wakes up once a second while a program runs.
package final class StartedProgram: Sendable {
  /// How it runs.
  package enum Place: Sendable {
    /// On our terminal and in our process group, so that the terminal's signals and the shell's job control apply to it
    /// too. The caller releases the terminal before and takes it back afterwards. `input` is its standard input; nil is
    /// the terminal.
    case terminal(input: [UInt8]?)
    /// In its own session, without input; it may outlive this process.
    case apart
  }

  /// How it ended.
  package enum Ending: Hashable, Sendable {
    case status(Int32), signal(Int32)

    /// nil if it ended with status 0.
    /// - Parameter complaint: the last line of its standard error.
    package func failure(complaint: String? = nil) -> ProgramFailure? {
      switch self {
      case .status(0): nil
      case .status(let status): .ended(status: status, complaint: complaint)
      case .signal(let signal): .killed(signal: signal)
      }
    }
  }

  private let process: pid_t
  private let hasEnded = Mutex(false)
  /// An anonymous file with its standard error; nil if that is the terminal.
  private let errors: FileDescriptor?

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - words: the program, searched in PATH, and its arguments.
  ///   - environment: the whole environment.
  package init(
    _ words: [String], environment: [String: String], _ place: Place
  ) throws(ProgramFailure) {
    guard let name = words.first, !name.isEmpty else { throw .empty }
    var input: FileDescriptor?
    switch place {
    case .terminal(let bytes?):
      input = try ProgramRunner.input(holding: bytes, of: name)
      errors = nil
    case .terminal(nil): errors = nil
    case .apart: errors = try ProgramRunner.anonymousFile(for: name)
    }
    var process: pid_t = 0
    let code = Self.spawn(&process, words, environment, input: input, errors: errors)
    if let input { Foundation.close(input.rawValue) }
    self.process = process
    if code == 0 { return }
    hasEnded.withLock { $0 = true }
    guard code != ENOENT else { throw .notInstalled(program: name) }
    throw .cannotStart(program: name, reason: String(cString: strerror(code)))
  }

  deinit { if let errors { Foundation.close(errors.rawValue) } }

  /// Waits for its end on a separate thread; call it once.
  package func ending() async -> Ending {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { [self] in
        // Not reaped yet: its process id stays valid until `end` cannot signal it any more.
        var information = siginfo_t()
        while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        let status = hasEnded.withLock { hasEnded in
          var status: Int32 = 0
          while waitpid(process, &status, 0) < 0, errno == EINTR {}
          hasEnded = true
          return status
        }
        let signal = status & 0x7F
        continuation.resume(returning: signal == 0 ? .status(status >> 8 & 0xFF) : .signal(signal))
      }
    }
  }

  /// Sends SIGTERM, and SIGCONT in case it is stopped.
  package func end() {
    hasEnded.withLock { hasEnded in
      guard !hasEnded else { return }
      kill(process, SIGTERM)
      kill(process, SIGCONT)
    }
  }

  /// The last non-empty line of its standard error, unchanged; nil if that is the terminal.
  package var lastComplaint: String? {
    guard let errors else { return nil }
    let limit = Limits.programComplaintBytes
    var state = stat()
    guard fstat(errors.rawValue, &state) == 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = pread(errors.rawValue, &bytes, limit, max(0, state.st_size - off_t(limit)))
    return ProgramRunner.lines(Array(bytes.prefix(max(0, count)))).last
  }

  private static func spawn(
    _ process: inout pid_t, _ words: [String], _ environment: [String: String], input: FileDescriptor?,
    errors: FileDescriptor?
  ) -> Int32 {
    #if canImport(Glibc)
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
      // POSIX_SPAWN_SETSID, which Swift's import of glibc does not include.
      let newSession: Int16 = 0x80
    #else
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
      let newSession = Int16(POSIX_SPAWN_SETSID)
    #endif
    posix_spawn_file_actions_init(&actions)
    if let input { posix_spawn_file_actions_adddup2(&actions, input.rawValue, 0) }
    if let errors {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
      posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
      posix_spawn_file_actions_adddup2(&actions, errors.rawValue, 2)
    }
    posix_spawnattr_init(&attributes)
    // reddot ignores it for its own writes.
    var defaults = sigset_t()
    sigemptyset(&defaults)
    sigaddset(&defaults, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    var mask = sigset_t()
    sigemptyset(&mask)
    posix_spawnattr_setsigmask(&attributes, &mask)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK) | (errors == nil ? 0 : newSession))
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
