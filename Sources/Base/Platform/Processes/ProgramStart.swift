import Basics
import CThreads
import Foundation

/// How a program ended.
package enum ProgramEnding: Hashable, Sendable {
  case status(Int32), signal(Int32)

  /// - Parameter waitStatus: as waitpid(2) gives it, of a process that has ended.
  init(waitStatus: Int32) {
    let signal = waitStatus & 0x7F
    self = signal == 0 ? .status(waitStatus >> 8 & 0xFF) : .signal(signal)
  }

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

/// A program to be started with posix_spawn(3): the one way in which programs are started.
///
/// swift-subprocess isn't used: it starts a program in another group, which a terminal stops when it reads, its input cannot
/// be the terminal, and it wakes up once a second while a program runs.
struct ProgramStart {
  enum Group {
    /// Our process group: the terminal's signals and the shell's job control apply to it too.
    case ours
    case own
    /// A group in a session of its own, without a terminal.
    case ownSession
  }

  /// The program, searched in the environment's PATH if its name has no slash, and its arguments.
  var words: [String]
  /// The whole environment.
  var environment: [String: String]
  var group = Group.ours
  /// Its working directory; nil is ours.
  var directory: String?
  /// The descriptors that it has, by its own number; those not named are ours. `nil` is `/dev/null`.
  var descriptors: [(number: Int32, from: Int32?)] = []
  /// Whether it has none but standard input and output: some of ours may stay open without our doing.
  var closesOthers = false
  /// The signals that it gets with their default action. By default SIGPIPE and SIGXFSZ, which reddot ignores for its own writes.
  var defaults: sigset_t = {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    sigaddset(&signals, SIGXFSZ)
    return signals
  }()

  /// - Parameter process: its process id, if it was started.
  /// - Returns: 0, or a number of errno(3); `ENOENT` if the program does not exist.
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

  /// The file of a program; nil where it isn't installed.
  ///
  /// - Parameter path: of the environment; nil is the system's own.
  static func find(_ name: String, path: String?) -> String? {
    // One that may not be looked at is there all the same: its start says so.
    if name.contains("/") { return access(name, F_OK) == 0 || errno == EACCES ? name : nil }
    let folders = (path ?? "/usr/local/bin:/usr/bin:/bin").split(exactly: ":")
    return folders.lazy.map { "\($0)/\(name)" }.first { path in
      // A folder of that name is executable too, and isn't a program.
      var status = stat()
      return access(path, X_OK) == 0 && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
  }
}
