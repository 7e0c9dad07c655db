import Foundation

/// The time and memory of a program that ran to its end or to its timeout.
struct MeasuredProgram {
  enum End: Hashable {
    case status(Int32)
    case signal(Int32)
    /// Whether it was killed at its timeout.
    case overtime
  }

  var end: End
  var seconds: Double
  /// Processor time, including the kernel's part.
  var processorSeconds: Double
  /// Its peak resident size, in bytes (`ru_maxrss`).
  var peakBytes: Int

  /// - Parameter output: the path of a file for both outputs.
  static func run(
    _ program: String, _ arguments: [String], environment: [String: String], output: String,
    within limit: Double
  ) throws -> MeasuredProgram {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    let words = ([program] + arguments).map { strdup($0) }
    let variables = environment.map { strdup("\($0)=\($1)") }
    defer {
      posix_spawn_file_actions_destroy(&actions)
      for text in words + variables { free(text) }
    }
    let clock = ContinuousClock()
    let start = clock.now
    var process: Int32 = 0
    let code = posix_spawn(&process, program, &actions, nil, words + [nil], variables + [nil])
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .ENOENT) }
    var status: Int32 = 0
    var usage = rusage()
    var isOvertime = false
    while wait4(process, &status, WNOHANG, &usage) == 0 {
      if !isOvertime, start.duration(to: clock.now) > .seconds(limit) {
        isOvertime = true
        kill(process, SIGKILL)
      }
      usleep(2000)
    }
    let end: End =
      isOvertime ? .overtime : status & 0x7F == 0 ? .status(status >> 8 & 0xFF) : .signal(status & 0x7F)
    return MeasuredProgram(
      end: end, seconds: start.duration(to: clock.now).milliseconds / 1000,
      processorSeconds: seconds(usage.ru_utime) + seconds(usage.ru_stime),
      peakBytes: Int(usage.ru_maxrss) << 10)
  }

  private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
}
