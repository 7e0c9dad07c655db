/// A program to start, without a shell, and all its input.
///
/// It has no terminal and none of our open files. Standard input is `input`, we read both outputs, and every other
/// descriptor is closed. It has its own session, so that it can be ended together with its child processes.
package struct Program: Sendable {
  /// The program and its arguments. The program is searched in the environment's `PATH` if its name has no slash.
  package var command: [String]
  /// The whole environment; nothing is inherited.
  package var environment: [String: String]
  /// Standard input; empty means `/dev/null`.
  package var input: [UInt8] = []
  /// The working directory, in which a relative path of the program itself starts too; `nil` means ours.
  package var directory: String?
  /// The maximum size of standard output, in bytes; a program that prints more is ended.
  package var outputLimit: Int
  /// The maximum time from start to end; then the program is ended.
  package var deadline: Duration

  package init(_ command: [String], environment: [String: String], outputLimit: Int, deadline: Duration) {
    self.command = command
    self.environment = environment
    self.outputLimit = outputLimit
    self.deadline = deadline
  }
}

/// The ending of a program, and its output.
package struct ProgramOutcome: Hashable, Sendable {
  package var status: Int32
  /// Standard output.
  package var output: [UInt8]
  /// The last non-empty lines of standard error, unchanged, together at most `Limits.programComplaintBytes` long.
  package var complaints: [String]

  package var lastComplaint: String? { complaints.last }
}

/// The reason why a program returned no result. Only `ended` contains output of the program.
package enum ProgramFailure: Error, Hashable, Sendable {
  /// There is no program in the settings.
  case empty
  case notInstalled(program: String)
  case cannotStart(program: String, reason: String)
  /// - complaint: the first line of standard error, unchanged, at most `Limits.programComplaintBytes` long.
  case ended(status: Int32, complaint: String?)
  case killed(signal: Int32)
  case tookLonger(than: Duration)
  case printedMore(thanBytes: Int)
  /// The caller was cancelled.
  case cancelled
}

extension ProgramFailure {
  /// The reason, as the predicate of a sentence whose subject is the setting's name: "ended with status 1: no such
  /// entry".
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
    case .cancelled: "was ended, since its result is not needed any more"
    }
  }

  private static func words(_ time: Duration) -> String {
    let milliseconds = Int((time / .milliseconds(1)).rounded())
    return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
  }
}
