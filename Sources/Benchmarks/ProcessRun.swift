import Foundation

/// A whole process, with what it cost by the system's account.
struct ProcessRun {
  struct Cost {
    var wall: Duration
    /// Of all its threads, in user mode and in the kernel.
    var cpu: Duration
    private var peakKiB: Int
    /// The most that this process had had when it started the other, which Linux counts as memory of that one too (getrusage(2): what a
    /// process had before `execve`).
    private var ownKiB: Int

    init(wall: Duration, _ usage: rusage, ownKiB: Int) {
      self.wall = wall
      cpu = Self.duration(usage.ru_utime) + Self.duration(usage.ru_stime)
      peakKiB = usage.ru_maxrss
      self.ownKiB = ownKiB
    }

    var peakMiB: String {
      let peak = String(format: "%.0f MiB", Double(peakKiB) / 1024)
      // The other one may have had less.
      return peakKiB > ownKiB + 1024 ? peak : "at most \(peak)"
    }

    private static func duration(_ time: timeval) -> Duration {
      .seconds(Int(time.tv_sec)) + .microseconds(Int(time.tv_usec))
    }
  }

  var cost: Cost
  var status: Int32

  init(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
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
    wait4(process, &code, 0, &usage)
    cost = Cost(wall: ContinuousClock.now - start, usage, ownKiB: own)
    status = code
  }

  /// From now on its peak is what it has now (proc(5), `clear_refs`).
  private static func forgetOwnPeak() {
    #if os(Linux)
      // Where the system refuses that, the account says "at most".
      try? Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
    #endif
  }

  /// The most that this process has had.
  private static var ownPeakKiB: Int {
    var usage = rusage()
    getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss
  }
}
