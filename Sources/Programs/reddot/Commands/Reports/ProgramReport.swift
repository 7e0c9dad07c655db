import Basics
import Formats
import Foundation
import Messages
import Platform

/// The report of `reddot run` about a program: title, how it ended, how long it took, and its last lines.
struct ProgramReport: Sendable {

  /// The exit statuses of a shell for a program that does not exist, and for one that cannot be run.
  enum Status {
    static let notFound: Int32 = 127
    static let notRunnable: Int32 = 126
  }

  enum Ending: Hashable, Sendable {
    case status(Int32), signal(Int32)
    /// The program ended, and its status is unknown.
    case unknown
    /// The system's reason.
    case notStarted(reason: String, status: Int32)
  }

  var ending: Ending
  var duration: Duration
  /// Its last lines, without escape sequences.
  var lines: [String]

  init(ending: Ending, duration: Duration, lines: [String]) {
    (self.ending, self.duration, self.lines) = (ending, duration, lines)
  }

  /// Runs a program with our input and output; blocks the thread until it has ended.
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

  /// For ending this process by the program's signal: the program's core dump is enough.
  static func leaveNoCore() { PassedThroughProgram.leaveNoCore() }

  var isSuccess: Bool { ending == .status(0) }

  /// `make test: exit status 2`
  func title(_ name: String) -> String {
    let short =
      name.count > Limits.reportTitleCharacters ? name.prefix(Limits.reportTitleCharacters) + "…" : name[...]
    return "\(short): \(outcome)"
  }

  var body: String {
    if case .notStarted = ending { return outcome }
    let first = "\(outcome), after \(Self.words(duration))"
    return lines.isEmpty ? first : "\(first)\n\n" + lines.joined(separator: "\n")
  }

  var priority: Priority { isSuccess || ending == .unknown ? .normal : Priority(4) }

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

  /// `0.4 s`, `12 s`, `3 min 5 s`, `2 h 3 min`
  static func words(_ duration: Duration) -> String {
    let seconds = Int(duration.components.seconds)
    if seconds < 10 {
      let tenths = Int(duration / .milliseconds(100))
      return "\(tenths / 10).\(tenths % 10) s"
    }
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
    return "\(seconds / 3600) h \(seconds / 60 % 60) min"
  }

  /// The last lines as they were visible: without colours, and of a line that was overwritten its last state.
  static func lastLines(_ bytes: [UInt8]) -> [String] {
    let text = TerminalText.withoutEscapes(String(decoding: bytes, as: UTF8.self))
    var lines = text.exactLines.map { String($0.split(exactly: "\r").last ?? "") }
    while lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
    return Array(lines.suffix(Limits.reportLines))
  }
}
