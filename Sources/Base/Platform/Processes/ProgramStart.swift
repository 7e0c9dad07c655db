import Basics
import CThreads
import Foundation

/// The way in which a program ended.
package enum ProgramEnding: Hashable, Sendable {
  case status(Int32), signal(Int32)

  /// - Parameter waitStatus: the status from waitpid(2), of a process that has ended.
  init(waitStatus: Int32) {
    let signal = waitStatus & 0x7F
    self = signal == 0 ? .status(waitStatus >> 8 & 0xFF) : .signal(signal)
  }

  /// Returns the failure, or `nil` if the program exited with status 0.
  ///
  /// - Parameter complaint: the last line of its standard error.
  package func failure(complaint: String? = nil) -> ProgramFailure? {
    switch self {
    case .status(0): nil
    case .status(let status): .ended(status: status, complaint: complaint)
    case .signal(let signal): .killed(signal: signal)
    }
  }
}

/// A program to start with posix_spawn(3). Every program is started here.
///
/// swift-subprocess isn't used: it starts a program in another group, which a terminal stops when it reads. Its input
/// cannot be the terminal, and it wakes up once a second while a program runs.
struct ProgramStart {
  enum Group {
    /// Our process group: the terminal's signals and the shell's job control apply to it too.
    case ours
    case own
    /// A group in a new session, without a terminal.
    case ownSession
  }

  /// The program, searched in the environment's PATH if its name has no slash, and its arguments.
  var words: [String]
  /// The whole environment.
  var environment: [String: String]
  var group = Group.ours
  /// The working directory; `nil` means ours.
  var directory: String?
  /// The program's descriptors, keyed by its own numbers. `nil` means `/dev/null`; numbers that are not listed are
  /// inherited.
  var descriptors: [(number: Int32, from: Int32?)] = []
  /// Whether all descriptors other than those listed are closed, since libraries may leave some open in our process.
  var closesOthers = false
  /// The signals that have their default action in the program. By default these are SIGPIPE and SIGXFSZ, which reddot
  /// ignores for its own writes.
  var defaults: sigset_t = {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    sigaddset(&signals, SIGXFSZ)
    return signals
  }()

  /// - Parameter process: receives the process id, if the program was started.
  /// - Returns: 0, or an error number of errno(3); `ENOENT` if the program does not exist.
  func run(_ process: inout pid_t) -> Int32 {
    guard let path = Self.find(words[0], path: environment["PATH"]) else { return ENOENT }
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    // POSIX_SPAWN_SETSID, which Swift's import of glibc does not include.
    let newSession: Int16 = 0x80
    posix_spawn_file_actions_init(&actions)
    for (number, from) in descriptors {
      if let from {
        posix_spawn_file_actions_adddup2(&actions, from, number)
      } else {
        posix_spawn_file_actions_addopen(&actions, number, "/dev/null", number == 0 ? O_RDONLY : O_WRONLY, 0)
      }
    }
    if closesOthers { posix_spawn_file_actions_addclosefrom_np(&actions, 3) }
    if let directory { posix_spawn_file_actions_addchdir_np(&actions, directory) }
    posix_spawnattr_init(&attributes)
    var defaults = defaults
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    var mask = sigset_t()
    sigemptyset(&mask)
    posix_spawnattr_setsigmask(&attributes, &mask)
    var flags = Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK)
    switch group {
    case .ours: break
    case .own:
      posix_spawnattr_setpgroup(&attributes, 0)
      flags |= Int16(POSIX_SPAWN_SETPGROUP)
    case .ownSession: flags |= newSession
    }
    posix_spawnattr_setflags(&attributes, flags)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    let arguments = words.map { strdup($0) }
    let variables = environment.map { strdup("\($0)=\($1)") }
    defer { for text in arguments + variables { free(text) } }
    return posix_spawn(&process, path, &actions, &attributes, arguments + [nil], variables + [nil])
  }

  /// Returns the file of a program, or `nil` if it isn't installed.
  ///
  /// - Parameter path: the environment's PATH; `nil` means the system's default.
  static func find(_ name: String, path: String?) -> String? {
    // A program that may not be accessed still exists; starting it reports the error.
    if name.contains("/") { return access(name, F_OK) == 0 || errno == EACCES ? name : nil }
    let folders = (path ?? "/usr/local/bin:/usr/bin:/bin").split(onBytes: ":")
    return folders.lazy.map { "\($0)/\(name)" }.first { path in
      // A folder with this name is executable too, but no program.
      var status = stat()
      return access(path, X_OK) == 0 && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
  }
}
