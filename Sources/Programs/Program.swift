/// A program to start: its words, never a shell's text, and all that it is given.
///
/// It has no terminal and none of our open files: standard input is what stands here, the two outputs are ours, and every
/// other descriptor is closed. It leads a session of its own, so that it can be ended together with all that it started.
package struct Program: Sendable {
  /// The program, looked up in the environment's `PATH` where it holds no slash, and its arguments.
  package var command: [String]
  /// The whole environment; nothing is inherited beside it.
  package var environment: [String: String]
  /// Standard input; empty is `/dev/null`.
  package var input: [UInt8] = []
  /// The most that is read of its standard output, in bytes; it is ended when it prints more.
  package var outputLimit: Int
  /// From its start to its end; it is ended when it takes longer.
  package var deadline: Duration

  package init(_ command: [String], environment: [String: String], outputLimit: Int, deadline: Duration) {
    self.command = command
    self.environment = environment
    self.outputLimit = outputLimit
    self.deadline = deadline
  }
}

/// How a program ended, and what it said.
package struct ProgramOutcome: Hashable, Sendable {
  package var status: Int32
  /// Its standard output.
  package var output: [UInt8]
  /// The last line of its standard error that isn't empty, as it came, at most `Limits.programComplaintBytes` long.
  package var lastComplaint: String?
}

/// Why a program brought no answer. What it printed is in none of these but `ended`.
package enum ProgramFailure: Error, Hashable, Sendable {
  /// The settings name no program.
  case empty
  case notInstalled(program: String)
  case cannotStart(program: String, reason: String)
  /// - complaint: the first line of its standard error, as it came, at most `Limits.programComplaintBytes` long.
  case ended(status: Int32, complaint: String?)
  case killed(signal: Int32)
  case tookLonger(than: Duration)
  case printedMore(thanBytes: Int)
  /// Nobody wants the answer any more.
  case cancelled
}

extension ProgramFailure {
  /// What happened, to follow the name of the setting: "ended with status 1: no such entry".
  package var words: String {
    switch self {
    case .empty: "names no program"
    case .notInstalled(let program): "cannot be started: \(program) is not installed"
    case .cannotStart(let program, let reason): "cannot be started: \(program): \(reason)"
    case .ended(let status, let complaint):
      "ended with status \(status)" + (complaint.map { ": \($0)" } ?? "")
    case .killed(let signal): "was ended by signal \(signal)"
    case .tookLonger(let time): "did not end within \(Self.words(time))"
    case .printedMore(let bytes): "printed more than \(bytes) bytes"
    case .cancelled: "was ended with what asked for it"
    }
  }

  private static func words(_ time: Duration) -> String {
    let milliseconds = Int((time / .milliseconds(1)).rounded())
    return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
  }
}
