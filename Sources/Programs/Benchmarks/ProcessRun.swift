import Foundation

/// A process that ran until it exited or reached its time limit, with its cost according to the system.
struct ProcessRun {
  enum End: Hashable {
    case status(Int32)
    case signal(Int32)
    /// The process was killed at its time limit.
    case overtime
  }

  struct Cost {
    var wall: Duration
    /// The processor time of all its threads, in user mode and in the kernel.
    var cpu: Duration
    private var peakKiB: Int
    var peakBytes: Int { peakKiB << 10 }
    /// The peak memory of this process when it started the other one. Linux counts it as memory of the other process
    /// too (getrusage(2): the memory of a process before `execve`).
    private var ownKiB: Int

    init(wall: Duration, _ usage: rusage, ownKiB: Int) {
      self.wall = wall
      cpu = Self.duration(usage.ru_utime) + Self.duration(usage.ru_stime)
      peakKiB = usage.ru_maxrss
      self.ownKiB = ownKiB
    }

    var peakMiB: String {
      let peak = String(format: "%.0f MiB", Double(peakKiB) / 1024)
      // The other process may have had less.
      return peakKiB > ownKiB + 1024 ? peak : "at most \(peak)"
    }

    private static func duration(_ time: timeval) -> Duration {
      .seconds(Int(time.tv_sec)) + .microseconds(Int(time.tv_usec))
    }
  }

  var cost: Cost
  var end: End

  /// - Parameters:
  ///   - output: the path of a file for the output and errors of the program, or `nil` to drop its output and show its
  ///     errors.
  ///   - limit: the number of seconds after which the process is killed.
  init(
    _ program: String, _ arguments: [String], environment: [String: String] = [:], output: String? = nil,
    within limit: Double? = nil
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(
      &actions, 1, output ?? "/dev/null", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    if output != nil { posix_spawn_file_actions_adddup2(&actions, 1, 2) }
    defer { posix_spawn_file_actions_destroy(&actions) }
    let variables = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"].merging(environment) { $1 }
    var argv = ([program] + arguments).map { strdup($0) } + [nil]
    var envp = variables.map { strdup("\($0)=\($1)") } + [nil]
    defer { for pointer in argv + envp { free(pointer) } }
    var process: pid_t = 0
    Self.forgetOwnPeak()
    let own = Self.ownPeakKiB
    let start = ContinuousClock.now
    guard posix_spawnp(&process, program, &actions, nil, &argv, &envp) == 0 else {
      throw CocoaError(.executableNotLoadable)
    }
    var usage = rusage()
    var code: Int32 = 0
    var isOvertime = false
    while wait4(process, &code, limit == nil ? 0 : WNOHANG, &usage) == 0 {
      if !isOvertime, let limit, ContinuousClock.now - start > .seconds(limit) {
        isOvertime = true
        kill(process, SIGKILL)
      }
      usleep(2000)
    }
    cost = Cost(wall: ContinuousClock.now - start, usage, ownKiB: own)
    end = isOvertime ? .overtime : code & 0x7F == 0 ? .status(code >> 8 & 0xFF) : .signal(code & 0x7F)
  }

  /// Resets the peak memory of this process to its present memory (proc(5), `clear_refs`).
  private static func forgetOwnPeak() {
    // If the system refuses that, the result is "at most".
    try? Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
  }

  /// The peak memory of this process, in KiB.
  private static var ownPeakKiB: Int {
    var usage = rusage()
    getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss
  }
}
