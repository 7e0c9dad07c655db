import Basics
import Formats
import Foundation
import Messages
import Platform

/// The report of `reddot run` about a program: title, result, duration, and its last lines.
struct ProgramReport: Sendable {

  /// The exit statuses of a shell for a program that does not exist, and for one that cannot be run.
  enum Status {
    static let notFound: Int32 = 127
    static let notRunnable: Int32 = 126
  }

  /// The way in which the program ended.
  enum Ending: Hashable, Sendable {
    case status(Int32), signal(Int32)
    /// The program exited, and its status is unknown.
    case unknown
    /// The program did not start, for the system's reason.
    case notStarted(reason: String, status: Int32)
  }

  var ending: Ending
  var duration: Duration
  /// The program's last lines, without escape sequences.
  var lines: [String]

  init(ending: Ending, duration: Duration, lines: [String]) {
    (self.ending, self.duration, self.lines) = (ending, duration, lines)
  }

  /// Runs a program with the input and output of this process; blocks the thread until the program has exited.
  static func run(_ words: [String], environment: [String: String]) -> ProgramReport {
    do throws(POSIXError) {
      let outcome = try PassedThroughProgram.run(words, environment: environment, tail: Limits.reportBytes)
      let ending: Ending =
        switch outcome.ending {
        case .status(let status): .status(status)
        case .signal(let signal): .signal(signal)
        }
      return ProgramReport(ending: ending, duration: outcome.duration, lines: lastLines(outcome.tail))
    } catch {
      let isMissing = error.code == .ENOENT
      return ProgramReport(
        ending: .notStarted(
          reason: isMissing ? "the program does not exist" : SystemReason.words(errno: error.code.rawValue),
          status: isMissing ? Status.notFound : Status.notRunnable),
        duration: .zero, lines: [])
    }
  }

  /// Disables core dumps before this process ends with the same signal as the program: the program's core dump is
  /// enough.
  static func leaveNoCore() { PassedThroughProgram.leaveNoCore() }

  var isSuccess: Bool { ending == .status(0) }

  /// Returns the title of the message, for example `✓ make test, 12 s` or `✗ make test failed (2) after 12 s`.
  func title(_ name: String) -> String {
    let short =
      name.count > Limits.reportTitleCharacters ? name.prefix(Limits.reportTitleCharacters) + "…" : name[...]
    let time = Self.words(duration)
    return switch ending {
    case .status(0): "✓ \(short), \(time)"
    case .status(let status): "✗ \(short) failed (\(status)) after \(time)"
    case .signal: "✗ \(short) \(outcome) after \(time)"
    case .unknown: "\(short) ended after \(time)"
    case .notStarted: "✗ \(short): \(outcome)"
    }
  }

  /// Returns the group of the message: the inbox shows one row for each command of a folder. A failure and a success
  /// are never in one group, since their times differ.
  func group(_ name: String, in directory: String?) -> String {
    let place = RemoteID.digest(of: "\(directory ?? "")\u{0}\(name)").text
    return (isSuccess ? "command:" : "failed command:") + place
  }

  var body: String {
    if case .notStarted = ending { return outcome }
    let first = "\(outcome), after \(Self.words(duration))"
    return lines.isEmpty ? first : "\(first)\n\n" + lines.joined(separator: "\n")
  }

  var priority: Priority { isSuccess || ending == .unknown ? .normal : Priority(4) }

  /// The result of the program in words.
  private var outcome: String {
    switch ending {
    case .status(let status): "exit status \(status)"
    case .unknown: "ended"
    case .signal(let signal): "ended by \(Self.names[signal] ?? "signal \(signal)")"
    case .notStarted(let reason, _): "not started: \(reason)"
    }
  }

  private static let names: [Int32: String] = [
    SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGILL: "SIGILL", SIGTRAP: "SIGTRAP",
    SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGKILL: "SIGKILL", SIGSEGV: "SIGSEGV",
    SIGPIPE: "SIGPIPE", SIGALRM: "SIGALRM", SIGTERM: "SIGTERM", SIGUSR1: "SIGUSR1", SIGUSR2: "SIGUSR2",
    SIGXCPU: "SIGXCPU", SIGXFSZ: "SIGXFSZ",
  ]

  /// Returns a duration in the form `0.4 s`, `2 s`, `12 s`, `3 min 5 s` or `2 h 3 min`.
  static func words(_ duration: Duration) -> String {
    let seconds = Int(duration.components.seconds)
    if seconds < 10 {
      let tenths = Int(duration / .milliseconds(100))
      return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
    return "\(seconds / 3600) h \(seconds / 60 % 60) min"
  }

  /// Returns the last lines as they were visible: without colours, and with the last state of an overwritten line.
  static func lastLines(_ bytes: [UInt8]) -> [String] {
    let text = TerminalText.withoutEscapes(String(decoding: bytes, as: UTF8.self))
    var lines = text.exactLines.map { String($0.split(onBytes: "\r").last ?? "") }
    while lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
    return Array(lines.suffix(Limits.reportLines))
  }
}
