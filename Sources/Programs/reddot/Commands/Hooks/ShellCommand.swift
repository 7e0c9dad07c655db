import Basics

/// A command of a shell that has ended, as the shell's hook reports it.
struct ShellCommand {
  /// The line as it was typed, as far as the shell knows it.
  var line: String
  /// The last command of the line that ran, which bash knows without its history.
  var last: String
  /// Whether the line was read from the end of the history, and may be that of an earlier command.
  var isLineUnsure: Bool
  /// Whether the last command of the line is the end of a pipe.
  var isPiped: Bool

  /// - Parameter input: the line, and after a NUL the last command.
  init(_ input: String, isLineUnsure: Bool = false, isPiped: Bool = false) {
    let parts = input.split(onBytes: "\0", maxSplits: 1, omittingEmptySubsequences: false)
    line = parts.first.map(String.init) ?? ""
    last = parts.count > 1 ? String(parts[1]) : ""
    (self.isLineUnsure, self.isPiped) = (isLineUnsure, isPiped)
  }

  /// Returns the text of a message for the command.
  ///
  /// - Parameters:
  ///   - except: interactive programs.
  ///   - isFull: whether the whole line replaces the program's name.
  /// - Returns: `nil` if there is no message, because the program is interactive or unknown.
  func text(except: Set<String>, isFull: Bool, variables: [String: String]) -> String? {
    func program(_ line: ShellLine) -> RunProgram? { RunProgram.first(of: line, variables: variables) }
    func isExcepted(_ run: RunProgram) -> Bool {
      except.contains(run.name) || run.wrappers.contains(where: except.contains)
    }
    let known = line.isEmpty ? nil : ShellLine(line)
    let ran = ShellLine(last)
    if isLineUnsure, let run = program(ran), isExcepted(run) { return nil }
    let isThisLine = !isLineUnsure || known?.commands.last?.words == ran.commands.last?.words
    guard let line = isThisLine ? known : ran, let run = program(line), !isExcepted(run),
      isThisLine || !isPiped && !run.isImmediate
    else { return nil }
    return isFull ? isThisLine ? self.line : last : run.name
  }
}
